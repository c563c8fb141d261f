import { z } from "zod";
import { Check } from "../../api/check-report.ts";
import type { ReadOptions } from "../../check/formats/export.ts";
import { coinsNamed } from "../../check/market.ts";
import { FORMAT_NAMES } from "../../check/formats/read-export.ts";
import { TRIALS_MAX } from "../../quant/overfitting/backtest-inputs.ts";
import { snakeCase } from "../../quant/letter-case.ts";
import type { SnapshotData } from "./snapshot-data.ts";
import { coinOf } from "./board.ts";
import type { CheckEndpoint } from "./endpoint.ts";
import { date, decimal, described, integer, oneOf, text, texts } from "./parameters.ts";

const PERIODS_MAX = 1_000_000;
const CAPITAL_MAX = 1_000_000_000_000;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name }).format(0);
    return true;
  } catch {
    return false;
  }
}

function columnName(description: string, example: string) {
  return text({
    allowed: "the name of a column in the file, or its place as #3",
    description,
    example,
  });
}

/** Parameters for reading the file. */
const READING = {
  timezone: described(z.string().refine(isTimeZone), {
    allowed: 'the name of a time zone such as "Europe/Berlin"',
    description: "of times of day that are written without one",
    example: "Europe/Berlin",
  }).optional(),
  format: oneOf(FORMAT_NAMES as [string, ...string[]], {
    description: "of the file, where its content alone does not decide",
    example: "returns",
  }).optional(),
  starting_capital: decimal(0, CAPITAL_MAX, {
    description: "money the account began with, for a list of trades that does not name it",
    example: 10_000,
  }).optional(),
  column: columnName("the column that is your strategy", "equity").optional(),
  leave_out: texts({
    allowed: "the name of a column in the file, or its place as #3",
    description: "a column that isn't a variant; may be repeated",
    example: ["cash"],
  }).optional(),
  benchmark: columnName('the column that is the market, or "none"', "spy").optional(),
  flows: columnName(
    'the column of money paid in, "none", or "detected" to take out what looks like it',
    "deposits",
  ).optional(),
  dates: oneOf(["day-first", "month-first"], {
    description: "of dates such as 01/03/2024",
    example: "day-first",
  }).optional(),
  unit: oneOf(["fraction", "percent", "log"], {
    description: "of returns: 0.01, 1 or ln 1.01 for 1 %",
    example: "percent",
  }).optional(),
  all_in: oneOf(["true", "false"], {
    description: "whether the percents of a list of trades are of the whole account each time",
    example: "true",
  }).optional(),
};

/** The same for the live file. */
const LIVE_READING = Object.fromEntries(
  Object.entries(READING).map(([name, parameter]) => [`live_${name}`, parameter]),
) as { [Name in keyof typeof READING as `live_${Name}`]: (typeof READING)[Name] };

const Query = z.strictObject({
  n_trials: integer(1, TRIALS_MAX, {
    description: "variants tried before this one was chosen, ideas given up included",
    example: 500,
  }).optional(),
  starts: integer(1, TRIALS_MAX, {
    description: "first days that were tried with each setting; multiplies n_trials for one series",
    example: 5,
  }).optional(),
  coin: text({
    allowed: 'lower-case tickers such as "btc" or "btc,eth"',
    description: "ticker of the coin that was traded, or several, to test against holding them",
    example: "btc",
  }).optional(),
  selected: text({
    allowed: "the name of a variant in the file",
    description: "the variant that is claimed; the one with the highest Sharpe ratio by default",
    example: "epoch 17",
  }).optional(),
  periods_per_year: decimal(0, PERIODS_MAX, {
    description: "bars a year, where the dates mislead",
    example: 365,
  }).optional(),
  ...READING,
  risk_free: decimal(-1, 1, {
    allowed: "a fraction above -1, at most 1",
    description: "a rate a year: 0.04 is 4 %",
    example: 0.04,
  }).optional(),
  fills: oneOf(["intraday"], {
    description: "that each fill came after its signal, although within the bar",
    example: "intraday",
  }).optional(),
  live_selected: text({
    allowed: "the name of a series in the live file",
    description: "the series of the live file that is the strategy, where it has several",
    example: "equity",
  }).optional(),
  live_since: date({
    description:
      "the day from which live counts; of a single file, the days before it are the backtest",
    example: "2024-01-01",
  }).optional(),
  ...LIVE_READING,
});

const READ_OPTIONS = [
  "timezone",
  "format",
  "startingCapital",
  "column",
  "leaveOut",
  "benchmark",
  "flows",
  "dates",
  "unit",
] as const satisfies (keyof ReadOptions)[];

/** The options for reading a file. `prefix` begins the names of its parameters. */
function readingOf(query: z.output<typeof Query>, prefix: "" | "live_"): ReadOptions {
  const given: Readonly<Record<string, unknown>> = query;
  const named = READ_OPTIONS.map((name) => [name, given[prefix + snakeCase(name)]]);
  return { ...Object.fromEntries(named), allIn: given[`${prefix}all_in`] === "true" };
}

/** The coins as named, if the board has one of them. */
function coinsKnown(snapshot: SnapshotData, coins: string): string {
  const names = coinsNamed(coins);
  const isKnown = names.some((name) => snapshot.coins.some(({ ticker }) => ticker === name));
  return names.length > 1 && isKnown ? names.join(",") : coinOf(snapshot, coins).ticker;
}

/** POST /check */
export const check: CheckEndpoint<typeof Query> = {
  kind: "check",
  path: "/check",
  operationId: "postCheck",
  tag: "Overfitting",
  summary: "How much of your own backtest may be luck",
  description:
    "The body is a file as a backtesting tool wrote it: returns, equity, trades, or everything that an optimiser tried. Its format is recognised by content. To hold live days to it, send `multipart/form-data` with the parts `backtest` and `live`, or one file with `live_since`. At most 16 MiB, and 400,000 variants times bars; `hindsight check FILE` takes more. Nothing sent is kept. Costs the plan's check units; a file that is refused costs nothing.",
  query: Query,
  data: Check,
  optionsOf(snapshot, query) {
    return {
      nTrials: query.n_trials,
      starts: query.starts,
      coin: query.coin === undefined ? undefined : coinsKnown(snapshot, query.coin),
      selected: query.selected,
      periodsPerYear: query.periods_per_year,
      ...readingOf(query, ""),
      riskFree: query.risk_free,
      fills: query.fills,
      liveSelected: query.live_selected,
      liveSince: query.live_since,
      live: readingOf(query, "live_"),
    };
  },
};
