import { median } from "../../quant/sample-statistics.ts";
import { FileRefused } from "../formats/export.ts";
import { shortened } from "../formats/numbers.ts";
import type { RoledColumn } from "./roles.ts";

/** The change of the value on F, over the days with a flow, of columns that are flows. */
const [SLOPE_MIN, SLOPE_MAX] = [0.5, 1.5];

/** Money paid in by row, negative where it was taken out. */
export interface Flows {
  readonly columns: readonly RoledColumn[];
  readonly paidIn: Float64Array;
}

/**
 * The flows of a value, of all columns that are called so and that move it: each day's money, or its sum so far, of
 * which the differences count. Several add up. Undefined where none does.
 */
export function flowsOf(value: RoledColumn, candidates: readonly RoledColumn[]): Flows | undefined {
  const changes = value.values.map((each, row) => each - (value.values[row - 1] ?? NaN));
  const confirmed = candidates.flatMap((column) => {
    const paidIn = flowForm(column, changes);
    return paidIn === undefined ? [] : [{ column, paidIn }];
  });
  return joined(confirmed);
}

/** What the sender names counts, whatever its slope. */
export function namedFlows(value: RoledColumn, column: RoledColumn): Flows {
  const changes = value.values.map((each, row) => each - (value.values[row - 1] ?? NaN));
  const paidIn = flowForm(column, changes, true) ?? forms(column)[0]!;
  return { columns: [column], paidIn };
}

function joined(
  found: readonly { readonly column: RoledColumn; readonly paidIn: Float64Array }[],
): Flows | undefined {
  const [first, ...others] = found;
  if (first === undefined) return undefined;
  const paidIn = first.paidIn.map((money, row) =>
    others.reduce((sum, other) => sum + other.paidIn[row]!, money),
  );
  return { columns: found.map(({ column }) => column), paidIn };
}

/** A column as the money of each row, and as the sum of it; empty cells are 0, or what was there before. */
function forms({ values, read }: RoledColumn): readonly Float64Array[] {
  const isOut = read.role === "withdrawal";
  const known = (value: number) => (Number.isNaN(value) ? 0 : isOut ? -Math.abs(value) : value);
  let before = 0;
  const sums = values.map((value) => {
    const change = Number.isNaN(value) ? 0 : known(value) - before;
    before += change;
    return change;
  });
  const money = values.map(known);
  const isRare = money.filter((each) => each === 0).length > 0.5 * money.length; // a sum stays where it is
  return isRare ? [money] : [money, sums];
}

/** The form that explains the value's changes best, or undefined where none does. */
function flowForm(
  column: RoledColumn,
  changes: Float64Array,
  isNamed = false,
): Float64Array | undefined {
  const fitted = forms(column)
    .map((paidIn) => ({ paidIn, ...fitOf(paidIn, changes) }))
    .filter(({ slope, still }) => isNamed || (slope >= SLOPE_MIN && slope <= SLOPE_MAX && !still));
  return fitted.toSorted((a, b) => a.residual - b.residual)[0]?.paidIn;
}

/** Flows on more rows than this, of which most leave nothing to earn, are what was held. */
const [ROWS_FREE, STILL_SHARE] = [10, 0.5];

/**
 * Least squares through the origin over the rows with a flow, what is left for each unit of it, and whether the account stood
 * still but for it.
 */
function fitOf(
  paidIn: Float64Array,
  changes: Float64Array,
): { slope: number; residual: number; still: boolean } {
  let [products, squares, left, rows, alone] = [0, 0, 0, 0, 0];
  for (let row = 1; row < paidIn.length; row++) {
    const [flow, change] = [paidIn[row]!, changes[row]!];
    if (flow === 0 || Number.isNaN(change)) continue;
    products += flow * change;
    squares += flow * flow;
    left += (change - flow) ** 2;
    rows++;
    if (Math.abs(change - flow) <= 1e-3 * Math.abs(flow)) alone++;
  }
  const still = rows > ROWS_FREE && alone > STILL_SHARE * rows;
  return { slope: squares === 0 ? NaN : products / squares, residual: left / squares, still };
}

/**
 * The account without its flows, as the growth of its first positive value: `r_t = (V_t - F_t) / V_(t-1) - 1`, F the
 * money that came in during a bar, before its last value V. Rows before that value are NaN.
 */
export function withoutFlows(value: RoledColumn, paidIn: Float64Array): Float64Array {
  const out = new Float64Array(value.values.length).fill(NaN);
  let [before, level, waiting] = [NaN, NaN, 0];
  for (let row = 0; row < out.length; row++) {
    const now = value.values[row]!;
    if (Number.isNaN(before)) {
      if (now > 0) [before, level, out[row]] = [now, now, now];
      continue;
    }
    waiting += paidIn[row]!;
    if (Number.isNaN(now)) continue;
    const earned = now - waiting;
    if (!(earned > 0)) {
      throw new FileRefused(
        `row ${row + 1}: "${shortened(value.name)}" is ${now} after ${waiting} were paid in, which leaves nothing of ` +
          `the ${before} before: is that the right column of money paid in? Without one, say "none"`,
      );
    }
    level *= earned / before;
    [before, waiting, out[row]] = [now, 0, level];
  }
  return out;
}

/** A step that is not the strategy's own, as far as one can see. */
export interface Jump {
  readonly row: number;
  readonly amount: number;
}

/** Steps above so many median steps stand out. */
const MEDIANS = 8;
const REPEATS_MIN = 3;
/** Of one amount of money, the strategy's own gain of the day aside. */
const AMOUNT_SPREAD = 0.01;
const AMOUNT_NEAR = 0.25;
const SHARE_OF_MONTHS = 0.5;

/**
 * Steps that look like money paid in or taken out: of those that stand out by eight medians of the bars that moved, three or
 * more that repeat, as one amount of money, or on one day of the month in at least half of the record's months. It can't
 * see small or irregular ones. For bars shorter than a month.
 */
export function suspectedFlows(values: Float64Array, instants: Float64Array): readonly Jump[] {
  const steps: { row: number; change: number; rate: number }[] = [];
  for (let row = 1; row < values.length; row++) {
    const change = values[row]! - values[row - 1]!;
    if (change !== 0 && !Number.isNaN(change))
      steps.push({ row, change, rate: Math.abs(change / values[row - 1]!) });
  }
  if (steps.length === 0) return [];
  const usual = median(steps.map(({ rate }) => rate));
  const jumps = steps.filter(({ rate }) => rate > MEDIANS * usual);
  return ofOneAmount(jumps) ?? ofOneDay(jumps, instants) ?? [];
}

interface Step {
  readonly row: number;
  readonly change: number;
}

function ofOneAmount(jumps: readonly Step[]): readonly Jump[] | undefined {
  const sorted = jumps.map(({ change }) => change).toSorted((a, b) => a - b);
  const alike = sorted.map((least) => {
    const most = least + 2 * AMOUNT_SPREAD * Math.abs(least);
    return sorted.filter((change) => change >= least && change <= most);
  });
  const most = alike.toSorted((a, b) => b.length - a.length)[0] ?? [];
  if (most.length < REPEATS_MIN) return undefined;
  const amount = median(most);
  const isNear = ({ change }: Step) => Math.abs(change - amount) <= AMOUNT_NEAR * Math.abs(amount);
  return jumps.filter(isNear).map(({ row }) => ({ row, amount }));
}

function ofOneDay(jumps: readonly Step[], instants: Float64Array): readonly Jump[] | undefined {
  const dateOf = (row: number) => new Date(1000 * instants[row]!);
  const months = new Set(
    Array.from(instants, (instant) => new Date(1000 * instant).toISOString().slice(0, 7)),
  );
  for (const day of new Set(jumps.map(({ row }) => dateOf(row).getUTCDate()))) {
    const same = jumps.filter(({ row }) => dateOf(row).getUTCDate() === day);
    if (same.length < REPEATS_MIN || same.length < SHARE_OF_MONTHS * months.size) continue;
    const usual = median(same.map(({ change }) => change));
    return same.map(({ row, change }) => {
      const isUsual = Math.abs(change - usual) <= AMOUNT_NEAR * Math.abs(usual);
      return { row, amount: isUsual ? usual : change };
    });
  }
  return undefined;
}
