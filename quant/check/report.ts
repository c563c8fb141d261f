import type { fallsOf } from "../live/falls.ts";
import type { LiveFigures } from "../live/live-report.ts";
import type { Reconciliation } from "../live/reconciliation.ts";
import type { CheckWarning } from "./panel.ts";
import type { cscvFigures } from "./cscv-figures.ts";
import type { errorRatesAt } from "./error-rates.ts";
import type { familyFigures } from "./family-figures.ts";
import type { holdingFigures } from "./holding-figures.ts";
import type { inputFigures } from "./input-figures.ts";
import type { phaseFigures, startFigures } from "./other-days.ts";
import type { peersFigures } from "./peers.ts";
import type { seriesFigures } from "./series-figures.ts";
import type { TimingFigures } from "./timing.ts";
import type { TrialsFigures } from "./trials-figures.ts";
import type { Verdict } from "./verdict.ts";

export type { TimingFigures, TrialsFigures };
export type CheckInput = ReturnType<typeof inputFigures>;
export type StartFigures = ReturnType<typeof startFigures>[number];
export type PhaseFigures = ReturnType<typeof phaseFigures>;
export interface SeriesFigures extends ReturnType<typeof seriesFigures> {
  /** Of the record from later first days on. */
  readonly starts: readonly StartFigures[];
  /** Of one series, if it has good and bad phases. */
  readonly phases: PhaseFigures | null;
}
export type FallFigures = NonNullable<ReturnType<typeof fallsOf>>;
export type ClaimFigures = SeriesFigures["published"];
export type CscvFigures = NonNullable<ReturnType<typeof cscvFigures>["cscv"]>;
export type FamilyFigures = ReturnType<typeof familyFigures>;
export type PeersFigures = NonNullable<ReturnType<typeof peersFigures>["peers"]>;
export type HoldingFigures = NonNullable<ReturnType<typeof holdingFigures>>;
export type ErrorRates = NonNullable<ReturnType<typeof errorRatesAt>["errorRates"]>;

export interface VerdictFigures extends Verdict {
  readonly basis: "family_step_down" | "one_series" | "statistics_only";
  /** What the verdict is called where people read it. */
  readonly event: string;
  /** At most two sentences. */
  readonly sentence: string;
  /** Further sentences about the verdict. */
  readonly notes: readonly string[];
  /** What no test of a record can see. */
  readonly cautions: readonly string[];
  readonly errorRates: ErrorRates | null;
  readonly errorRatesReason: string | null;
}

/**
 * The whole answer. A figure without a value is NaN (or infinite), and its reason stands beside it or in the verdict.
 */
export interface CheckReport {
  readonly input: CheckInput;
  readonly series: SeriesFigures | null;
  readonly trials: TrialsFigures;
  /** How deep strategies as good as this one may fall; null where its blocks are too long to be redrawn. */
  readonly falls: FallFigures | null;
  readonly cscv: CscvFigures | null;
  readonly cscvReason: string | null;
  readonly family: FamilyFigures | null;
  readonly familyReason: string | null;
  readonly peers: PeersFigures | null;
  readonly peersReason: string | null;
  readonly holding: HoldingFigures | null;
  /** Annual Sharpe ratios of the best of the trials in a hundred worlds without skill; null without a p-value. */
  readonly luckQuantiles: Float64Array | null;
  readonly verdict: VerdictFigures;
  /** Whether prices were known before they were traded at; null for a table of statistics. */
  readonly timing: TimingFigures | null;
  /** Whether a live record is still what the backtest promised; null where none was sent. */
  readonly live: LiveFigures | null;
  /** Why the live file differs from the backtest; null where none was sent, or with a reason. */
  readonly reconciliation: Reconciliation | null;
  readonly reconciliationReason: CheckWarning | null;
}

/** Of a report without a live record. */
export const NOT_LIVE = { live: null, reconciliation: null, reconciliationReason: null } as const;
