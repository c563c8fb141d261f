import type { LiveFigures } from "../live/live-report.ts";
import type { CheckWarning, ReadColumn, SaidOptions } from "./panel.ts";

/** A figure; NaN, or infinite, where there is none. */
type Figure = number;

/** What the file was, and what was done to it. */
export interface CheckInput {
  readonly format: string;
  readonly tool: string;
  readonly kind: "returns" | "equity" | "trades" | "statistics";
  readonly sha256: string | null;
  readonly bars: number;
  readonly variants: number;
  readonly droppedVariants: number;
  readonly duplicateVariants: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly barSeconds: Figure;
  readonly periodsPerYear: Figure;
  readonly periodsPerYearReason: string | null;
  readonly filledBars: number;
  readonly selected: string | null;
  readonly nTrials: { readonly value: number; readonly source: "measured" | "declared" };
  readonly markedToMarket: boolean;
  readonly stated: Readonly<Record<string, number>> | null;
  /** Why a stated figure differs from ours. */
  readonly statedReason: string | null;
  readonly warnings: readonly CheckWarning[];
  /** Every column of a table of the sender's own; empty for the layout of a known tool. */
  readonly columns: readonly ReadColumn[];
  /** What the test against holding held it to. */
  readonly benchmark: { readonly name: string; readonly source: "coin" | "column" } | null;
  /** What the sender said beside the file. */
  readonly options: SaidOptions;
}

/** Statistics under one standard error; Sharpe ratios and the standard error are a year's. */
export interface ClaimFigures {
  readonly standardError: Figure;
  readonly psr: Figure;
  readonly dsr: Figure;
  readonly dsrMeasured: Figure;
  readonly minTrackRecordDays: Figure;
  readonly haircutSharpe: Figure;
}

/** The selected variant by itself. `sharpe` is a year's; `mean` and `std` are a bar's. */
export interface SeriesFigures {
  readonly sharpe: Figure;
  readonly mean: Figure;
  readonly std: Figure;
  readonly skew: Figure;
  readonly kurtosis: Figure;
  readonly autocorrelation: Figure;
  readonly totalReturn: Figure;
  readonly maxDrawdown: Figure;
  readonly underWaterDays: Figure;
  readonly worstMonth: Figure;
  readonly bestBarsShare: Figure;
  readonly activeBars: number;
  readonly losingBars: number;
  readonly dependenceRatio: Figure;
  readonly published: ClaimFigures;
  readonly adjusted: ClaimFigures;
}

export interface TrialsFigures {
  readonly n: number;
  readonly implied: Figure;
  readonly effectiveRank: Figure;
  /** Standard deviation of the trials' Sharpe ratios, a year's. */
  readonly sharpeStd: Figure;
  readonly dsr: {
    readonly n: Figure;
    readonly implied: Figure;
    readonly effectiveRank: Figure;
  } | null;
}

export interface CscvFigures {
  readonly blocks: number;
  readonly rowsUsed: number;
  readonly pbo: Figure;
  readonly probabilityOfLoss: Figure;
  readonly degradation: {
    readonly slope: Figure;
    readonly intercept: Figure;
    readonly rSquared: Figure;
  };
  readonly firstOrderDominance: boolean;
  readonly secondOrderDominance: boolean;
  readonly logits: { readonly edges: readonly number[]; readonly counts: readonly number[] };
}

export interface FamilyFigures {
  readonly benchmarks: readonly ("cash" | "coin")[];
  readonly blockLength: number;
  readonly blockLengthSetBy: "selected" | "median";
  readonly resamples: number;
  readonly pCash: number;
  readonly pCoin: Figure;
  readonly pValue: Figure;
  readonly survivors: readonly string[];
  readonly survivorCount: number;
  /** Variants without a p-value, which count in the luck of the others. */
  readonly untested: readonly string[];
  readonly untestedReason: string | null;
  readonly whitePValue: number;
  readonly hansenPValue: number;
}

/** Yearly Sharpe ratios that luck reaches with the best of N runs. */
interface LuckBarFigures {
  readonly median: number;
  readonly p95: number;
}

export interface PeersFigures {
  readonly coin: string;
  readonly sameDays: {
    readonly runs: number;
    readonly rank: number;
    readonly hold: {
      readonly sharpe: Figure;
      readonly totalReturn: number;
      readonly maxDrawdown: number;
    };
    readonly luckBar: {
      readonly n1: LuckBarFigures;
      readonly n13: LuckBarFigures;
      readonly n286: LuckBarFigures;
    };
  };
  readonly afterwards: {
    readonly runs: number;
    readonly coins: number;
    readonly median: number;
    readonly low: number;
    readonly high: number;
    readonly shareBelowZero: number;
  } | null;
  readonly afterwardsNote: string;
}

export type VerdictValue = "skill" | "inconclusive" | "luck";

/** Shares of panels, as measured at the nearest size and length (`docs/calibration.md`). */
export interface ErrorRates {
  /** What they were measured at. */
  readonly variants: number;
  readonly bars: number;
  /** Highest share called skill over all shapes without an edge on which the verdict holds its bound. */
  readonly falseSkill: number;
  /** Median shares called skill where one variant has a true yearly Sharpe ratio of 1 or 2. */
  readonly power1: number;
  readonly power2: number;
  /** Median shares called luck there. */
  readonly falseLuck1: number;
  readonly falseLuck2: number;
}

export interface VerdictFigures {
  readonly value: VerdictValue;
  readonly basis: "family_step_down" | "one_series" | "statistics_only";
  readonly pValue: Figure;
  readonly breakEvenTrials: Figure;
  readonly withheldReason: string | null;
  readonly sentence: string;
  /** What no test of a record can see. */
  readonly cautions: readonly string[];
  readonly errorRates: ErrorRates | null;
  readonly errorRatesReason: string | null;
}

/** The whole answer. A figure without a value has its reason beside it or in the verdict. */
export interface CheckReport {
  readonly input: CheckInput;
  readonly series: SeriesFigures | null;
  readonly trials: TrialsFigures;
  readonly cscv: CscvFigures | null;
  readonly cscvReason: string | null;
  readonly family: FamilyFigures | null;
  readonly familyReason: string | null;
  readonly peers: PeersFigures | null;
  readonly peersReason: string | null;
  readonly verdict: VerdictFigures;
  /** Whether a live record is still what this promised; null where none was sent. */
  readonly live: LiveFigures | null;
}
