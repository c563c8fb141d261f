import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import { mean, median } from "../../quant/sample-statistics.ts";
import type { Table } from "./csv.ts";
import { FileRefused, question, type ReadExport, type ReadOptions } from "./export.ts";
import { decimalMarkOf, numberColumn, numberOf, shortened } from "./numbers.ts";
import { isDate, isTimeColumn, timeColumn, timeOf } from "./times.ts";

const EQUITY_NAME = /equity|value|balance|nav\b|portfolio|wealth|capital/i;
const RETURNS_NAME = /return|rendite|(?<![a-z])(pct|change|ret)(?![a-z])/i;
const CUMULATIVE_NAME = /(?<![a-z])(cum|cumulative|pnl|profits?)(?![a-z])/i;
/** A value over the one before it that cumulative profits reach and an equity hardly does. */
const LEAP = 2;
/** Levels of an equity curve; returns are around 0. A curve may begin at 1. */
const EQUITY_MEDIAN = 0.5;

/** A first column of times and a column for each variant, of returns or of equity. */
export function readGeneric(
  table: Table,
  options: ReadOptions,
  of: Partial<Pick<ReadExport, "format" | "tool" | "kind">> = {},
): ReadExport {
  const warnings: CheckWarning[] = [];
  const days = withoutOthers(withoutTotals(table, warnings), options, warnings);
  refuseLong(days);
  checkNames(days.header.slice(1));
  if (days.header.length < 2)
    throw new FileRefused("the table has one column; dates and values are needed");
  const instants = timeColumn(days, 0, options);
  const mark = decimalMarkOf(days, 1);
  const columns = days.header.slice(1).map((_, place) => numberColumn(days, place + 1, mark));
  const kind =
    (of.kind as Observations["kind"] | undefined) ??
    kindOf(days.header.slice(1), columns, options, warnings);
  const rows: Observations = {
    kind,
    instants,
    lines: Int32Array.from(days.lines),
    names: days.header.slice(1).map(variantName),
    columns: kind === "returns" ? fractionsOf(days, columns, warnings) : columns,
  };
  return { format: kind, tool: "generic", ...of, kind, rows, warnings };
}

/** A table without a header: its first row holds a date and numbers, and is a row like the others. */
export function withHeader(table: Table): Table {
  const [date, ...cells] = table.header;
  const isRow =
    cells.length > 0 &&
    [date, table.rows[0]?.[0]].every((cell) => cell !== undefined && isDate(cell)) &&
    cells.every((cell) => numberOf(cell, ".") !== undefined || numberOf(cell, ",") !== undefined);
  if (!isRow) return table;
  return {
    ...table,
    header: ["date", ...cells.map((_, place) => String(place + 1))],
    rows: [table.header, ...table.rows],
    lines: [1, ...table.lines],
  };
}

/** pandas writes the numbers of the rows in front of a frame that keeps its dates in a column. */
export function withoutRowNumbers(table: Table): Table {
  const { header, rows } = table;
  const isUnnamed = /^(|unnamed: \d+|index)$/i.test(header[0]!); // its first row may have been dropped
  const isCounted = rows.every((row, place) =>
    isUnnamed ? /^\d{1,9}$/.test(row[0]!) : row[0] === String(place),
  );
  if (!isCounted || header.length < 3 || !isTimeColumn(table, 1)) return table;
  return { ...table, header: header.slice(1), rows: rows.map((row) => row.slice(1)) };
}

/** A last line that begins with a word, such as `Total`, is no day. */
function withoutTotals(table: Table, warnings: CheckWarning[]): Table {
  const last = table.rows.at(-1);
  if (last === undefined || table.rows.length < 3) return table;
  const word = last[0]!.trim();
  if (!/^\p{L}/u.test(word) || timeOf(word) !== undefined) return table;
  const message = `the last line, "${shortened(word)}", is no day and was left out`;
  warnings.push({ code: "totals_line", message });
  return { ...table, rows: table.rows.slice(0, -1), lines: table.lines.slice(0, -1) };
}

/** Columns that stand beside a strategy's and are none; those of a bar only where its close is there. */
const OTHERS =
  /^((adj ?)?clos(e|ing)( price)?|price|(max )?drawdown|dd|underwater|signal|position( size)?|exposure|leverage|turnover|cash|fee|commission|peak|hwm|high ?water( mark)?|(benchmark|buy( and)? hold|hodl)( (returns?|ret|equity|value))?)s?$/;
const CLOSE = /^(adj ?)?clos(e|ing)( price)?$/;
const OF_BARS = /^(open|high|low|volume)$/;
/** Returns that stand beside the equity curve they make. */
const EQUITY = /^(equity|nav|balance|(portfolio|account) ?(value|equity))$/;
const ITS_RETURNS = /^(daily )?(returns?|ret|pnl|change)$/;
const UNITS = new Set(["pct", "percent", "usd", "usdt", "usdc", "eur"]);

/** `Drawdown (%)`, `drawdown_pct` and `DrawdownPct` are all `drawdown`. */
function plainWords(name: string): string {
  const words = name.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase();
  const all = words.split(/[^\p{L}\p{N}]+/u);
  return all.filter((word) => word !== "" && !UNITS.has(word)).join(" ");
}

function withoutOthers(table: Table, { format }: ReadOptions, warnings: CheckWarning[]): Table {
  const words = table.header.map(plainWords);
  const hasBars = words.some((name) => CLOSE.test(name));
  const hasEquity = words.some((name) => EQUITY.test(name));
  const isOther = (name: string) =>
    OTHERS.test(name) || (hasBars && OF_BARS.test(name)) || (hasEquity && ITS_RETURNS.test(name));
  const isLeft = words.map((name, place) => place > 0 && isOther(name));
  if (!isLeft.includes(true)) return table;
  const kept = [...words.keys()].filter((place) => !isLeft[place]);
  const left = table.header.filter((_, place) => isLeft[place]);
  const names = left.map((name) => `"${shortened(name)}"`).join(", ");
  if (kept.length < 2) {
    if (format !== undefined) return table;
    throw question(
      "format",
      `beside the dates there is only ${names}, by name not a strategy's returns or equity: send those or, if these are, ` +
        'say so with the format "returns" or "equity"',
    );
  }
  const message = `by their names, these columns are no variants and were left out: ${names}`;
  warnings.push({ code: "columns_left_out", message });
  const pick = (cells: readonly string[]) => kept.map((place) => cells[place]!);
  return { ...table, header: pick(table.header), rows: table.rows.map(pick) };
}

/** A frame in long form repeats each date for each name in a column of them. */
function refuseLong({ header, rows }: Table): void {
  if (header.length < 3 || new Set(rows.map(([date]) => date)).size === rows.length) return;
  const isName = (cell: string) => /\p{L}/u.test(cell) && numberOf(cell, ".") === undefined;
  const column = header.findIndex(
    (_, place) => place > 0 && rows.every((row) => isName(row[place]!)),
  );
  if (column < 0) return;
  const names = shortened(header[column]!);
  throw new FileRefused(
    `column "${names}" holds names, and dates repeat for each: make a column of each name, ` +
      `with pandas by df.pivot(index="${shortened(header[0]!)}", columns="${names}", values=...)`,
  );
}

function checkNames(names: readonly string[]): void {
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new FileRefused(`two columns are called "${shortened(name)}"`);
    seen.add(name);
  }
}

function kindOf(
  names: readonly string[],
  columns: readonly Float64Array[],
  { format }: ReadOptions,
  warnings: CheckWarning[],
): "returns" | "equity" {
  if (format === "returns" || format === "equity") return format;
  const known = columns.flatMap((column) =>
    Array.from(column.filter((value) => !Number.isNaN(value))),
  );
  const level = median(known);
  const [falls, rises] = [known.some((value) => value < 0), known.some((value) => value > 0)];
  if (falls && !rises) {
    throw question(
      "format",
      "no value is above 0: is this a curve of drawdowns? Send the equity curve or the returns; if these are returns, " +
        'say so with the format "returns"',
    );
  }
  const areReturns = names.every((name) => RETURNS_NAME.test(name)) || (!falls && !rises);
  if (!areReturns && !falls) {
    if (names.every((name) => EQUITY_NAME.test(name))) return "equity";
    if (level > EQUITY_MEDIAN) {
      askIfCumulative(names, columns);
      return "equity";
    }
  }
  if (areReturns || (falls && Math.abs(level) <= EQUITY_MEDIAN)) {
    if (known.some((value) => value <= EQUITY_MEDIAN)) checkSmooth(names, columns, warnings);
    return "returns";
  }
  throw question(
    "format",
    `these may be returns or an equity curve (the median is ${Number(level.toPrecision(4))}): say which with the ` +
      'format "returns" or "equity"',
  );
}

/** Cumulative profits look like an equity curve where they stay above 0. */
function askIfCumulative(names: readonly string[], columns: readonly Float64Array[]): void {
  const leaps = (column: Float64Array) =>
    column.some((value, row) => row > 0 && value > LEAP * column[row - 1]!);
  const place = names.findIndex(
    (name, each) => CUMULATIVE_NAME.test(name) || leaps(columns[each]!),
  );
  if (place < 0) return;
  throw question(
    "format",
    `"${shortened(names[place]!)}" may be cumulative profits rather than an equity curve: add the starting capital to them or, ` +
      'if it is the equity, say so with the format "equity"',
  );
}

/** Whether a name says that what stands below it is in percent; a `pct_change` of pandas is a fraction. */
const PERCENT_NAME = /%|(?<![a-z])percent|[ _]pct$/i;

/** Returns as fractions, where the column's name and not its cells say that they are in percent. */
function fractionsOf(
  { header, rows }: Table,
  columns: readonly Float64Array[],
  warnings: CheckWarning[],
): readonly Float64Array[] {
  const isPercent = columns.map((_, place) => {
    return (
      PERCENT_NAME.test(header[place + 1]!) && !rows.some((row) => row[place + 1]!.includes("%"))
    );
  });
  if (!isPercent.includes(true)) return columns;
  const names = header
    .filter((_, place) => isPercent[place - 1])
    .map((name) => `"${shortened(name)}"`);
  const message = `by their names, these columns were read as percent: ${names.join(", ")}`;
  warnings.push({ code: "percent_columns", message });
  return columns.map((column, place) =>
    isPercent[place] ? column.map((value) => value / 100) : column,
  );
}

/**
 * Mean square of the steps over the variance: 2 for independent values, 0.1 for the returns of positions that overlap
 * over 20 bars. Cumulative returns are far below.
 */
const [SMOOTH_WARNED, SMOOTH_ASKED] = [0.1, 0.02];
const SMOOTH_COLUMN =
  "each value is nearly the one before it, as in cumulative returns and not in the returns of single bars";
const SMOOTH = `${SMOOTH_COLUMN}: if they are cumulative, add 1 and send them as an equity curve`;

function checkSmooth(
  names: readonly string[],
  columns: readonly Float64Array[],
  warnings: CheckWarning[],
): void {
  const all = columns.map(stepRatio);
  const ratios = all.filter((ratio) => !Number.isNaN(ratio));
  const below = (limit: number) => ratios.length > 0 && ratios.every((ratio) => ratio < limit);
  const smooth = all.findIndex((ratio) => ratio < SMOOTH_ASKED);
  if (smooth >= 0 && !below(SMOOTH_ASKED)) {
    throw question(
      "format",
      `of "${shortened(names[smooth]!)}", unlike of others, ${SMOOTH_COLUMN}: remove it if it is cumulative; if not, ` +
        'say so with the format "returns"',
    );
  }
  if (below(SMOOTH_ASKED)) {
    throw question("format", `${SMOOTH}; if not, say so with the format "returns"`);
  }
  if (below(SMOOTH_WARNED)) warnings.push({ code: "smooth_returns", message: SMOOTH });
}

function stepRatio(values: Float64Array): number {
  const center = mean(values);
  let [steps, squares] = [0, 0];
  for (let row = 1; row < values.length; row++) {
    const [before, value] = [values[row - 1]!, values[row]!];
    if (Number.isNaN(before) || Number.isNaN(value)) continue;
    steps += (value - before) ** 2;
    squares += (value - center) ** 2;
  }
  return steps / squares;
}

/** pandas writes the parameters of a variant as a tuple: `(5, 30, 'ETH')` is `5|30|ETH`. */
export function variantName(name: string): string {
  const tuple = /^\((.*)\)$/s.exec(name.trim());
  if (tuple === null) return name.trim();
  const parts = tuple[1]!.match(/'[^']*'|"[^"]*"|[^,]+/g) ?? [];
  return parts
    .map((part) => part.trim().replace(/^(['"])(.*)\1$/, "$2"))
    .filter((part) => part !== "")
    .join("|");
}
