import { DAYS_PER_YEAR } from "../../quant/calendar.ts";
import { checkPanel } from "../../quant/check/check-panel.ts";
import { DAY_SECONDS } from "../../quant/check/ordered-rows.ts";
import type { Panel } from "../../quant/check/panel.ts";
import type { VerdictFigures } from "../../quant/check/report.ts";
import type { Backtest } from "../../quant/engine/backtest.ts";

/** With fewer days no figure is meaningful. Checked files have the same limit. */
const DAYS_MIN = 10;

interface RunCheck {
  readonly verdict: VerdictFigures | null;
  readonly verdictReason: string | null;
}

/**
 * The verdict of a check of a run's daily returns as the best of `nTrials`, compared with cash and with holding the
 * coin.
 */
export function checkOfRun(
  { days, returns, statistics }: Backtest,
  coin: { readonly name: string; readonly returns: Float64Array },
  nTrials: number,
): RunCheck {
  if (days.length < DAYS_MIN) {
    return { verdict: null, verdictReason: `a check needs at least ${DAYS_MIN} days` };
  }
  if (Number.isNaN(statistics.sharpe)) {
    return { verdict: null, verdictReason: "the run never moves" };
  }
  const name = "run";
  const panel: Panel = {
    instants: Float64Array.from(days, (day) => day * DAY_SECONDS),
    names: [name],
    columns: [returns],
    keptNameOf: new Map([[name, name]]),
    barSeconds: DAY_SECONDS,
    periodsPerYear: DAYS_PER_YEAR,
    periodsReason: "daily bars, weekends included",
    filledBars: 0,
    droppedVariants: 0,
    duplicateVariants: 0,
    warnings: [],
  };
  const source = { format: "returns", tool: "hindsight", kind: "returns" } as const;
  const { verdict } = checkPanel(panel, { source, nTrials, coin });
  return { verdict, verdictReason: null };
}
