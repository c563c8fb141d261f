import type { Observations } from "../../quant/check/panel.ts";
import type { Table } from "./csv.ts";
import { FileRefused, type ReadExport } from "./export.ts";
import { readGeneric } from "./generic.ts";
import { isObject, member, numberMember, type Json } from "./json.ts";
import { columnOf, numbersOf, tradesExport, tradesOf, type TableFormat } from "./table-format.ts";
import { isTimeColumn } from "./times.ts";

const TOOL = "backtesting.py";

/** `stats["_equity_curve"]`. */
export const backtestingEquity: TableFormat = {
  name: "backtesting-equity",
  tool: TOOL,
  columns: ["equity", "drawdownpct", "drawdownduration"],
  read: (table, options) => {
    const equity = columnOf(table, "equity");
    const pair = {
      ...table,
      header: ["date", "Equity"],
      rows: table.rows.map((row) => [row[0]!, row[equity]!]),
    };
    return readGeneric(pair, options, { format: "backtesting-equity", tool: TOOL, kind: "equity" });
  },
};

/** `stats["_trades"]`. */
export const backtestingTrades: TableFormat = {
  name: "backtesting-trades",
  isOfTrades: true,
  tool: TOOL,
  columns: ["entrybar", "exitbar", "entrytime", "exittime", "pnl"],
  read: (table, options) => {
    const columns = {
      entry: columnOf(table, "entrytime"),
      exit: columnOf(table, "exittime"),
      profit: numbersOf(table, columnOf(table, "pnl")),
      position: {
        size: columnOf(table, "size"),
        entryPrice: columnOf(table, "entryprice"),
        isLong: (_: readonly string[], size: number) => size > 0,
      },
    };
    const trades = tradesOf(table, columns, options);
    return tradesExport({ format: "backtesting-trades", tool: TOOL }, trades, options);
  },
};

const STATED_REASON = "backtesting.py divides the geometric return of a year by its volatility";

const SHARPE = /^sharpe([ _]ratio)?$/i;
/** Other statistics that `optimize` maximises (SQN unless told otherwise), and those that vectorbt gives a column. */
const OTHER_STATISTIC =
  / \[[%$]\]$|[ _]ratio$|^(sqn|alpha|beta|# trades|profit[ _]factor|win[ _]rate|expectancy|kelly criterion|((total|annualized)[ _])?return|max_drawdown|annualized_volatility|final_value|total_profit|value_at_risk|downside_risk)$/i;
/** pandas' name for a column without one: `optimize` was given a function to maximise. */
const UNNAMED = "0";

/**
 * `optimize(return_heatmap=True)`: the parameters of each combination and one statistic; in vectorbt the same comes from
 * `pf.sharpe_ratio()` and, with more statistics, `pf.stats(agg_func=None)`.
 */
export const backtestingHeatmap: TableFormat = {
  name: "backtesting-heatmap",
  tool: TOOL,
  matches: (table) => statisticOf(table) > 0 && !isTimeColumn(table, 0),
  read: (table): ReadExport => {
    const column = statisticOf(table);
    const name = table.header[column]!;
    const values = SHARPE.test(name)
      ? numbersOf(table, column)
      : new Float64Array(table.rows.length).fill(NaN); // only their number counts
    return {
      format: "backtesting-heatmap",
      tool: /^[a-z_]+$/.test(name) || column < table.header.length - 1 ? "vectorbt" : TOOL,
      kind: "statistics",
      statistics: { name: SHARPE.test(name) ? "Sharpe Ratio" : name, values },
      warnings: [],
    };
  },
};

/** Place of the column of Sharpe ratios, or of another statistic in the last column; -1 if there is none. */
function statisticOf(table: Table): number {
  const { header } = table;
  const sharpe = header.findIndex((name) => SHARPE.test(name));
  if (sharpe > 0) return sharpe;
  const last = header.at(-1)!;
  const isUnnamed = last === UNNAMED && header.length > 2 && header[0] !== "";
  if (!isUnnamed && !OTHER_STATISTIC.test(last)) return -1;
  const hasTimes = header.some((_, column) => isTimeColumn(table, column)); // as lists of trades have
  return hasTimes ? -1 : header.length - 1;
}

/** `stats.to_json()`: the rows of the curve are under `_equity_curve`, keyed by Unix milliseconds. */
export function readBacktestingJson(json: Json): ReadExport | undefined {
  const curve = member(json, "_equity_curve");
  if (!isObject(curve)) return undefined;
  const times = Object.keys(curve);
  const rows: Observations = {
    kind: "equity",
    instants: Float64Array.from(times, (time) => Number(time) / 1000),
    lines: new Int32Array(times.length),
    names: ["Equity"],
    columns: [Float64Array.from(times, (time) => numberMember(curve[time], "Equity") ?? NaN)],
  };
  if (!rows.instants.every(Number.isFinite)) {
    throw new FileRefused('the equity curve in "_equity_curve" is not keyed by times');
  }
  const sharpe = numberMember(json, "Sharpe Ratio");
  return {
    format: "backtesting-json",
    tool: TOOL,
    kind: "equity",
    rows,
    ...(sharpe === undefined ? {} : { stated: { sharpe }, statedReason: STATED_REASON }),
    warnings: [],
  };
}
