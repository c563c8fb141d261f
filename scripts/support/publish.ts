import { join, resolve } from "node:path";
import { HINDSIGHT, runScript } from "./child-processes.ts";

/** The arguments of `hindsight pipeline`. Draws are few or none, because their bands would take most of a first run. */
export function pipelineArgs(source: string, out: string, draws = 2): string[] {
  const bands = ["--index-draws", String(draws), "--robustness-draws", String(draws)];
  return ["pipeline", "--source", source, "--out", out, ...bands];
}

/** The folder of snapshots that was named, or one in `folder` to which the demo market is published first. */
export async function snapshotsOrDemo(named: string | undefined, folder: string): Promise<string> {
  if (named !== undefined) return resolve(named);
  const out = join(folder, "snapshots");
  await runScript(HINDSIGHT, pipelineArgs("demo", out));
  return out;
}
