import { DAYS_PER_YEAR } from "../calendar.ts";
import { sharpeVarianceTerm } from "./probabilistic-sharpe.ts";

export const TIMEFRAMES = ["1h", "4h", "1d", "1w"] as const;
export type Timeframe = (typeof TIMEFRAMES)[number];

export const TRIALS_MAX = 1_000_000_000;
/** With fewer bars a standard error has no degrees of freedom. */
const OBSERVATIONS_MIN = 2;

/** A backtest as its caller describes it, with the defaults filled in. */
export interface BacktestInputs {
  /** Annualised, no risk-free rate. */
  readonly sharpe: number;
  readonly timeframe: Timeframe;
  readonly lengthDays: number;
  /** Variants tried, the reported one included. */
  readonly nTrials: number;
  readonly skew: number;
  /** Not the excess: 3 for a normal. */
  readonly kurtosis: number;
  /** Standard deviation of the trials' annualised Sharpe ratios; null when unknown. */
  readonly trialsSharpeStd: number | null;
}

/** An input that no figure can be computed from; `field` names it. */
export class BacktestInputError extends RangeError {
  override readonly name = "BacktestInputError";
  readonly field: keyof BacktestInputs;

  constructor(field: keyof BacktestInputs, message: string) {
    super(message);
    this.field = field;
  }
}

const BARS_PER_DAY = { "1h": 24, "4h": 6, "1d": 1 } as const;
/** A number of bars this close to a whole number, relatively, counts as whole: 5/24 of a day is five hours. */
const WHOLE_TOLERANCE = 1e-12;

/** Bars in a length of time, not rounded. Weeks divide by 7 because a seventh is not exact in float64. */
export function barsIn(days: number, timeframe: Timeframe): number {
  return timeframe === "1w" ? days / 7 : days * BARS_PER_DAY[timeframe];
}

/** Bars in a year of 365 days. */
export function barsPerYear(timeframe: Timeframe): number {
  return barsIn(DAYS_PER_YEAR, timeframe);
}

/** Whole bars in the backtest, T: rounded down, unless only float64 rounding keeps it from a whole number. */
export function observationsOf({ lengthDays, timeframe }: BacktestInputs): number {
  const bars = barsIn(lengthDays, timeframe);
  const nearest = Math.round(bars);
  return Math.abs(bars - nearest) <= WHOLE_TOLERANCE * nearest ? nearest : Math.floor(bars);
}

/** Throws on the first field, in the order below, that no figure can be computed from. */
export function checkBacktestInputs(inputs: BacktestInputs): void {
  const { sharpe, timeframe, lengthDays, nTrials, skew, kurtosis, trialsSharpeStd } = inputs;
  requireThat(Number.isFinite(sharpe), "sharpe", () => `a finite number, got ${sharpe}`);
  const known = () => `one of "${TIMEFRAMES.join('", "')}", got "${timeframe}"`;
  requireThat(TIMEFRAMES.includes(timeframe), "timeframe", known);
  const isLength = Number.isFinite(lengthDays) && lengthDays > 0;
  requireThat(isLength, "lengthDays", () => `a number above 0, got ${lengthDays}`);
  const isCount = Number.isInteger(nTrials) && nTrials >= 1 && nTrials <= TRIALS_MAX;
  requireThat(isCount, "nTrials", () => `a whole number from 1 to ${TRIALS_MAX}, got ${nTrials}`);
  requireThat(Number.isFinite(skew), "skew", () => `a finite number, got ${skew}`);
  const isKurtosis = Number.isFinite(kurtosis) && kurtosis >= 1;
  requireThat(isKurtosis, "kurtosis", () => `1 or more (3 is normal, not 0), got ${kurtosis}`);
  const isStd =
    trialsSharpeStd === null || (Number.isFinite(trialsSharpeStd) && trialsSharpeStd >= 0);
  requireThat(isStd, "trialsSharpeStd", () => `0 or more, got ${trialsSharpeStd}`);
  checkCombination(inputs);
}

/** Rejects inputs that are each valid but contradict one another. */
function checkCombination(inputs: BacktestInputs): void {
  const { sharpe, timeframe, lengthDays, skew, kurtosis } = inputs;
  const observations = observationsOf(inputs);
  requireThat(
    observations >= OBSERVATIONS_MIN && Number.isFinite(observations),
    "lengthDays",
    () =>
      `at least ${OBSERVATIONS_MIN} bars long, got ${lengthDays}, which is ${observations} of "${timeframe}"`,
  );
  const sharpePerBar = sharpe / Math.sqrt(barsPerYear(timeframe));
  const term = sharpeVarianceTerm(sharpePerBar, skew, kurtosis);
  requireThat(
    term > 0 && Number.isFinite(term),
    "skew",
    () =>
      `one that returns can have, got ${skew}: with this sharpe and kurtosis, the variance of the ` +
      `Sharpe estimate would be ${Number(term.toPrecision(4))} times 1 / T, which must be above 0`,
  );
}

/** `expected` is a function so that the message is only built on failure. */
function requireThat(holds: boolean, field: keyof BacktestInputs, expected: () => string): void {
  if (!holds) throw new BacktestInputError(field, `must be ${expected()}`);
}
