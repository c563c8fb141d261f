/**
 * What the nightly program costs as an operator runs it, one process a run: elapsed time, CPU time of all threads,
 * peak memory, and the time of each stage.
 *
 *   node dist/scripts/bench/pipeline.js [options]
 *
 *   --parts PARTS    several are separated by commas (default: kinds,growth)
 *                      kinds   a first run, a first night of a month, any other night; two minutes for three rounds
 *                      growth  a first run of 50 made-up coins of 8 years, and one of 500; two minutes
 *                      large   the same of 20 years; eight minutes
 *   --source SOURCE  prices of kinds: demo or csv:DIR (default: demo)
 *   --rounds N       rounds of kinds (default: 3)
 *   --draws N        permutations behind the index's band; a published run has 200 (default: 0)
 *
 * The times are those of two idle cores. CPU time is what other work on the machine disturbs least.
 */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { dateOfDay } from "../../quant/calendar.ts";
import { lastCompleteMonth, lastDayOfMonth } from "../../quant/month.ts";
import { readManifest } from "../../snapshots/read-manifest.ts";
import { HINDSIGHT, outputOf } from "../support/child-processes.ts";
import { spreadText, target } from "./part.ts";
import { writePriceFolder } from "./price-folder.ts";
import { targetText } from "./result-text.ts";
import { ratioSpread, spreadOf } from "./spread.ts";
import { ownFolder } from "../support/own-folder.ts";
import { progressLine } from "../support/progress-line.ts";
import { refuse, scriptOptions, whole } from "../support/script-options.ts";

const YEAR_DAYS = 365.25;
/** Ten times the coins may cost this many times as much. */
const GROWTH_MAX = 11;
/** What a night may take, and a first run without bands. */
const RUN_MAX_SECONDS = 5;
const RUN_MAX_MIB = 700;

const values = scriptOptions(import.meta.url, {
  source: { type: "string", default: "demo" },
  rounds: { type: "string", default: "3" },
  draws: { type: "string", default: "0" },
  parts: { type: "string", default: "kinds,growth" },
});
const rounds = whole("--rounds", values.rounds);

/** The last line that the program logs. */
interface RunSummary {
  readonly dir: string;
  readonly stages: Readonly<Record<string, number>>;
  readonly peak_memory_mb: number;
  readonly cpu_seconds: number;
  readonly seconds: number;
}

interface Market {
  readonly source: string;
  readonly board?: string;
}

async function run({ source, board }: Market, out: string, asOf?: string): Promise<RunSummary> {
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
  if (board !== undefined) args.push("--board", board);
  if (asOf !== undefined) args.push("--as-of", asOf);
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

/** The day before the last complete month ends: a run as of that day includes everything but that month. */
function beforeLastMonth(asOf: number): string {
  return dateOfDay(lastDayOfMonth(lastCompleteMonth(asOf)) - 1);
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

async function kindsOfRun(market: Market, folder: string): Promise<void> {
  const first: RunSummary[] = [];
  const monthly: RunSummary[] = [];
  const nightly: RunSummary[] = [];
  for (let round = 0; round < rounds; round++) {
    const whole = join(folder, `whole-${round}`);
    first.push(await run(market, whole));
    nightly.push(await run(market, whole));
    const { asOf } = await readManifest(first.at(-1)!.dir);
    rmSync(whole, { recursive: true });
    const month = join(folder, `month-${round}`);
    await run(market, month, beforeLastMonth(asOf));
    monthly.push(await run(market, month, dateOfDay(asOf)));
    rmSync(month, { recursive: true });
  }
  report("first run, all months", first);
  report("first night of a month", monthly);
  report("any other night", nightly);
  const ratio = (figure: "seconds" | "cpu_seconds") =>
    spreadText(
      ratioSpread(
        first.map((each) => each[figure]),
        nightly.map((each) => each[figure]),
      ),
      1,
    );
  console.log(
    `first run / other night: ${ratio("seconds")} in time, ${ratio("cpu_seconds")} in CPU`,
  );
  const dataset = first.map((each) => each.stages["dataset"] ?? NaN);
  console.log(`dataset stage alone: ${spreadText(spreadOf(dataset))} s`);
  reportTargets("any other night", nightly);
  if (Number(values.draws) === 0) reportTargets("first run", first);
}

function reportTargets(name: string, runs: readonly RunSummary[]): void {
  const seconds = spreadOf(runs.map((each) => each.seconds)).median;
  const mib = spreadOf(runs.map((each) => each.peak_memory_mb)).median;
  console.log(targetText(target(`${name}, s`, { below: RUN_MAX_SECONDS }, seconds)));
  console.log(targetText(target(`${name}, peak MiB`, { below: RUN_MAX_MIB }, mib)));
}

/** Compares ten times the coins, with as many years each. */
async function growth(folder: string, years: number): Promise<void> {
  const days = Math.round(years * YEAR_DAYS);
  const once = async (coins: number) => {
    progressLine(`making up ${coins} coins x ${years} years`);
    const market = writePriceFolder(folder, coins, days);
    const out = join(folder, "growth");
    const summary = await run(market, out);
    rmSync(out, { recursive: true });
    report(`${coins} coins x ${years} years`, [summary]);
    return summary;
  };
  const few = await once(50);
  const many = await once(500);
  const times = (figure: "cpu_seconds" | "seconds" | "peak_memory_mb") =>
    (many[figure] / few[figure]).toFixed(1);
  const met = many.cpu_seconds <= GROWTH_MAX * few.cpu_seconds;
  console.log(
    `ten times the coins: ${times("cpu_seconds")} times the CPU (at most ${GROWTH_MAX}: ${met ? "met" : "MISSED"}), ` +
      `${times("seconds")} times the elapsed time, ${times("peak_memory_mb")} times the memory`,
  );
}

const PARTS: Readonly<Record<string, (folder: string) => Promise<void>>> = {
  kinds: async (folder) => await kindsOfRun({ source: values.source }, folder),
  growth: async (folder) => await growth(folder, 8),
  large: async (folder) => await growth(folder, 20),
};

const folder = ownFolder("pipeline");

const names = values.parts.split(",");
const unknown = names.find((name) => !(name in PARTS));
if (unknown !== undefined) {
  refuse(`there is no part "${unknown}": the parts are ${Object.keys(PARTS).join(", ")}`);
}
for (const name of names) await PARTS[name]!(folder); // checked above
