import { z } from "zod";
import { History, HISTORY_STEPS, historyTable } from "../../api/history.ts";
import type { Bars } from "../../quant/bars.ts";
import { civilOfDay, dateOfDay, daysInMonth } from "../../quant/calendar.ts";
import type { IndicatorColumns } from "../../quant/indicators/columns.ts";
import { INDICATOR_COLUMNS, tableColumnsOf } from "../../snapshots/tables/indicators.ts";
import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import { coinOf, dayWithin } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject, type SnapshotData, originOf } from "./snapshot-data.ts";
import { nearestTo } from "./nearest.ts";
import { coin, date, namesOf, oneOf } from "./parameters.ts";

const CELLS_MAX = 25_000;
const DOLLARS = "usd";
/** The columns that can be named, with their units. */
const UNIT_OF: ReadonlyMap<string, string> = new Map([
  ["close", DOLLARS],
  ...INDICATOR_COLUMNS.map(({ name, unit }) => [name, unit] as const),
]);
const NAMES = [...UNIT_OF.keys()];
/** 1970-01-01 was a Thursday, so the week of day 0 ends on day 3, a Sunday. */
const FIRST_SUNDAY = 3;

type Step = (typeof HISTORY_STEPS)[number];

/** GET /history?coin=&columns=&from=&to=&step= */
export const history = readEndpoint({
  path: "/history",
  operationId: "getHistory",
  tag: "Market",
  summary: "Closes and indicators of a coin over a range of days, weeks or months",
  description:
    "The columns of the table of indicators, and the close, in one call: what a reading of each day would show. A week (ISO 8601) or month " +
    `has the values of its last day. At most ${CELLS_MAX.toLocaleString("en-US")} cells, dates not counted.`,
  query: z.strictObject({
    coin: coin("ticker of a coin on the board"),
    columns: namesOf(NAMES, {
      allowed: 'names of columns such as "close,rsi_14"',
      description: "columns to answer with, separated by commas",
      example: "close,rsi_14",
    }),
    from: date({
      description: "first day; without it, the coin's first",
      example: "2024-01-01",
    }).optional(),
    to: date({
      description: "last day; without it, the coin's last",
      example: "2024-12-31",
    }).optional(),
    step: oneOf(HISTORY_STEPS, { description: "what a row stands for", example: "day" }).default(
      "day",
    ),
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
  },
  resolve(snapshot, { coin: ticker, columns, step, ...range }) {
    const found = coinOf(snapshot, ticker);
    const dayOf = (name: "from" | "to", day: number) => {
      const given = range[name];
      return given === undefined
        ? day
        : dayWithin(found, { name, code: "invalid_parameter" }, given);
    };
    const [from, to] = [dayOf("from", found.firstDay), dayOf("to", found.lastDay)];
    if (from > to) {
      const message = `"from" must not be after "to", got "${dateOfDay(from)}" and "${dateOfDay(to)}"`;
      throw new DomainError("invalid_parameter", message);
    }
    const names = namedColumns(snapshot, columns);
    checkSize(rowDays(from, to, step).length, names.length);
    return { coin: ticker, columns: names.join(), from: dateOfDay(from), to: dateOfDay(to), step };
  },
  answer(snapshot, { coin: ticker, columns, from, to, step }) {
    const found = coinOf(snapshot, ticker);
    const dayOf = (name: "from" | "to", text: string) =>
      dayWithin(found, { name, code: "invalid_parameter" }, text);
    const days = rowDays(dayOf("from", from), dayOf("to", to), step);
    const known = columnsOf(snapshot, ticker);
    const named = columns.split(",").map((name) => {
      const values = known[name]!; // `resolve` has checked it
      return [name, Float64Array.from(days, (day) => values[day - found.firstDay]!)] as const;
    });
    return {
      origin: originOf(snapshot, found),
      coin: ticker,
      step,
      days,
      columns: Object.fromEntries(named),
      isPartial: !isLast(days.at(-1)!, step),
    };
  },
});

const tableColumns = oncePerObject((indicators: IndicatorColumns) => tableColumnsOf(indicators));

function columnsOf(snapshot: SnapshotData, ticker: string): Readonly<Record<string, Float64Array>> {
  const bars: Bars | undefined = snapshot.bars(ticker);
  const indicators = snapshot.indicators(ticker);
  if (bars === undefined || indicators === undefined) throw new Error(`no tables of ${ticker}`);
  return { close: bars.close, ...tableColumns(indicators) };
}

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

/** The last day within the range of each day, week or month. */
function rowDays(from: number, to: number, step: Step): Int32Array {
  const days: number[] = [];
  for (let day = from; day <= to; day++) if (day === to || isLast(day, step)) days.push(day);
  return Int32Array.from(days);
}

function isLast(day: number, step: Step): boolean {
  if (step === "day") return true;
  if (step === "week") return (day - FIRST_SUNDAY) % 7 === 0;
  const { year, month, dayOfMonth } = civilOfDay(day);
  return dayOfMonth === daysInMonth(year, month);
}
