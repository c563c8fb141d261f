import type { z } from "zod";
import type { Caller } from "../../accounts/accounts.ts";
import { Snapshots } from "../../api/snapshots.ts";
import { DATABASE_FILE } from "../../snapshots/folder.ts";
import type { SNAPSHOTS_QUERY } from "../routes/snapshots.ts";
import { snapshotOf } from "./answer-table.ts";
import { snapshotAnswers, type Call } from "./send-reply.ts";
import { hasPrices, originOf, tableOfFile, type SentSnapshot } from "./table-files.ts";
import { signedQuery } from "./table-links.ts";

/** The snapshots that are kept, and the files of one with links in the name of the caller's key. Throws DomainError. */
export async function snapshotsOf(
  call: Call,
  { keyId }: Caller,
  query: z.output<typeof SNAPSHOTS_QUERY>,
) {
  const { context, request } = call;
  const { tables, withholdsPrices, publicUrl, accounts } = context.parts;
  const { snapshot: inForce } = snapshotAnswers(call);
  const chosen = await snapshotOf(context, query.snapshot ?? inForce.id, inForce.id);
  const { id: snapshot, files } = chosen.manifest;
  const at = `${publicUrl}/v1/snapshots/${snapshot}`;
  const secret = await accounts.secret();
  const until = Math.floor(request.nowMs / 1000) + query.hours * 3600;
  const kept = await Promise.all((await tables.ids()).map((id) => tables.find(id)));
  return Snapshots.from({
    origin: originOf(chosen.manifest),
    current: inForce.id,
    snapshots: kept.filter((each) => each !== undefined).map(factsOf),
    files: files
      .filter(({ name }) => withholdsPrices !== true || !hasPrices(name))
      .map((file) => ({
        ...file,
        table: file.name === DATABASE_FILE ? null : tableOfFile(file.name),
        url: `${at}/${file.name}?${signedQuery(secret, { snapshot, file: file.name, until, keyId })}`,
      })),
  });
}

function factsOf({ manifest: { id, asOf, createdAt, synthetic, files } }: SentSnapshot) {
  const bytes = files.reduce((total, file) => total + file.bytes, 0);
  return { id, asOf, createdMs: Date.parse(createdAt), synthetic, bytes };
}
