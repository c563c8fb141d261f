import { pickOf } from "../robustness/cell-premium.ts";
import { mean, variance } from "../sample-statistics.ts";
import { PanelRefused, type Panel } from "./panel.ts";

/** Sharpe ratio per bar. */
export function sharpeOf(column: Float64Array): number {
  return mean(column) / Math.sqrt(variance(column));
}

/** The named variant, or the first with the highest Sharpe ratio. */
export function selectedPlace(
  panel: Panel,
  columns: readonly Float64Array[],
  selected: string | undefined,
): number {
  if (selected !== undefined) {
    const kept = panel.keptNameOf.get(selected);
    if (kept !== undefined) return panel.names.indexOf(kept);
    throw new PanelRefused(
      `no variant that moves is called "${selected}"; there are ${firstNames(panel.names)}`,
    );
  }
  return pickOf(columns.map(sharpeOf));
}

/** The first five names, quoted. */
export function firstNames(names: readonly string[]): string {
  const quoted = names.slice(0, 5).map((name) => `"${name}"`);
  return [...quoted, ...(names.length > 5 ? ["..."] : [])].join(", ");
}
