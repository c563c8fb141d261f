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
    const known = panel.names.slice(0, 5).map((name) => `"${name}"`);
    const more = panel.names.length > known.length ? ", ..." : "";
    throw new PanelRefused(
      `no variant that moves is called "${selected}"; there are ${known.join(", ")}${more}`,
    );
  }
  let best = 0;
  let highest = -Infinity;
  for (const [place, column] of columns.entries()) {
    const sharpe = sharpeOf(column);
    if (sharpe > highest) {
      best = place;
      highest = sharpe;
    }
  }
  return best;
}
