import type { CheckWarning } from "../check/panel.ts";
import type { ClaimMethod } from "./claim.ts";
import type { HowLong } from "./how-long.ts";
import type { Picture } from "./picture.ts";

/** A figure; NaN where there is none. */
type Figure = number;

/** Evidence as an e-value: 20 is reached. `reachedOn` is a date. */
export interface EvidenceFigures {
  readonly evidence: Figure;
  readonly evidenceHighest: Figure;
  readonly reachedOn: string | null;
  /** Why there is no evidence today. */
  readonly evidenceReason: string | null;
}

export interface ContradictionFigures extends EvidenceFigures {
  /** The most variants that may have been tried and it is still reached; 0 for none. */
  readonly upToTrials: number;
}

export interface LiveClaim {
  readonly sharpe: Figure;
  readonly afterLuck: Figure;
  readonly error: Figure;
  readonly lower: Figure;
  readonly method: ClaimMethod;
  readonly nTrials: {
    readonly value: number;
    readonly source: "measured" | "declared" | "assumed";
  };
  /** Of the backtest before the first live day. */
  readonly bars: number;
}

export interface DecayFigures {
  readonly onceInDays: Figure;
  readonly since: string | null;
  readonly reachedOn: string | null;
  readonly onceInDaysReason: string | null;
}

/** Days that both records have. */
export interface OverlapFigures {
  readonly days: number;
  readonly correlation: Figure;
  /** Live less backtest, a year, as a fraction. */
  readonly difference: Figure;
  readonly differenceT: Figure;
}

/** Shares of records, as measured at the nearest size and length (`docs/live-calibration.md`). */
export interface LiveErrorRates {
  readonly variants: number;
  readonly bars: number;
  readonly falseStop3y: number;
  readonly falseStop10y: number;
  readonly falseHolds10y: number;
}

export const LIVE_VALUES = [
  "withheld",
  "too_early",
  "stop_loses",
  "stop_contradicted",
  "decayed",
  "holds",
  "no_claim",
  "open",
] as const;
export type LiveValue = (typeof LIVE_VALUES)[number];

export interface LiveVerdict {
  readonly value: LiveValue;
  readonly sentence: string;
  readonly cautions: readonly CheckWarning[];
  readonly withheldReason: string | null;
  readonly errorRates: LiveErrorRates;
}

/** Whether a live record is still what the backtest promised. Sharpe ratios and volatilities are a year's. */
export interface LiveFigures {
  readonly first: string;
  readonly last: string;
  /** The first day that counts as live and no longer as backtest. */
  readonly cut: string;
  readonly days: number;
  readonly activeDays: number;
  readonly losingDays: number;
  readonly gapDays: number;
  readonly droppedLiveDays: number;
  readonly droppedBacktestDays: number;
  /** Live days in a year. */
  readonly periodsPerYear: number;
  readonly sharpe: Figure;
  readonly volatilityRatio: Figure;
  /** Days that count as one independent day. */
  readonly dependence: Figure;
  readonly claim: LiveClaim;
  readonly stop: {
    readonly contradiction: ContradictionFigures;
    readonly loses: EvidenceFigures;
  };
  readonly holds: EvidenceFigures;
  readonly decay: DecayFigures;
  readonly howLong: HowLong & { readonly stopReason: string | null };
  readonly overlap: OverlapFigures | null;
  readonly picture: Picture;
  readonly verdict: LiveVerdict;
}
