import { FileRefused } from "../../files/refused.ts";
import { type ReadExport } from "./export.ts";
import { listMember, numberMember, textMember, type Json } from "../../files/json.ts";
import { curveRows } from "./table-format.ts";

/**
 * The chart "Portfolio" in a list of charts, which is `research.backtest(generate_equity_curve=True)["equity_curve"]`, or
 * in the whole result.
 */
export function readJesseEquity(json: Json): ReadExport | undefined {
  const charts = Array.isArray(json) ? (json as readonly Json[]) : listMember(json, "equity_curve");
  const chart = charts?.find((each) => textMember(each, "name") === "Portfolio");
  const points = listMember(chart, "data");
  if (points === undefined) return undefined;
  const numberAt = (index: number, name: string) => {
    const value = numberMember(points[index], name);
    if (value !== undefined) return value;
    throw new FileRefused(`point ${index + 1} of the equity curve has no ${name}`);
  };
  const pairs = points.map(
    (_, index) => [numberAt(index, "time"), numberAt(index, "value")] as const,
  );
  const rows = curveRows("Portfolio", pairs);
  return { format: "jesse-equity", tool: "jesse", kind: "equity", rows, warnings: [] };
}
