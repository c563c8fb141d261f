import type { CheckWarning, Observations } from "../../quant/check/panel.ts";
import { DAY_SECONDS, dayOf } from "../../quant/check/ordered-rows.ts";
import type { Table } from "./csv.ts";
import { FileRefused, type ReadExport, type ReadOptions } from "./export.ts";
import { markupRows } from "./markup.ts";
import { numberOf, shortened } from "./numbers.ts";
import { numbersOf, REALISED_WARNING } from "./table-format.ts";
import { timeColumn, timeOf } from "./times.ts";

const TOOL = "MetaTrader 5";

const STATED_REASON = "MetaTrader's is of the profits of trades";

/** The optimisation's results, SpreadsheetML: one row of statistics a pass. */
export function readMetaTraderOptimisation(text: string): ReadExport | undefined {
  if (!text.includes("urn:schemas-microsoft-com:office:spreadsheet")) return undefined;
  if (/<!DOCTYPE/i.test(text)) throw new FileRefused("XML with a DOCTYPE is not read");
  const [header, ...rows] = markupRows(text, "(?:ss:)?Row", "(?:ss:)?Cell");
  const sharpe = header?.indexOf("Sharpe Ratio") ?? -1;
  if (header === undefined || !header.includes("Pass") || sharpe < 0) {
    if (!text.includes("Tester Optimizator")) return undefined;
    throw new FileRefused(
      'the optimisation has no columns "Pass" and "Sharpe Ratio": export it from MetaTrader 5 set to English',
    );
  }
  const values = Float64Array.from(rows, (row, place) => {
    const value = numberOf(row[sharpe] ?? "", ".");
    if (value !== undefined && !Number.isNaN(value) && row.length === header.length) return value;
    throw new FileRefused(
      `row ${place + 2}: "${shortened(row[sharpe] ?? "")}" is not a Sharpe Ratio`,
    );
  });
  const statistics = { name: "Sharpe Ratio", values };
  return { format: "mt5-optimisation", tool: TOOL, kind: "statistics", statistics, warnings: [] };
}

/** Columns of the table of deals, which every language translates: their places are what counts. */
const DEAL_COLUMNS = 13;
const [DIRECTION, BALANCE] = [4, 11];
const PERIOD = /(\d{4}\.\d{2}\.\d{2})\s*-\s*(\d{4}\.\d{2}\.\d{2})/;

/** The tester's report: the balance after each deal, over the days of the period line. */
export function readMetaTraderReport(text: string, options: ReadOptions): ReadExport | undefined {
  const rows = markupRows(text, "tr", "td|th");
  const deals = rows.filter((row) => row.length === DEAL_COLUMNS && timeOf(row[0]!) !== undefined);
  const period = rows
    .flat()
    .map((cell) => PERIOD.exec(cell))
    .find((match) => match !== null);
  if (deals.length === 0 || period === undefined || period === null) return undefined;
  if (deals[0]![DIRECTION] !== "") {
    throw new FileRefused("the first deal of the report is not the deposit");
  }
  const [first, last] = [timeOf(period[1]!), timeOf(period[2]!)];
  if (first === undefined || last === undefined)
    throw new FileRefused(`"${period[0]}" is no period`);
  const table: Table = {
    header: ["Time", "Balance"],
    rows: deals.map((row) => [row[0]!, row[BALANCE]!]),
    lines: deals.map((_, place) => place + 1),
    delimiter: "\t",
  };
  const warnings: CheckWarning[] = [REALISED_WARNING];
  const points = { instants: timeColumn(table, 0, options), balance: numbersOf(table, 1) };
  const rowsOfPeriod = overPeriod(points, { first: first.seconds, last: last.seconds });
  const stated = statedSharpe(rows);
  return {
    format: "mt5-report",
    tool: TOOL,
    kind: "trades",
    realisedOnly: true,
    rows: rowsOfPeriod,
    ...(stated === undefined ? {} : { stated: { sharpe: stated }, statedReason: STATED_REASON }),
    warnings,
  };
}

function statedSharpe(rows: readonly (readonly string[])[]): number | undefined {
  for (const row of rows) {
    const place = row.indexOf("Sharpe Ratio:");
    const value = place < 0 ? undefined : numberOf(row[place + 1] ?? "", ".");
    if (value !== undefined && Number.isFinite(value)) return value;
  }
  return undefined;
}

/** The balance from the first to the last day of the test: it holds until the next deal. */
function overPeriod(
  { instants, balance }: { instants: Float64Array; balance: Float64Array },
  { first, last }: { first: number; last: number },
): Observations {
  const within = [...instants.keys()].filter((row) => instants[row]! < last + DAY_SECONDS);
  const times = within.map((row) => Math.max(first, instants[row]!));
  const values = within.map((row) => balance[row]!);
  if (times.length === 0) throw new FileRefused("no deal lies within the period of the report");
  // The first day would begin with its last balance: the deposit counts as the day before if deals of that day follow.
  const next = times.find((time) => time > times[0]!);
  if (next !== undefined && dayOf(next) === dayOf(times[0]!)) times[0]! -= DAY_SECONDS;
  if (times.at(-1)! < last) {
    times.push(last);
    values.push(values.at(-1)!);
  }
  return {
    kind: "equity",
    events: true,
    instants: Float64Array.from(times),
    lines: Int32Array.from(times, (_, row) => row + 1),
    names: ["Balance"],
    columns: [Float64Array.from(values)],
  };
}
