/**
 * The robustness of the dataset's finding: what a pick was worth beside the other runs of its cell, measured in other
 * ways. All of it is fixed in advance.
 */

/** Raise this when the same prices would give other rows. A snapshot takes over only rows of the same method. */
export const ROBUSTNESS_METHOD = 1;

/** Shares of a run's days, in percent, that come before the split. 70 is the dataset's own. */
export const SPLITS = [50, 60, 70, 80] as const;
export const DATASET_SPLIT = "split_70";

/** Days of a run required before a calendar year, or the first quarter, on which it is tested. */
export const HISTORY_DAYS_MIN = 730;

/** Longest block of days that a permutation keeps together. Each length has its own draws. */
export const BLOCK_DAYS = [5, 60] as const;
export type BlockDays = (typeof BLOCK_DAYS)[number];

/** Times that the coins are drawn again, with replacement, for an interval. */
export const RESAMPLES = 2000;
/** Share of the resampled premiums below an interval, and above it. */
export const INTERVAL_TAIL = 0.025;
/** Share of the permutations below a null band, and above it. */
export const NULL_TAIL = 0.05;

/** Standard deviation of the lasting annual Sharpe ratios that are planted among the variants. */
export const PLANTED_SPREADS = [0.05, 0.1] as const;
export const PLANTED_DRAWS = 200;

export const LARGEST_COINS = 10;
/** The size of a coin is its median daily turnover over its last days. */
export const TURNOVER_DAYS = 365;

/** Streams of the seeded generator; draw d of a kind has the stream `first + d`. */
export const STREAMS = {
  permutation: { 5: 0, 60: 1_000_000 },
  resample: 2_000_000,
  planted: 3_000_000,
};
