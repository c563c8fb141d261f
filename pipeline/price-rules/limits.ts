/**
 * Open and close may lie outside [low, high] by this share of the bound, because exchanges round. It is a little more
 * than 0.1 % so that a price outside by exactly 0.1 % is accepted: few such decimals are exact in binary, and
 * otherwise rounding would decide.
 */
export const RANGE_TOLERANCE = 0.001 + 1e-12;
/**
 * No traded coin has a price outside these limits. Beyond them, fourth powers of returns and sums of squares overflow
 * float64, and one nonsense coin would stop the run.
 */
export const PRICE_MIN = 1e-30;
export const PRICE_MAX = 1e30;
export const VOLUME_MAX = 1e30;
/** A gap of up to this many days is filled; after a longer one the history starts again. */
export const GAP_DAYS_MAX = 3;
/** A coin whose last day is more than this many days before as_of is stale. */
export const STALE_AFTER_DAYS = 2;
/** Refusals listed per coin. All are counted. */
export const REJECTS_LISTED_MAX = 10_000;
/** Revised values listed per coin. All days are counted. */
export const REVISIONS_LISTED_MAX = 100;
/**
 * A close at least this many times the one before it, or its inverse, is used, and a notice names it. In 78 real
 * histories (120,000 days) the largest move of a day is fivefold, while a token that is split or merged moves tenfold
 * to a millionfold.
 */
export const JUMP_NOTED = 10;
/** A history whose last closes are equal, without volume, for this many days is named in a notice. */
export const FLAT_DAYS_NOTED = 7;
/** As many equal closes in a row are named, whatever the volume: in 78 real histories there are at most three. */
export const EQUAL_CLOSES_NOTED = 30;
/** No coin's volume is worth so many dollars on the median day: above this, it is probably in dollars itself. */
export const DOLLARS_A_DAY_NOTED = 1e12;
