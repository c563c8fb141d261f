import { DAYS_PER_YEAR } from "../calendar.ts";
import { GAP_DAYS, type DcaFrequency } from "./purchase-track.ts";

/** Real prices take four to eight steps; a coin that fell to almost nothing takes up to about forty. */
const MAX_STEPS = 200;

/** Purchases of one dollar each on `rows[first..]`, worth `value` in total at row `last`. */
interface EqualPurchases {
  readonly rows: Int32Array;
  readonly first: number;
  readonly last: number;
  readonly value: number;
}

/**
 * Annualised money-weighted return of equal purchases (XIRR, actual days over 365), as a fraction.
 *
 * It is the unique rate r with `sum((1 + r)^(age / 365)) = value`, over the purchases' ages in days. The
 * sum rises with r, starting from the number of purchases made on the last day, which `value` always
 * exceeds, unless fees take more than all that came before.
 *
 * The solver works on the log of the sum, L(x), as a function of the daily log rate x. L is convex and
 * increasing. By Jensen's inequality the first guess `ln(value / n) / mean age` is never below the root. So
 * Newton's steps only ever go down to the root, need no bracket, and end when one no longer goes down.
 *
 * NaN where there is no rate: every purchase was made on the last day, only a loss of more than everything would explain
 * the value, or the rate is beyond float64.
 */
export function moneyWeightedRate(purchases: EqualPurchases, frequency: DcaFrequency): number {
  const { rows, first, last, value } = purchases;
  let ageSum = 0;
  for (let k = first; k < rows.length; k++) ageSum += last - rows[k]!;
  const boughtOnLastDay = rows[rows.length - 1] === last ? 1 : 0;
  if (ageSum === 0 || !(value > boughtOnLastDay)) return NaN;

  const count = rows.length - first;
  const gapDays = GAP_DAYS[frequency];
  let x = (Math.log(value / count) * count) / ageSum;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { log, slope } =
      gapDays === null ? monthlySum(purchases, x) : evenSum(purchases, x, gapDays);
    const next = x - (log - Math.log(value)) / slope;
    if (!(next < x)) break;
    x = next;
  }
  const rate = Math.expm1(DAYS_PER_YEAR * x);
  return Number.isFinite(rate) ? rate : NaN;
}

/** Below this the slope's two terms cancel too much, and its limit is closer to the truth. */
const LIMIT_EXPONENT = 1e-8;

/**
 * L(x) and its slope. The sum is a geometric series, `(e^nz - 1) / (e^z - 1)` with z = gap x; expm1 keeps it exact near
 * zero.
 */
function evenSum({ rows, first, last }: EqualPurchases, x: number, gapDays: number) {
  const count = rows.length - first;
  const youngestAge = last - rows[rows.length - 1]!;
  const z = gapDays * x;
  const sum = z === 0 ? count : Math.expm1(count * z) / Math.expm1(z);
  const meanGaps =
    Math.abs(z) < LIMIT_EXPONENT
      ? (count - 1) / 2
      : 1 / Math.expm1(-z) - count / Math.expm1(-count * z);
  return {
    log: Math.log(sum) + youngestAge * x,
    slope: gapDays * meanGaps + youngestAge,
  };
}

/** Growth over a month of each length, 28 to 31 days. Scratch memory. */
const monthGrowth = new Float64Array(32);

/** L(x) and its slope, by Horner's rule from the oldest purchase on, with one factor per month. */
function monthlySum({ rows, first, last }: EqualPurchases, x: number) {
  for (let days = 28; days <= 31; days++) monthGrowth[days] = Math.exp(days * x);
  let sum = 1;
  let sumSlope = 0;
  for (let k = first + 1; k < rows.length; k++) {
    const days = rows[k]! - rows[k - 1]!;
    const growth = monthGrowth[days]!;
    sumSlope = (sumSlope + days * sum) * growth;
    sum = sum * growth + 1;
  }
  const youngestAge = last - rows[rows.length - 1]!;
  return { log: Math.log(sum) + youngestAge * x, slope: sumSlope / sum + youngestAge };
}
