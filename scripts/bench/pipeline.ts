/**
 * What the nightly program costs as an operator runs it, on the demo market and without draws, one process a run:
 * elapsed time, CPU time of all threads, and peak memory.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import { pipelineArgs } from "../support/publish.ts";
import { inRounds, spreadOf, target, type Bench, type PartResult } from "./part.ts";

/** How long a night and a first run may take. */
const NIGHT_MAX_SECONDS = 5;
const FIRST_MAX_SECONDS = 10;
const RUN_MAX_MIB = 700;

/** The last line that the program logs. */
interface RunSummary {
  readonly peak_memory_mb: number;
  readonly cpu_seconds: number;
  readonly seconds: number;
}

export async function pipeline(bench: Bench): Promise<PartResult> {
  const rounds = await inRounds(bench, "a first run and another night", async () => {
    const out = join(bench.folder, "snapshots");
    const both = [await run(out), await run(out)] as const;
    rmSync(out, { recursive: true });
    return both;
  });
  const row = (name: string, runs: readonly RunSummary[]) => ({
    "": name,
    seconds: spreadOf(runs.map(({ seconds }) => seconds)),
    "CPU seconds": spreadOf(runs.map(({ cpu_seconds }) => cpu_seconds)),
    "peak MiB": spreadOf(runs.map(({ peak_memory_mb }) => peak_memory_mb)),
  });
  const first = row(
    "first run, all months",
    rounds.map(([run]) => run),
  );
  const night = row(
    "any other night",
    rounds.map(([, run]) => run),
  );
  return {
    title: "Pipeline: the demo market without draws",
    rows: [first, night],
    notes: [],
    targets: [
      target("any other night, s", { below: NIGHT_MAX_SECONDS }, night.seconds.median),
      target("any other night, peak MiB", { below: RUN_MAX_MIB }, night["peak MiB"].median),
      target("first run, s", { below: FIRST_MAX_SECONDS }, first.seconds.median),
      target("first run, peak MiB", { below: RUN_MAX_MIB }, first["peak MiB"].median),
    ],
  };
}

async function run(out: string): Promise<RunSummary> {
  const startedMs = performance.now();
  const log = await runScript(HINDSIGHT, pipelineArgs("demo", out, 0));
  const summary = JSON.parse(log.trim().split("\n").at(-1)!) as RunSummary; // a run that ended well has printed it
  // The program's own figure leaves out how it was loaded and how it ended.
  return { ...summary, seconds: (performance.now() - startedMs) / 1000 };
}
