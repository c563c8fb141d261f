/**
 * The nightly program as an operator runs it, one process a run: what a first run costs, a first night of a month and
 * any other night, by stage, with peak memory.
 *
 *   node dist/scripts/bench/pipeline.js [--source demo | csv:DIR] [--rounds N] [--draws N] [--growth] [--large]
 *
 * --draws computes the index's band too (200 in production, 0 here). --growth compares 50 made-up coins of 8 years with
 * 500. --large runs 500 of 20 years, once. CPU seconds are of all threads, and what other work disturbs least.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { civilOfDay, dateOfDay, dayOfCivil, dayOfDate } from "../../quant/calendar.ts";
import { runScript } from "./child-server.ts";
import { spreadText } from "./part.ts";
import { writePriceFolder } from "./price-folder.ts";
import { ratioSpread, spreadOf } from "./spread.ts";
import { HINDSIGHT } from "./state-file.ts";
import { scriptOptions } from "../script-options.ts";

const YEAR_DAYS = 365.25;

const values = scriptOptions(import.meta.url, {
  source: { type: "string", default: "demo" },
  rounds: { type: "string", default: "3" },
  draws: { type: "string", default: "0" },
  growth: { type: "boolean", default: false },
  large: { type: "boolean", default: false },
});

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
  const args = ["pipeline", "--source", source, "--out", out, "--index-draws", values.draws];
  if (board !== undefined) args.push("--board", board);
  if (asOf !== undefined) args.push("--as-of", asOf);
  const lines = (await runScript(HINDSIGHT, args)).trim().split("\n");
  return JSON.parse(lines.at(-1)!) as RunSummary; // a run that ended well has said so
}

function asOfOf({ dir }: RunSummary): string {
  const manifest = JSON.parse(readFileSync(join(dir, "manifest.json"), "utf8")) as {
    as_of: string;
  };
  return manifest.as_of;
}

/** The day before the last complete month ends: a run as of then has everything but that month. */
function beforeLastMonth(asOf: string): string {
  const day = dayOfDate(asOf)!; // a manifest's
  const { year, month } = civilOfDay(day + 1);
  return dateOfDay(dayOfCivil({ year, month, dayOfMonth: 1 }) - 2);
}

function report(name: string, runs: readonly RunSummary[]): void {
  const of = (figure: (run: RunSummary) => number) => spreadOf(runs.map(figure));
  const wall = spreadText(of(({ seconds }) => seconds));
  const cpu = spreadText(of(({ cpu_seconds }) => cpu_seconds));
  const memory = spreadText(
    of(({ peak_memory_mb }) => peak_memory_mb),
    0,
  );
  console.log(`${name.padEnd(28)} ${wall} s, CPU ${cpu} s, peak ${memory} MB`);
  const stages = Object.keys(runs[0]?.stages ?? {}).map((stage) => {
    const { median } = of((each) => each.stages[stage] ?? NaN);
    return `${stage} ${median.toFixed(2)}`;
  });
  console.log(`  ${stages.join("  ")}`);
}

async function kindsOfRun(market: Market, folder: string): Promise<void> {
  const rounds = Number(values.rounds);
  const first: RunSummary[] = [];
  const monthly: RunSummary[] = [];
  const nightly: RunSummary[] = [];
  for (let round = 0; round < rounds; round++) {
    const whole = join(folder, `whole-${round}`);
    first.push(await run(market, whole));
    nightly.push(await run(market, whole));
    const asOf = asOfOf(first.at(-1)!);
    rmSync(whole, { recursive: true });
    const month = join(folder, `month-${round}`);
    await run(market, month, beforeLastMonth(asOf));
    monthly.push(await run(market, month, asOf));
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
}

async function growth(folder: string): Promise<void> {
  const days = Math.round(8 * YEAR_DAYS);
  const few = writePriceFolder(folder, 50, days);
  const many = writePriceFolder(folder, 500, days);
  const [small, large]: [RunSummary[], RunSummary[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round++) {
    for (const [market, runs] of [
      [few, small],
      [many, large],
    ] as const) {
      const out = join(folder, "growth");
      runs.push(await run(market, out));
      rmSync(out, { recursive: true });
    }
  }
  report("50 coins x 8 years", small);
  report("500 coins x 8 years", large);
  const cpu = ratioSpread(
    large.map((each) => each.cpu_seconds),
    small.map((each) => each.cpu_seconds),
  );
  console.log(`ten times the coins: ${spreadText(cpu, 1)} times the CPU time`);
}

async function large(folder: string): Promise<void> {
  const market = writePriceFolder(folder, 500, Math.round(20 * YEAR_DAYS));
  report("500 coins x 20 years", [await run(market, join(folder, "large"))]);
}

const folder = mkdtempSync(join(tmpdir(), "hindsight-pipeline-"));
try {
  if (values.growth) await growth(folder);
  else if (values.large) await large(folder);
  else await kindsOfRun({ source: values.source }, folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
