/**
 * What the nightly program costs as an operator runs it, on the demo market and without draws, one process a run:
 * elapsed time, CPU time of all threads, peak memory, and the time of each stage.
 */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import { pipelineArgs } from "../support/publish.ts";
import { spreadText, target, type Bench, type PartResult } from "./part.ts";
import { spreadOf } from "./spread.ts";

/** What a night may take, and a first run. */
const NIGHT_MAX_SECONDS = 5;
const FIRST_MAX_SECONDS = 10;
const RUN_MAX_MIB = 700;

/** The last line that the program logs. */
interface RunSummary {
  readonly stages: Readonly<Record<string, number>>;
  readonly peak_memory_mb: number;
  readonly cpu_seconds: number;
  readonly seconds: number;
}

export async function pipeline(bench: Bench): Promise<PartResult> {
  const [first, nightly]: [RunSummary[], RunSummary[]] = [[], []];
  for (let round = 1; round <= bench.rounds; round++) {
    const out = join(bench.folder, `round-${round}`);
    bench.progress(`round ${round} of ${bench.rounds}: a first run`);
    first.push(await run(out));
    bench.progress(`round ${round} of ${bench.rounds}: another night`);
    nightly.push(await run(out));
    rmSync(out, { recursive: true });
  }
  const [all, night] = [figuresOf(first), figuresOf(nightly)];
  const row = (name: string, figures: typeof all) => [
    name,
    spreadText(figures.seconds),
    spreadText(figures.cpu_seconds),
    spreadText(figures.peak_mib, 0),
  ];
  return {
    title: "Pipeline: the demo market without draws",
    columns: ["", "seconds", "CPU seconds", "peak MiB"],
    rows: [row("first run, all months", all), row("any other night", night)],
    notes: [`Stages of a first run: ${all.stages}.`, `Of another night: ${night.stages}.`],
    targets: [
      target("any other night, s", { below: NIGHT_MAX_SECONDS }, night.seconds.median),
      target("any other night, peak MiB", { below: RUN_MAX_MIB }, night.peak_mib.median),
      target("first run, s", { below: FIRST_MAX_SECONDS }, all.seconds.median),
      target("first run, peak MiB", { below: RUN_MAX_MIB }, all.peak_mib.median),
    ],
    figures: { first, nightly },
  };
}

async function run(out: string): Promise<RunSummary> {
  const startedMs = performance.now();
  const log = await runScript(HINDSIGHT, pipelineArgs("demo", out, 0));
  const summary = JSON.parse(log.trim().split("\n").at(-1)!) as RunSummary; // a run that ended well has printed it
  // The program's own figure leaves out how it was loaded and how it ended.
  return { ...summary, seconds: (performance.now() - startedMs) / 1000 };
}

function figuresOf(runs: readonly RunSummary[]) {
  const of = (figure: (run: RunSummary) => number) => spreadOf(runs.map(figure));
  const stages = Object.keys(runs[0]?.stages ?? {}).map((stage) => {
    return `${stage} ${of((each) => each.stages[stage] ?? NaN).median.toFixed(2)}`;
  });
  return {
    seconds: of(({ seconds }) => seconds),
    cpu_seconds: of(({ cpu_seconds }) => cpu_seconds),
    peak_mib: of(({ peak_memory_mb }) => peak_memory_mb),
    stages: stages.join(", "),
  };
}
