/** The servers of the benchmark, each in a process of its own. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { ChildServer, startHindsight } from "../support/child-server.ts";
import {
  LOAD_PLANS,
  makeAccounts,
  storeIn,
  type MadeAccount,
  type Store,
} from "../support/made-accounts.ts";
import type { TwinOptions } from "./fastify-twin.ts";
import type { Bench } from "./part.ts";
import type { LoadRequest } from "./raw-request.ts";
import { recordAnswer, type RecordedAnswer } from "./recorded-answer.ts";

const BARE = fileURLToPath(new URL("./bare-server.js", import.meta.url));
const FASTIFY = fileURLToPath(new URL("./fastify-twin.js", import.meta.url));

/** As many as connections by default, so that few charges of a turn share an account. */
export const READ_ACCOUNTS = 64;

/** `hindsight serve` on a free port. */
export function startOurs(snapshots: string, store: Store): Promise<ChildServer> {
  return startHindsight(serveArgs(snapshots, store));
}

/** The usual arguments of `hindsight serve`; port 0 is a free one. */
export function serveArgs(snapshots: string, { state, plans }: Store, port = 0): string[] {
  const where = ["--snapshots", snapshots, "--state", state, "--plans", plans];
  return ["serve", "--host", "127.0.0.1", "--port", String(port), ...where];
}

/**
 * Our server on the snapshots of a benchmark, with the keys of accounts whose limits are never reached, and the coins
 * of the snapshot.
 */
export async function oursWith({ snapshots, folder }: Bench, accounts: number) {
  const store = storeIn(folder);
  const keys = (await makeAccounts(store, "load", accounts)).map(({ key }) => key);
  const { coins } = await readManifest(await currentSnapshot(snapshots));
  return { server: await startOurs(snapshots, store), keys, coins };
}

/** The upper limit of the comparison: a server that repeats recorded answers, by the name of their case. */
export function startBare(
  folder: string,
  answers: Readonly<Record<string, readonly RecordedAnswer[]>>,
): Promise<ChildServer> {
  const file = join(folder, "answers.json");
  writeFileSync(file, JSON.stringify(answers));
  return ChildServer.start({ script: BARE, args: [file], ipc: true });
}

/** How many answers the bare server repeats in turn, so that it sends as many bytes as the others. */
const RECORDED_MAX = 100;

/** The answers to the first requests of a load. */
export async function recorded(
  { port }: ChildServer,
  requests: readonly LoadRequest[],
): Promise<RecordedAnswer[]> {
  const answers: RecordedAnswer[] = [];
  for (const request of requests.slice(0, RECORDED_MAX))
    answers.push(await recordAnswer(port, request));
  return answers;
}

/** The Fastify service, with the same keys on the same plans in a state file of its own. */
export function startFastify(
  folder: string,
  snapshot: string,
  made: readonly MadeAccount[],
): Promise<ChildServer> {
  const accounts = made.map((account) => {
    return { ...LOAD_PLANS.find(({ name }) => name === account.plan)!, ...account }; // made with them
  });
  const twin: TwinOptions = { snapshot, state: join(folder, "fastify.db"), accounts };
  return ChildServer.start({ script: FASTIFY, args: [JSON.stringify(twin)] });
}
