import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { formatSnapshotId } from "../../snapshots/snapshot-id.ts";
import { RUN_INSTANT_MS } from "./snapshot-market.ts";

/** Makes the folders of this many runs, oldest first. A later run may be of an earlier day. */
export function makeRuns(root: string, count: number): string[] {
  return Array.from({ length: count }, (_, run) => {
    const instantMs = RUN_INSTANT_MS + run * 60_000;
    const id = formatSnapshotId({ asOf: 20_000 - run, instantMs, contentHash: "0123456789ab" });
    mkdirSync(join(root, id));
    writeFileSync(join(root, id, "file"), "x");
    return id;
  });
}
