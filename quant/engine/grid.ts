import type { Bars } from "../bars.ts";
import type { Template } from "../strategies/template.ts";
import { DEFAULT_COSTS, type Costs } from "./costs.ts";
import { dayReturns } from "./day-returns.ts";
import { gridFills, takeFills, type GridFills } from "./grid-fills.ts";
import { assertWindow, createRunBuffer, earnReturns } from "./simulate.ts";
import type { RunBuffer, Window } from "./simulate.ts";

export interface GridJob {
  /** The whole history: rows before the window are warm-up. */
  readonly bars: Bars;
  readonly window: Window;
  readonly costs?: Costs;
  /** Result of `gridFills` for the same bars, window and templates. With it, no rule is computed again. */
  readonly fills?: GridFills | undefined;
  /** When given, every run is made a second time at these costs. */
  readonly otherCosts?: Costs;
  readonly templates: readonly Template[];
  /**
   * Receives the daily returns of every run, one run after the other in the order of the visits, each as
   * long as the window. May be longer than needed. Without it, each run overwrites the one before.
   */
  readonly panel?: Float64Array;
}

/**
 * Receives a run. The next run overwrites the buffers, so copy what must last. `variant` counts from 1;
 * `other` is the run at the other costs, or the same run when there are none.
 */
type VisitRun = (run: RunBuffer, template: Template, variant: number, other: RunBuffer) => void;

/**
 * Runs every variant of each template on one coin, both in their order. Indicators are computed once for all runs, and
 * memory is allocated once for the coin: a run allocates no column of its own.
 */
export function runGrid(job: GridJob, visit: VisitRun): void {
  const { bars, window, costs = DEFAULT_COSTS, templates, panel } = job;
  assertWindow(window, bars.day.length);
  const days = window.to - window.from;
  const runs = templates.reduce((count, template) => count + template.variants.length, 0);
  if (panel !== undefined && panel.length < runs * days) {
    throw new RangeError(
      `${runs} runs of ${days} days do not fit a panel of ${panel.length} numbers`,
    );
  }
  const { fills = gridFills(bars, window, templates) } = job;
  const returns = dayReturns(bars, costs);
  const shared = createRunBuffer(days);
  const other = job.otherCosts && {
    run: createRunBuffer(days),
    returns: dayReturns(bars, job.otherCosts),
  };
  let index = 0;
  for (const template of templates) {
    for (const [variant] of template.variants.entries()) {
      const begin = index * days;
      const run =
        panel === undefined
          ? shared
          : createRunBuffer(days, panel.subarray(begin, begin + days), shared.fills);
      takeFills(fills, index, run);
      earnReturns(returns, window, run);
      if (other !== undefined) {
        takeFills(fills, index, other.run);
        earnReturns(other.returns, window, other.run);
      }
      visit(run, template, variant + 1, other?.run ?? run);
      index++;
    }
  }
}
