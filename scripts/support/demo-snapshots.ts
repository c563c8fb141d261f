import { join, resolve } from "node:path";
import { HINDSIGHT, runScript } from "./child-processes.ts";

/** The folder of snapshots that was named, or one in `folder`, after publishing the demo market to it. */
export async function snapshotsOrDemo(named: string | undefined, folder: string): Promise<string> {
  if (named !== undefined) return resolve(named);
  const out = join(folder, "snapshots");
  await runScript(HINDSIGHT, [
    "pipeline",
    "--source",
    "demo",
    "--out",
    out,
    "--index-draws",
    "2",
    "--robustness-draws",
    "2",
  ]);
  return out;
}
