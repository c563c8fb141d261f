import type { Bars } from "../../../quant/bars.ts";

/** Slow and obvious outcomes, with `Date` and one dollar at a time: a second opinion for the tests. */

const DAY_MS = 86_400_000;

export interface CashFlow {
  readonly day: number;
  readonly amount: number;
}

/** XIRR by bisection on the rate's logarithm, to where the sum of the flows changes sign. */
export function naiveXirr(flows: readonly CashFlow[]): number {
  const origin = flows[0]!.day;
  const presentValue = (logRate: number) =>
    flows.reduce(
      (sum, { day, amount }) => sum + amount * Math.exp((-logRate * (day - origin)) / 365),
      0,
    );
  // Beyond this, the oldest flow is no number.
  let high = 700 / Math.max(1, (flows.at(-1)!.day - origin) / 365);
  let low = -high;
  if (Math.sign(presentValue(low)) === Math.sign(presentValue(high))) return NaN;
  const atLow = Math.sign(presentValue(low));
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (Math.sign(presentValue(middle)) === atLow) low = middle;
    else high = middle;
  }
  return Math.expm1(low);
}

/** Days of purchase from a start day: `Date` does the calendar. */
export function naivePurchaseDays(start: number, last: number, frequency: string): number[] {
  const days: number[] = [];
  const gap = { daily: 1, weekly: 7, biweekly: 14 }[frequency];
  if (gap !== undefined) {
    for (let day = start; day <= last; day += gap) days.push(day);
    return days;
  }
  const first = new Date(start * DAY_MS);
  for (let month = 0; ; month++) {
    const year = first.getUTCFullYear();
    const lastOfMonth = new Date(Date.UTC(year, first.getUTCMonth() + month + 1, 0)).getUTCDate();
    const dayOfMonth = Math.min(first.getUTCDate(), lastOfMonth);
    const day = Date.UTC(year, first.getUTCMonth() + month, dayOfMonth) / DAY_MS;
    if (day > last) return days;
    days.push(day);
  }
}

/** Equal within the rounding error of a sum of a few hundred terms. */
const isEven = (value: number, invested: number) => Math.abs(value / invested - 1) < 1e-12;

export function naivePlan(bars: Bars, startRow: number, frequency: string, feeRate = 0) {
  const firstDay = bars.day[0]!;
  const lastDay = bars.day[bars.day.length - 1]!;
  const lastClose = bars.close[bars.close.length - 1]!;
  const start = bars.day[startRow]!;
  const purchaseDays = naivePurchaseDays(start, lastDay, frequency);
  const buysOn = new Set(purchaseDays);
  let [units, invested, worstReturn, worstDay, under, profit] = [0, 0, 0, start, 0, 0];
  let [high, lumpSumMaxDrawdown] = [0, 0];
  for (let day = start; day <= lastDay; day++) {
    const close = bars.close[day - firstDay]!;
    if (buysOn.has(day)) {
      units += 1 / close / (1 + feeRate);
      invested += 1;
    }
    const value = units * close;
    if (!isEven(value, invested)) {
      if (value < invested) under++;
      else profit++;
      if (value / invested - 1 < worstReturn) {
        worstReturn = value / invested - 1;
        worstDay = day;
      }
    }
    high = Math.max(high, close);
    lumpSumMaxDrawdown = Math.min(lumpSumMaxDrawdown, close / high - 1);
  }
  const value = units * lastClose;
  const flows = purchaseDays.map((day) => ({ day, amount: -1 }));
  return {
    purchaseDays,
    units,
    value,
    irr: start === lastDay ? NaN : naiveXirr([...flows, { day: lastDay, amount: value }]),
    worstReturn,
    worstDay,
    daysUnderWater: under,
    daysInProfitShare: profit / (lastDay - start + 1),
    lumpSumValue: (purchaseDays.length * lastClose) / bars.close[startRow]! / (1 + feeRate),
    lumpSumMaxDrawdown,
  };
}
