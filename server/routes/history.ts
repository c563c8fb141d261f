import { z } from "zod";
import { endsStep, History, HISTORY_STEPS, historyTable } from "../../api/history.ts";
import type { Bars } from "../../quant/bars.ts";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import type { IndicatorColumns } from "../../quant/indicators/columns.ts";
import { dayOf } from "../../quant/signals/indicator.ts";
import { nameOfScore, ratingScore } from "../../quant/signals/rating.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import { INDICATOR_COLUMNS, tableColumnsOf } from "../../snapshots/tables/indicators.ts";
import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import { coinOf, dayWithin } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject, type SnapshotData, originOf } from "./snapshot-data.ts";
import { nearestTo } from "./nearest.ts";
import { date, namesOf, oneOf, text } from "./parameters.ts";

const CELLS_MAX = 25_000;
const DOLLARS = "usd";
const SCORE = "rating_score";
const RATING = "rating";
/** The columns that can be named, with their units. */
const UNIT_OF: ReadonlyMap<string, string> = new Map([
  ["close", DOLLARS],
  ...INDICATOR_COLUMNS.map(({ name, unit }) => [name, unit] as const),
  [SCORE, "fraction"],
  [RATING, "text"],
]);
const NAMES = [...UNIT_OF.keys()];

type Step = (typeof HISTORY_STEPS)[number];
type Range = { readonly from?: string | undefined; readonly to?: string | undefined };

/** GET /history?coin=&columns=&from=&to=&step= */
export const history = readEndpoint({
  path: "/history",
  operationId: "getHistory",
  tag: "Market",
  summary: "Closes, indicators and ratings of coins over a range of days, weeks or months",
  description:
    "The columns of the table of indicators, the close and the technical rating, in one call: what a reading of each day would show. Several coins are one " +
    "list of rows, coin by coin. A week (ISO 8601) or month has the values of its last day. Days that a coin does not have are left out, and `cut` names it. " +
    `At most ${CELLS_MAX.toLocaleString("en-US")} cells of all coins together, dates not counted; one call, however many coins.`,
  query: z.strictObject({
    coin: text({
      allowed: 'tickers such as "btc" or "btc,eth"',
      description: "tickers of coins on the board, separated by commas",
      example: "btc",
    }),
    columns: namesOf(NAMES, {
      allowed: 'names of columns such as "close,rsi_14,rating"',
      description: "columns to answer with, separated by commas",
      example: ["close", "rsi_14"],
    }),
    from: date({
      description: "first day; without it, the coin's first",
      example: "2024-01-01",
    }).optional(),
    to: date({
      description: "last day; without it, the coin's last",
      example: "2024-12-31",
    }).optional(),
    step: oneOf(HISTORY_STEPS, { description: "what a row covers", example: "day" }).default("day"),
  }),
  data: History,
  rows: historyTable,
  examples: {
    "a week of closes and their RSI": {
      coin: "btc",
      columns: "close,rsi_14",
      from: "2025-06-24",
      to: "2025-06-30",
    },
    "by month": { coin: "btc", columns: "close,sma_50", from: "2025-01-01", step: "month" },
    "ratings of several coins": {
      coin: "btc,eth",
      columns: "rating,rating_score",
      from: "2025-06-28",
    },
  },
  resolve(snapshot, { coin: tickers, columns, step, ...range }) {
    const coins = coinsOf(snapshot, tickers.split(","));
    if (range.from !== undefined && range.to !== undefined && range.from > range.to) {
      const message = `"from" must not be after "to", got "${range.from}" and "${range.to}"`;
      throw new DomainError("invalid_parameter", message);
    }
    const names = namedColumns(snapshot, columns);
    const rows = coins.map((each) => rowDays(each, range, step).length);
    const count = rows.reduce((sum, each) => sum + each, 0);
    if (count === 0) refuseRange(coins[0]!, range); // the request has at least one
    checkSize(count, names.length);
    return {
      coin: coins.map(({ ticker }) => ticker).join(),
      columns: names.join(),
      step,
      ...range,
    };
  },
  answer(snapshot, { coin: tickers, columns, step, ...range }) {
    const coins = coinsOf(snapshot, tickers.split(","));
    const names = columns.split(",");
    const parts = coins.map((each) => {
      return { ...each, days: rowDays(each, range, step) };
    });
    const scores = names.includes(RATING)
      ? joined(parts, (part) => valuesOf(snapshot, part, SCORE))
      : undefined;
    const numeric = names.filter((name) => name !== RATING);
    return {
      origin: originOf(snapshot, coins.length === 1 ? coins[0] : undefined),
      coin: tickers,
      step,
      days: Int32Array.from(parts.flatMap(({ days }) => [...days])),
      coins:
        coins.length === 1
          ? undefined
          : parts.flatMap(({ ticker, days }) => Array.from(days, () => ticker)),
      columns: Object.fromEntries(
        numeric.map((name) => [name, joined(parts, (part) => valuesOf(snapshot, part, name))]),
      ),
      ratings: scores && Array.from(scores, nameOfScore),
      cut: parts
        .filter((part) => isCut(part, range))
        .map(({ ticker, days }) => ({ coin: ticker, from: days[0], to: days.at(-1) })),
    };
  },
});

/** The coins of a list, in board order and each once. Throws DomainError for one that is not on the board. */
function coinsOf(snapshot: SnapshotData, tickers: readonly string[]): SnapshotCoin[] {
  const asked = new Set(tickers.map((ticker) => coinOf(snapshot, ticker)));
  return asked.size === 1 ? [...asked] : snapshot.coins.filter((each) => asked.has(each));
}

/** Throws the DomainError for a range of which a coin has no day. */
function refuseRange(found: SnapshotCoin, range: Range): void {
  for (const name of ["from", "to"] as const) {
    const given = range[name];
    if (given !== undefined) dayWithin(found, { name, code: "invalid_parameter" }, given);
  }
}

/** Whether a coin lacks some of the days of a request by date. */
function isCut({ firstDay, lastDay }: SnapshotCoin, { from, to }: Range): boolean {
  const begun = from === undefined || from >= dateOfDay(firstDay);
  return !begun || (to !== undefined && to > dateOfDay(lastDay));
}

/** A coin and the days of its rows. */
type Part = SnapshotCoin & { readonly days: Int32Array };

/** The values of all coins, one after another. */
function joined(parts: readonly Part[], valueOf: (part: Part) => Float64Array): Float64Array {
  return Float64Array.from(parts.flatMap((part) => [...valueOf(part)]));
}

/** A column on the days of a coin's rows. */
function valuesOf(
  snapshot: SnapshotData,
  { ticker, firstDay, days }: Part,
  name: string,
): Float64Array {
  const bars: Bars | undefined = snapshot.bars(ticker);
  const indicators = snapshot.indicators(ticker);
  if (bars === undefined || indicators === undefined) throw new Error(`no tables of ${ticker}`);
  if (name === SCORE) {
    const known = knownScores(bars);
    return Float64Array.from(days, (day) => {
      const row = day - firstDay;
      if (known[row] === UNKNOWN) known[row] = ratingScore(dayOf(bars, indicators, row));
      return known[row]!;
    });
  }
  const values = name === "close" ? bars.close : tableColumns(indicators)[name]!; // `resolve` has checked it
  return Float64Array.from(days, (day) => values[day - firstDay]!);
}

/** The rating's scores of a coin that were requested before, and no score for the others. */
const knownScores = oncePerObject(({ day }: Bars) => new Float64Array(day.length).fill(UNKNOWN));
const UNKNOWN = -Infinity;

const tableColumns = oncePerObject((indicators: IndicatorColumns) => tableColumnsOf(indicators));

/** The named columns in the table's order, each once. Throws DomainError for a name that is not a column. */
function namedColumns({ withholdsPrices }: SnapshotData, columns: readonly string[]): string[] {
  for (const name of columns) {
    const unit = UNIT_OF.get(name);
    if (unit === undefined) throw unknownColumn(name);
    if (withholdsPrices === true && unit === DOLLARS) {
      const message = `parameter "columns": "${name}" is in dollars, and this server withholds prices`;
      throw new DomainError("invalid_parameter", message);
    }
  }
  return NAMES.filter((name) => columns.includes(name));
}

function unknownColumn(name: string): DomainError {
  const [nearest] = nearestTo(name, NAMES, 1);
  const message = `parameter "columns": there is no column ${quoted(name)}; nearest: "${nearest}"`;
  return new DomainError("invalid_parameter", message);
}

function checkSize(rows: number, columns: number): void {
  const cells = rows * columns;
  if (cells <= CELLS_MAX) return;
  const message =
    `${rows} rows of ${columns} columns are ${cells} cells, more than ${CELLS_MAX}: name fewer columns, a shorter ` +
    "range or a longer step";
  throw new DomainError("invalid_parameter", message);
}

/** The last day of each day, week or month of a coin within the range. */
function rowDays({ firstDay, lastDay }: SnapshotCoin, { from, to }: Range, step: Step): Int32Array {
  const first = from === undefined ? firstDay : Math.max(firstDay, dayOfDate(from)!); // the schema has checked both
  const last = to === undefined ? lastDay : Math.min(lastDay, dayOfDate(to)!);
  const days: number[] = [];
  for (let day = first; day <= last; day++) if (day === last || endsStep(day, step)) days.push(day);
  return Int32Array.from(days);
}
