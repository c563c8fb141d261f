import { FileRefused } from "../../files/refused.ts";
import { nameWords } from "../columns/names.ts";
import { cellsOf, type Table } from "../../files/csv.ts";
import { type ReadExport } from "./export.ts";
import { isObject, member, numberMember, type Json } from "../../files/json.ts";
import { curveRows, numbersOf, statedSharpe, type TableFormat } from "./table-format.ts";
import { isTimeColumn } from "../../files/times.ts";

const TOOL = "backtesting.py";

const STATED_REASON = "backtesting.py divides the geometric return of a year by its volatility";

/** Whether a name is the Sharpe ratio's: `Sharpe Ratio`, `sharpe`, `metrics.sharpeRatio`, `Sharpe (ann.)`. */
const isSharpe = (name: string) =>
  /^(metrics |metric |stats )?(ann(uali[sz]ed)? )?sharpe( ratio)?( ann(uali[sz]ed)?)?$/.test(
    nameWords(name).join(" "),
  );
/** Any name of a Sharpe ratio: `sharpe_ratio_rf_0`, `IS_Sharpe`, `夏普比率`. */
const isAnySharpe = (name: string) =>
  nameWords(name).includes("sharpe") || /夏普|シャープ|шарп|샤프/iu.test(name);
/** Rows of one strategy, none of which was picked. */
const OF_ONE =
  /^(cpcv |cv |wf )?(path|fold|split|seed|simulation|sim|bootstrap|draw)( (id|no|nr|number))?$/;
const isOfOne = (name: string) => OF_ONE.test(nameWords(name).join(" "));
const valuesIn = (table: Table, column: number) => new Set(cellsOf(table, column)).size;
/** Other statistics that `optimize` maximises (SQN by default), and those that vectorbt gives a column each. */
const OTHER_STATISTIC =
  / \[[%$]\]$|[ _]ratio$|^(sqn|alpha|beta|# trades|profit[ _]factor|win[ _]rate|expectancy|kelly criterion|((total|annualized)[ _])?return|max_drawdown|annualized_volatility|final_value|total_profit|value_at_risk|downside_risk)$/i;
/** pandas' name for a column without one, which `optimize` writes where it maximises a function. */
const UNNAMED = "0";

/**
 * The parameters of each run and its statistic, as `optimize(return_heatmap=True)` gives them. In vectorbt the same comes
 * from `pf.sharpe_ratio()` or, with more statistics, from `pf.stats(agg_func=None)`. A table that no tool wrote may have
 * the Sharpe ratio in any column.
 */
export const backtestingHeatmap: TableFormat = {
  name: "backtesting-heatmap",
  tool: TOOL,
  matches: (table) => statisticOf(table) >= 0 && table.rows.length > 1 && !isTimeColumn(table, 0),
  read: (table): ReadExport => {
    const column = statisticOf(table);
    const name = table.header[column]!;
    const ofOne = table.header.find(
      (each, index) => isOfOne(each) && valuesIn(table, index) === table.rows.length,
    );
    if (ofOne !== undefined)
      throw new FileRefused(
        `each row of "${ofOne}" is one strategy on other days or other draws, and no variant that was tried: send its daily ` +
          "equity curve with the number of variants that you tried",
      );
    const values = isAnySharpe(name)
      ? numbersOf(withoutInfinities(table), column)
      : new Float64Array(table.rows.length).fill(NaN); // only their number counts
    return {
      format: "backtesting-heatmap",
      tool: toolOf(name, column, table.header.length),
      kind: "statistics",
      statistics: { name: isAnySharpe(name) ? "Sharpe Ratio" : name, values },
      warnings: [],
    };
  },
};

function toolOf(name: string, column: number, width: number): string {
  if (column === 0 || (isAnySharpe(name) && !isSharpe(name))) return "generic";
  return /^[a-z_]+$/.test(name) || column < width - 1 ? "vectorbt" : TOOL;
}

/** Runs without a trade have infinite ratios, which count as none. */
function withoutInfinities(table: Table): Table {
  const finite = (cell: string) => (/^[-+]?inf/i.test(cell.trim()) ? "" : cell);
  return { ...table, rows: table.rows.map((row) => row.map(finite)) };
}

/** Place of the column of Sharpe ratios, or of another statistic if that is the last column, or -1 if there is none. */
function statisticOf(table: Table): number {
  const { header } = table;
  const sharpe = header.findIndex(isSharpe);
  if (sharpe >= 0) return sharpe;
  const last = header.at(-1)!;
  const any = header.findIndex(isAnySharpe);
  const isUnnamed = last === UNNAMED && header.length > 2 && header[0] !== "";
  if (any < 0 && !isUnnamed && !OTHER_STATISTIC.test(last)) return -1;
  // Lists of trades have times that differ, and each row of a grid those of the whole run.
  const hasTimes = header.some(
    (_, index) => isTimeColumn(table, index) && valuesIn(table, index) > 1,
  );
  if (any >= 0) return hasTimes && !header.some(isOfOne) ? -1 : any;
  return hasTimes ? -1 : header.length - 1;
}

/** `stats.to_json()` has the rows of the curve under `_equity_curve`, keyed by Unix milliseconds. */
export function readBacktestingJson(json: Json): ReadExport | undefined {
  const curve = member(json, "_equity_curve");
  if (!isObject(curve)) return undefined;
  const points = Object.entries(curve).map(([time, row]) => {
    return [Number(time) / 1000, numberMember(row, "Equity") ?? NaN] as const;
  });
  if (!points.every(([time]) => Number.isFinite(time)))
    throw new FileRefused('the equity curve in "_equity_curve" is not keyed by times');
  return {
    format: "backtesting-json",
    tool: TOOL,
    kind: "equity",
    rows: curveRows("Equity", points),
    ...statedSharpe(numberMember(json, "Sharpe Ratio"), STATED_REASON),
    warnings: [],
  };
}
