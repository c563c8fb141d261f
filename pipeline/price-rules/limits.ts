/**
 * Open and close may lie outside [low, high] by this share of the bound: exchanges round. The least more than 0.1 %, so that
 * what is outside by exactly that is believed: few such decimals are binary fractions, and rounding would decide.
 */
export const RANGE_TOLERANCE = 0.001 + 1e-12;
/**
 * Prices of nothing that is traded: beyond these, fourth powers of a day's return and sums of squares leave float64, and one
 * coin of nonsense would stop the run for all.
 */
export const PRICE_MIN = 1e-30;
export const PRICE_MAX = 1e30;
export const VOLUME_MAX = 1e30;
/** A gap of up to this many days is filled; after a longer one the history starts anew. */
export const GAP_DAYS_MAX = 3;
/** A coin whose last day is more than this before as_of is stale. */
export const STALE_AFTER_DAYS = 2;
/** Refusals listed of one coin. All are counted. */
export const REJECTS_LISTED_MAX = 10_000;
/** Revised values listed of one coin. All days are counted. */
export const REVISIONS_LISTED_MAX = 100;
