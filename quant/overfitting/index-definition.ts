/**
 * The Crypto Overfitting Index, version 2. Everything here is fixed before a month is computed; a
 * change starts a new version, and a version is never recomputed. docs/methods.md explains it. Version 1, which was
 * never released, had the same definition over indicators with thresholds in dollars.
 */
export const INDEX_VERSION = 2;

/** Days the strategies are ranked on, and the days after them on which the ranking is tried. */
export const INDEX_IN_SAMPLE_DAYS = 730;
const INDEX_OUT_OF_SAMPLE_DAYS = 365;
export const INDEX_DAYS = INDEX_IN_SAMPLE_DAYS + INDEX_OUT_OF_SAMPLE_DAYS;

/** Blocks of 91 days, 924 splits. The 3 oldest days fill no block and are left out of the splits. */
export const INDEX_CSCV_BLOCKS = 12;

/** A month with fewer coins has no value. */
export const INDEX_COINS_MIN = 10;
/** A set with fewer strategies that moved in both periods says nothing about ranking. */
export const INDEX_SET_MIN = 5;

/** Weights of the three components in a score; premium kept has twice the noise of the others. */
export const INDEX_WEIGHTS = { pbo: 0.4, premiumKept: 0.2, rankCorrelation: 0.4 } as const;

/** Half the width of a 5 to 95 % interval, in standard deviations. */
export const INDEX_INTERVAL_DEVIATIONS = 1.645;
