import type { CheckProgress } from "./check-progress.ts";
import type { PeersData } from "./peers.ts";
import type { CheckWarning, ReadColumn, SaidOptions } from "./panel.ts";
import type { CheckInput } from "./report.ts";

/** Where a panel came from. */
export interface PanelSource {
  readonly format: string;
  readonly tool: string;
  readonly kind: CheckInput["kind"];
  /** Statistics that the file states itself. They are shown beside ours and never used. */
  readonly stated?: Readonly<Record<string, number>> | undefined;
  /** The same for each variant by its name, where they differ. */
  readonly statedOf?: ReadonlyMap<string, Readonly<Record<string, number>>> | undefined;
  readonly statedReason?: string | undefined;
  readonly warnings?: readonly CheckWarning[];
  /** Whether the returns are profits on the day of exit rather than daily values of the account. */
  readonly realisedOnly?: boolean;
  readonly markedToMarket?: boolean;
  readonly columns?: readonly ReadColumn[] | undefined;
  /** Whether steps that look like deposits or withdrawals were left in. */
  readonly hasSuspectedFlows?: boolean;
  readonly options?: SaidOptions | undefined;
}

export interface CheckOptions {
  readonly source: PanelSource;
  /** Variants ever tried, as the sender says. */
  readonly nTrials?: number | undefined;
  /** The variant that is claimed; the one with the highest Sharpe ratio by default. */
  readonly selected?: string | undefined;
  /** A rate a year, as a fraction. */
  readonly riskFree?: number | undefined;
  /** The coin that was traded, or the market that the file has beside the strategy, with its returns over the panel's bars. */
  readonly coin?:
    | {
        readonly name: string;
        readonly returns: Float64Array;
        /** First of the bars that it has returns of; 0 by default. */
        readonly from?: number;
        /** Where they come from; from our prices by default. */
        readonly source?: "coin" | "column";
      }
    | undefined;
  /** Why there are no returns of a coin that was named. */
  readonly coinMissing?: string | undefined;
  /** What the file says was traded, if it does. */
  readonly traded?: readonly string[] | undefined;
  /** What is known of that coin, for the peers. */
  readonly peers?: PeersData | undefined;
  /** Resamples of the family test, 2,000 by default. */
  readonly resamples?: number;
  /** Those of White's and Hansen's tests, which are for comparison; 5,000 by default. */
  readonly comparisonResamples?: number;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}
