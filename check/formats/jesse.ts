import type { Observations } from "../../quant/check/panel.ts";
import { FileRefused, type ReadExport } from "./export.ts";
import { listMember, numberMember, textMember, type Json } from "./json.ts";

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
