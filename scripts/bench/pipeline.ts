/**
 * What the nightly program costs as an operator runs it, one process a run: elapsed time, CPU time of all threads,
 * peak memory, and the time of each stage.
 *
 *   node dist/scripts/bench/pipeline.js [options]
 *
 *   --source SOURCE  demo or csv:DIR (default: demo)
 *   --rounds N       rounds of a first run and another night (default: 3)
 *   --draws N        permutations behind the index's band; a published run has 200 (default: 0)
 *
 * The times are those of two idle cores. CPU time is what other work on the machine disturbs least.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { HINDSIGHT, outputOf } from "../support/child-processes.ts";
import { spreadText, target } from "./part.ts";
import { targetText } from "./result-text.ts";
import { spreadOf } from "./spread.ts";
import { ownFolder } from "../support/own-folder.ts";
import { progressLine } from "../support/progress-line.ts";
import { scriptOptions, whole } from "../support/script-options.ts";

/** What a night may take, and a first run without bands. */
const NIGHT_MAX_SECONDS = 5;
const FIRST_MAX_SECONDS = 10;
const RUN_MAX_MIB = 700;

const values = scriptOptions(import.meta.url, {
  source: { type: "string", default: "demo" },
  rounds: { type: "string", default: "3" },
  draws: { type: "string", default: "0" },
});
const rounds = whole("--rounds", values.rounds);

/** The last line that the program logs. */
interface RunSummary {
  readonly stages: Readonly<Record<string, number>>;
  readonly peak_memory_mb: number;
  readonly cpu_seconds: number;
  readonly seconds: number;
}

async function run(out: string): Promise<RunSummary> {
  const { source } = values;
  const args = [
    "pipeline",
    "--source",
    source,
    "--out",
    out,
    "--index-draws",
    values.draws,
    "--robustness-draws",
    values.draws,
  ];
  const startedMs = performance.now();
  const child = spawn(process.execPath, [HINDSIGHT, ...args], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.on("data", (text) => {
    const stage = /.*"stage":"(\w+)"/s.exec(String(text))?.[1];
    if (stage !== undefined) progressLine(`${source}: ${stage} is done`);
  });
  const lines = (await outputOf(child, "the pipeline")).trim().split("\n");
  progressLine("");
  const summary = JSON.parse(lines.at(-1)!) as RunSummary; // a run that ended well has printed it
  // The program's own figure leaves out how it was loaded and how it ended.
  return { ...summary, seconds: (performance.now() - startedMs) / 1000 };
}

function report(name: string, runs: readonly RunSummary[]): void {
  const of = (figure: (run: RunSummary) => number) => spreadOf(runs.map(figure));
  const wall = spreadText(of(({ seconds }) => seconds));
  const cpu = spreadText(of(({ cpu_seconds }) => cpu_seconds));
  const memory = spreadText(
    of(({ peak_memory_mb }) => peak_memory_mb),
    0,
  );
  console.log(`${name.padEnd(28)} ${wall} s, CPU ${cpu} s, peak ${memory} MiB`);
  const stages = Object.keys(runs[0]?.stages ?? {}).map((stage) => {
    const { median } = of((each) => each.stages[stage] ?? NaN);
    return `${stage} ${median.toFixed(2)}`;
  });
  console.log(`  ${stages.join("  ")}`);
}

async function kindsOfRun(folder: string): Promise<void> {
  const first: RunSummary[] = [];
  const nightly: RunSummary[] = [];
  for (let round = 0; round < rounds; round++) {
    const whole = join(folder, `whole-${round}`);
    first.push(await run(whole));
    nightly.push(await run(whole));
    rmSync(whole, { recursive: true });
  }
  report("first run, all months", first);
  report("any other night", nightly);
  reportTargets("any other night", nightly, NIGHT_MAX_SECONDS);
  if (Number(values.draws) === 0) reportTargets("first run", first, FIRST_MAX_SECONDS);
}

function reportTargets(name: string, runs: readonly RunSummary[], below: number): void {
  const seconds = spreadOf(runs.map((each) => each.seconds)).median;
  const mib = spreadOf(runs.map((each) => each.peak_memory_mb)).median;
  console.log(targetText(target(`${name}, s`, { below }, seconds)));
  console.log(targetText(target(`${name}, peak MiB`, { below: RUN_MAX_MIB }, mib)));
}

await kindsOfRun(ownFolder("pipeline"));
