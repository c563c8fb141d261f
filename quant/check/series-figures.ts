import { DAYS_PER_YEAR } from "../calendar.ts";
import { drawdownDays, maxDrawdown, totalReturn } from "../engine/statistics.ts";
import { monthOfDay } from "../month.ts";
import { adjustedClaims, publishedClaims } from "./claims.ts";
import { DAY_SECONDS, dayOf } from "./ordered-rows.ts";
import type { SharpeInference } from "./sharpe-inference.ts";

const BEST_SHARE = 0.01;

/**
 * The figures of the variant that is judged, by itself: its shape, its losses, and what can be claimed of its Sharpe
 * ratio. Sharpe ratios and their errors are annual, `mean` and `std` are per bar.
 */
export function seriesFigures(input: {
  readonly instants: Float64Array;
  readonly returns: Float64Array;
  readonly periodsPerYear: number;
  readonly inference: SharpeInference;
  readonly trials: { readonly count: number; readonly variance: number };
}) {
  const { instants, returns, periodsPerYear, inference, trials } = input;
  const annual = Math.sqrt(periodsPerYear);
  const ratio = inference.standardError / inference.standardErrorIid;
  const annualised = (claims: ReturnType<typeof publishedClaims>) => ({
    standardError: claims.standardError * annual,
    freedom: claims.freedom,
    psr: claims.psr,
    dsr: claims.dsr,
    dsrMeasured: claims.dsrMeasured,
    minTrackRecordDays: (claims.minTrackRecord * DAYS_PER_YEAR) / periodsPerYear,
    haircutSharpe: claims.haircutSharpe * annual,
  });
  return {
    sharpe: inference.sharpe * annual,
    mean: inference.mean,
    std: inference.deviation,
    skew: inference.skew,
    kurtosis: inference.kurtosis,
    autocorrelation: inference.autocorrelation,
    totalReturn: totalReturn(returns, 0, returns.length),
    maxDrawdown: maxDrawdown(returns, 0, returns.length),
    underWaterDays: underWaterDays(returns, instants),
    worstMonth: worstMonth(returns, instants),
    bestBarsShare: bestBarsShare(returns),
    activeBars: inference.activeBars,
    losingBars: inference.losingBars,
    dependenceRatio: ratio * ratio,
    published: annualised(publishedClaims(inference, trials)),
    adjusted: annualised(adjustedClaims(inference, trials)),
  };
}

/** Longest time from a high of the equity to the next one, in days of the calendar. */
function underWaterDays(returns: Float64Array, instants: Float64Array): number {
  const bars = drawdownDays(returns, 0, returns.length).longest;
  const span = instants.at(-1)! - instants[0]!;
  return returns.length < 2 ? NaN : Math.round((bars * span) / DAY_SECONDS / (returns.length - 1));
}

/** The lowest compounded return of a calendar month. */
export function worstMonth(returns: Float64Array, instants: Float64Array): number {
  let worst = Infinity;
  let growth = 1;
  for (let row = 0; row < returns.length; row++) {
    growth *= 1 + returns[row]!;
    const next = instants[row + 1];
    if (next !== undefined && monthOfDay(dayOf(next)) === monthOfDay(dayOf(instants[row]!)))
      continue;
    worst = Math.min(worst, growth - 1);
    growth = 1;
  }
  return worst;
}

/**
 * Share of the summed returns that the best hundredth of the bars, rounded up to whole bars, brought. Above 1, the
 * others lost together. NaN where the sum isn't positive.
 */
export function bestBarsShare(returns: Float64Array): number {
  const sorted = returns.slice().sort();
  const best = Math.ceil(BEST_SHARE * sorted.length);
  let total = 0;
  let ofBest = 0;
  for (let index = 0; index < sorted.length; index++) {
    total += sorted[index]!;
    if (index >= sorted.length - best) ofBest += sorted[index]!;
  }
  return total > 0 ? ofBest / total : NaN;
}
