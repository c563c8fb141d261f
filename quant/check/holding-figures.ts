import { maxDrawdown, totalReturn } from "../engine/statistics.ts";
import type { CheckOptions } from "./check-options.ts";
import { coveredBy } from "./coin-residuals.ts";
import { dayOf } from "./ordered-rows.ts";
import type { Panel } from "./panel.ts";
import { sharpeOf } from "./selected-variant.ts";

/** The judged variant beside holding the market, over the bars that both have; null where no market is known. */
export function holdingFigures(panel: Panel, { coin }: CheckOptions, index: number) {
  if (coin === undefined) return null;
  const own = coveredBy(panel.columns[index]!, coin);
  const instants = coveredBy(panel.instants, coin);
  const annual = Math.sqrt(panel.periodsPerYear);
  const figures = (returns: Float64Array) => ({
    totalReturn: totalReturn(returns, 0, returns.length),
    maxDrawdown: maxDrawdown(returns, 0, returns.length),
    sharpe: sharpeOf(returns) * annual,
    /** Share of the bars with a return other than 0. */
    activeShare: returns.filter((value) => value !== 0).length / returns.length,
  });
  return {
    name: coin.name,
    firstDay: dayOf(instants[0]!), // a market covers some bars
    lastDay: dayOf(instants.at(-1)!),
    own: figures(own),
    held: figures(coin.returns),
  };
}
