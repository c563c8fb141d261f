import type { CheckWarning, ReadColumn, SaidOptions } from "./panel.ts";

/** A figure; null where there is none. */
type Figure = number | null;

/** What the file was, and what was done to it. */
export interface CheckInput {
  readonly format: string;
  readonly tool: string;
  readonly kind: "returns" | "equity" | "trades" | "statistics";
  readonly sha256: string | null;
  readonly bars: number;
  readonly variants: number;
  readonly dropped_variants: number;
  readonly duplicate_variants: number;
  readonly first: string | null;
  readonly last: string | null;
  readonly bar_seconds: Figure;
  readonly periods_per_year: Figure;
  readonly periods_per_year_reason: string | null;
  readonly filled_bars: number;
  readonly selected: string | null;
  readonly n_trials: { readonly value: number; readonly source: "measured" | "declared" };
  readonly marked_to_market: boolean;
  readonly stated: Readonly<Record<string, number>> | null;
  /** Why a stated figure differs from ours. */
  readonly stated_reason: string | null;
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
  readonly standard_error: Figure;
  readonly psr: Figure;
  readonly dsr: Figure;
  readonly dsr_measured: Figure;
  readonly min_track_record_days: Figure;
  readonly haircut_sharpe: Figure;
}

/** The selected variant by itself. `sharpe` is a year's; `mean` and `std` are a bar's. */
export interface SeriesFigures {
  readonly sharpe: Figure;
  readonly mean: Figure;
  readonly std: Figure;
  readonly skew: Figure;
  readonly kurtosis: Figure;
  readonly autocorrelation: Figure;
  readonly total_return_pct: Figure;
  readonly max_drawdown_pct: Figure;
  readonly under_water_days: Figure;
  readonly worst_month_pct: Figure;
  readonly best_bars_share: Figure;
  readonly active_bars: number;
  readonly losing_bars: number;
  readonly dependence_ratio: Figure;
  readonly published: ClaimFigures;
  readonly adjusted: ClaimFigures;
}

export interface TrialsFigures {
  readonly n: number;
  readonly implied: Figure;
  readonly effective_rank: Figure;
  /** Standard deviation of the trials' Sharpe ratios, a year's. */
  readonly sharpe_std: Figure;
  readonly dsr: {
    readonly n: Figure;
    readonly implied: Figure;
    readonly effective_rank: Figure;
  } | null;
}

export interface CscvFigures {
  readonly blocks: number;
  readonly rows_used: number;
  readonly pbo: Figure;
  readonly probability_of_loss: Figure;
  readonly degradation: {
    readonly slope: Figure;
    readonly intercept: Figure;
    readonly r_squared: Figure;
  };
  readonly first_order_dominance: boolean;
  readonly second_order_dominance: boolean;
  readonly logits: { readonly edges: readonly number[]; readonly counts: readonly number[] };
}

export interface FamilyFigures {
  readonly benchmarks: readonly ("cash" | "coin")[];
  readonly block_length: number;
  readonly resamples: number;
  readonly p_cash: number;
  readonly p_coin: Figure;
  readonly p_value: Figure;
  readonly survivors: readonly string[];
  readonly survivor_count: number;
  readonly white_p_value: number;
  readonly hansen_p_value: number;
}

/** Yearly Sharpe ratios that luck reaches with the best of N runs. */
interface LuckBarFigures {
  readonly median: number;
  readonly p95: number;
}

export interface PeersFigures {
  readonly coin: string;
  readonly same_days: {
    readonly runs: number;
    readonly rank: number;
    readonly hold: {
      readonly sharpe: Figure;
      readonly return_pct: number;
      readonly max_drawdown_pct: number;
    };
    readonly luck_bar: {
      readonly n_1: LuckBarFigures;
      readonly n_13: LuckBarFigures;
      readonly n_286: LuckBarFigures;
    };
  };
  readonly afterwards: {
    readonly runs: number;
    readonly coins: number;
    readonly median: number;
    readonly low: number;
    readonly high: number;
    readonly share_below_zero: number;
  } | null;
  readonly afterwards_note: string;
}

export type VerdictValue = "skill" | "inconclusive" | "luck";

/** Shares of panels, as measured at the nearest size and length (`docs/calibration.md`). */
export interface ErrorRates {
  /** What they were measured at. */
  readonly variants: number;
  readonly bars: number;
  /** Highest share called skill over all shapes without an edge on which the verdict holds its bound. */
  readonly false_skill: number;
  /** Median shares called skill where one variant has a true yearly Sharpe ratio of 1 or 2. */
  readonly power_1: number;
  readonly power_2: number;
  /** Median shares called luck there. */
  readonly false_luck_1: number;
  readonly false_luck_2: number;
}

export interface VerdictFigures {
  readonly value: VerdictValue;
  readonly basis: "family_step_down" | "one_series" | "statistics_only";
  readonly p_value: Figure;
  readonly break_even_trials: Figure;
  readonly withheld_reason: string | null;
  readonly sentence: string;
  /** What no test of a record can see. */
  readonly cautions: readonly string[];
  readonly error_rates: ErrorRates | null;
  readonly error_rates_reason: string | null;
}

/** The whole answer, as it is written in JSON. Every null figure has its reason beside it or in the verdict. */
export interface CheckReport {
  readonly input: CheckInput;
  readonly series: SeriesFigures | null;
  readonly trials: TrialsFigures;
  readonly cscv: CscvFigures | null;
  readonly cscv_reason: string | null;
  readonly family: FamilyFigures | null;
  readonly family_reason: string | null;
  readonly peers: PeersFigures | null;
  readonly peers_reason: string | null;
  readonly verdict: VerdictFigures;
}

/** NaN and the infinities have no place in JSON. */
export function figure(value: number): Figure {
  return Number.isFinite(value) ? value : null;
}
