import { maxDrawdown, totalReturn } from "../engine/statistics.ts";
import type { CheckOptions } from "./check-options.ts";
import { coveredBy } from "./coin-residuals.ts";
import { DAY_SECONDS } from "./ordered-rows.ts";
import type { Panel } from "./panel.ts";
import type { HoldingFigures } from "./report.ts";
import { sharpeOf } from "./selected-variant.ts";

/** The variant that is judged beside holding the market over the bars that both have; null where none is known. */
export function holdingFigures(
  panel: Panel,
  { coin }: CheckOptions,
  place: number,
): HoldingFigures | null {
  if (coin === undefined) return null;
  const own = coveredBy(panel.columns[place]!, coin);
  const instants = coveredBy(panel.instants, coin);
  const annual = Math.sqrt(panel.periodsPerYear);
  const figures = (returns: Float64Array) => ({
    totalReturn: totalReturn(returns, 0, returns.length),
    maxDrawdown: maxDrawdown(returns, 0, returns.length),
    sharpe: sharpeOf(returns) * annual,
    activeShare: returns.filter((value) => value !== 0).length / returns.length,
  });
  return {
    name: coin.name,
    firstDay: Math.floor(instants[0]! / DAY_SECONDS), // a market covers some bars
    lastDay: Math.floor(instants.at(-1)! / DAY_SECONDS),
    own: figures(own),
    held: figures(coin.returns),
  };
}
