import type { BlockRecord } from "./block-record.ts";
import type { BySegment, SegmentRecord } from "./segment.ts";

/** One run of the dataset: a template on a coin, with one variant. */
export interface RunRecord {
  /** From 1. */
  readonly variant: number;
  readonly segments: BySegment<SegmentRecord>;
  /** Fees of the whole run as a fraction of its starting cash. Slippage is in the fill prices, not here. */
  readonly fees: number;
  readonly doubled: DoubledRecord;
}

/** The run when every fill costs twice as much. Sharpe ratios are annual, NaN where nothing moved. */
export interface DoubledRecord {
  readonly inSampleSharpe: number;
  readonly outOfSampleSharpe: number;
  readonly outOfSampleReturn: number;
}

/** The 13 runs of a template on a coin, and what choosing among them led to. */
export interface CellRecord {
  readonly template: string;
  readonly family: string;
  /** In variant order. */
  readonly runs: readonly RunRecord[];
  /** Index of the run with the best in-sample Sharpe, the first one on a tie; -1 when all are flat. */
  readonly pick: number;
  /** The same choice at doubled costs. */
  readonly doubledPick: number;
  /** Rank of each run's out-of-sample Sharpe, 1 for the best, ties averaged; NaN for a flat run. */
  readonly outOfSampleRanks: Float64Array;
  /** Index of the run with the best out-of-sample Sharpe, the first one on a tie, or -1. */
  readonly bestOutOfSample: number;
  /** Spearman's correlation of in-sample and out-of-sample Sharpe over the runs that have both. */
  readonly rankCorrelation: number;
  /** Probability of backtest overfitting; NaN with fewer than 5 runs that ever traded. */
  readonly pbo: number;
  readonly trials: TrialsRecord;
}

/** How many independent trials a set of runs amounts to. */
export interface TrialsRecord {
  /** Runs that moved in-sample. */
  readonly trials: number;
  /** Mean correlation of their in-sample daily returns over all pairs. */
  readonly meanCorrelation: number;
  /** rho + (1 - rho) N; 1 for a single run (Bailey and Lopez de Prado 2014, appendix). */
  readonly impliedTrials: number;
  /**
   * exp of the entropy of the correlation matrix's eigenvalues (Roy and Vetterli 2007): of daily returns for a
   * cell, of weekly ones for a coin. NaN for a coin on which no whole week moved.
   */
  readonly effectiveRank: number;
}

/**
 * Buying at the open of the first day and holding, without costs. The Sharpe ratio is annual, the return a
 * fraction, the drawdown a fraction and 0 or negative.
 */
export interface HoldRecord {
  readonly sharpe: number;
  readonly totalReturn: number;
  readonly maxDrawdown: number;
}

/** All that the dataset holds about one coin. Days are integers since 1970-01-01. */
export interface CoinRecord {
  readonly coin: string;
  /** First day after the warm-up, where every run starts. */
  readonly firstDay: number;
  /** First out-of-sample day. */
  readonly splitDay: number;
  readonly lastDay: number;
  readonly hold: BySegment<HoldRecord>;
  /** In catalogue order. */
  readonly cells: readonly CellRecord[];
  /** Over all the coin's runs as one set. */
  readonly pbo: number;
  readonly trials: TrialsRecord;
  readonly blocks: BlockRecord;
}
