import type { Observations } from "../../quant/check/panel.ts";
import type { Trade, TradePosition } from "../../quant/check/trade.ts";
import { FileRefused, type ReadExport, type ReadOptions } from "./export.ts";
import { isObject, listMember, member, numberMember, textMember, type Json } from "./json.ts";
import { tradesExport } from "./table-format.ts";

const TOOL = "jesse";

/**
 * `research.backtest(generate_equity_curve=True)`, or its `["equity_curve"]` alone: a list of charts, of which
 * "Portfolio" counts.
 */
export function readJesseEquity(json: Json): ReadExport | undefined {
  const charts = Array.isArray(json) ? (json as readonly Json[]) : listMember(json, "equity_curve");
  if (charts === undefined) return undefined;
  const chart = charts.find((each) => textMember(each, "name") === "Portfolio");
  const points = listMember(chart, "data");
  if (points === undefined) return undefined;
  const rows: Observations = {
    kind: "equity",
    instants: Float64Array.from(points, (point, place) => numberAt(point, "time", place)),
    lines: new Int32Array(points.length),
    names: ["Portfolio"],
    columns: [Float64Array.from(points, (point, place) => numberAt(point, "value", place))],
  };
  return { format: "jesse-equity", tool: TOOL, kind: "equity", rows, warnings: [] };
}

function numberAt(point: Json, name: string, place: number): number {
  const value = numberMember(point, name);
  if (value === undefined)
    throw new FileRefused(`point ${place + 1} of the equity curve has no ${name}`);
  return value;
}

/** `research.backtest(generate_json=True)`: the same trades beside settings. */
export function readJesseResult(json: Json, options: ReadOptions): ReadExport | undefined {
  const list = listMember(json, "trades");
  if (
    list === undefined ||
    !isObject(json) ||
    member(json, "considering_timeframes") === undefined
  ) {
    return undefined;
  }
  const trades = list.map((trade, place): Trade => {
    const [entry, exit] = [numberMember(trade, "opened_at"), numberMember(trade, "closed_at")];
    const profit = numberMember(trade, "PNL");
    if (entry !== undefined && exit !== undefined && profit !== undefined) {
      const position = positionOf(trade);
      return { variant: "trades", entry: entry / 1000, exit: exit / 1000, profit, position };
    }
    throw new FileRefused(`trade ${place + 1} lacks opened_at, closed_at or PNL`);
  });
  return tradesExport({ format: "jesse-result", tool: TOOL }, trades, options);
}

function positionOf(trade: Json): TradePosition | undefined {
  const [size, entryPrice] = [numberMember(trade, "qty"), numberMember(trade, "entry_price")];
  if (size === undefined || entryPrice === undefined) return undefined;
  const long = textMember(trade, "type") === "long";
  return { symbol: textMember(trade, "symbol"), size, entryPrice, long };
}
