import type { CheckProgress } from "./check-progress.ts";
import type { TradeAtMarket } from "./fill-timing.ts";
import type { PeersData } from "./peers.ts";
import type { CheckWarning, ReadColumn, SaidOptions } from "./panel.ts";

/** Where a panel came from. */
export interface PanelSource {
  /** The name of the format, as the option `format` takes it. */
  readonly format: string;
  readonly tool: string;
  readonly kind: "returns" | "equity" | "trades" | "statistics";
  /** Statistics that the file itself states. They are shown beside ours and never used. */
  readonly stated?: Readonly<Record<string, number>> | undefined;
  /** The same by the name of the variant, where variants differ. */
  readonly statedOf?: ReadonlyMap<string, Readonly<Record<string, number>>> | undefined;
  /** How the tool defines them, where it differs from ours. */
  readonly statedReason?: string | undefined;
  readonly warnings?: readonly CheckWarning[];
  /** Whether the returns are profits on the day of exit rather than daily values of the account. */
  readonly realisedOnly?: boolean;
  readonly markedToMarket?: boolean;
  readonly columns?: readonly ReadColumn[] | undefined;
  /** The name of a column that was left out and moves as a market of the judged one would. */
  readonly mayBeMarket?: string | undefined;
  /** Whether steps that look like deposits or withdrawals were left in. */
  readonly hasSuspectedFlows?: boolean;
  readonly options?: SaidOptions | undefined;
}

export interface CheckOptions {
  readonly source: PanelSource;
  /** Variants ever tried, as declared by the sender. */
  readonly nTrials?: number | undefined;
  /** The variant that is claimed; the one with the highest Sharpe ratio by default. */
  readonly selected?: string | undefined;
  /** A rate a year, as a fraction. */
  readonly riskFree?: number | undefined;
  /** The coin that was traded, or the file's own column of its market, with its returns over the panel's bars. */
  readonly coin?:
    | {
        readonly name: string;
        readonly returns: Float64Array;
        /** The returns of each coin of a basket, of which `returns` holds equal parts. */
        readonly basket?: readonly Float64Array[];
        /** The first bar that has a return of the coin; 0 by default. */
        readonly from?: number;
        /** Our prices of a coin, which is the default, or a column of the file. */
        readonly source?: "coin" | "column";
      }
    | undefined;
  /** What shows whether prices were known too early, which is tested only where this is given. */
  readonly timing?:
    | {
        /** Of all variants, where the coin has prices; undefined where the file isn't a list of trades. */
        readonly trades?: readonly TradeAtMarket[] | undefined;
        /** That each fill came after its signal, although within the bar. */
        readonly said?: "intraday" | undefined;
      }
    | undefined;
  /** Why a coin that was named has no returns. */
  readonly coinMissing?: string | undefined;
  /** Coins that were named or traded and have no prices here, so that their rise stays in the returns. */
  readonly notTakenOut?: readonly string[] | undefined;
  /** First days that were tried, each with every setting; 1 by default. Counts for one series. */
  readonly starts?: number | undefined;
  /** The coins that were traded, where the file names them. */
  readonly traded?: readonly string[] | undefined;
  /** What is known of that coin, for the peers. */
  readonly peers?: PeersData | undefined;
  /** Resamples of the family test, 2,000 by default. */
  readonly resamples?: number;
  /** Resamples of White's and Hansen's tests, which are for comparison; 5,000 by default. */
  readonly comparisonResamples?: number;
  readonly onProgress?: ((progress: CheckProgress) => void) | undefined;
}
