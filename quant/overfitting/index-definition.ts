/**
 * The Crypto Overfitting Index, version 2, explained in docs/methods.md. Everything here is fixed before a
 * month is computed. A change starts a new version, and an old version is never recomputed. Version 1,
 * never released, had the same definition over indicators with thresholds in dollars.
 */
export const INDEX_VERSION = 2;

/** Days on which the strategies are ranked, and the days after them on which that ranking is tested. */
export const INDEX_IN_SAMPLE_DAYS = 730;
const INDEX_OUT_OF_SAMPLE_DAYS = 365;
export const INDEX_DAYS = INDEX_IN_SAMPLE_DAYS + INDEX_OUT_OF_SAMPLE_DAYS;

/** Blocks of 91 days, 924 splits. The 3 oldest days fill no block and are left out of the splits. */
export const INDEX_CSCV_BLOCKS = 12;

/** A month with fewer coins has no value. */
export const INDEX_COINS_MIN = 10;
/** With fewer strategies that moved in both periods, a set says nothing about ranking. */
export const INDEX_SET_MIN = 5;

/** Weights of a score's three components; premium kept has half the weight because it is twice as noisy. */
export const INDEX_WEIGHTS = { pbo: 0.4, premiumKept: 0.2, rankCorrelation: 0.4 } as const;

/** Half the width of a 5 to 95 % interval, in standard deviations. */
export const INDEX_INTERVAL_DEVIATIONS = 1.645;
