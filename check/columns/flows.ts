import { FileRefused } from "../../files/refused.ts";
import { medianSpacing } from "../../quant/check/bar-frequency.ts";
import { DAY_SECONDS, instantText } from "../../quant/check/ordered-rows.ts";
import type { CheckWarning } from "../../quant/check/panel.ts";
import { median } from "../../quant/sample-statistics.ts";
import { type Jump, type Question } from "../formats/export.ts";
import { shortened } from "../../files/numbers.ts";
import { namedColumn } from "./columns-shown.ts";
import type { Judged, Reading } from "./reading.ts";
import { ACCOUNTS, type Role, type RoledColumn } from "./roles.ts";

/** Money paid into an account by row, negative where it was taken out, and the columns that say so. */
interface Flows {
  readonly columns: readonly RoledColumn[];
  readonly paidIn: Float64Array;
}

interface AccountFlows {
  readonly flows: Flows | undefined;
  /** Steps that look like flows and were left in. */
  readonly suspected: readonly Jump[];
}

/** A bar longer than this can hold several payments. */
const BAR_DAYS_MAX = 20;

export function barDaysOf(instants: Float64Array): number {
  return instants.length < 2 ? 1 : medianSpacing(instants.toSorted()) / DAY_SECONDS;
}

export function isFlow({ role }: { readonly role: Role }): boolean {
  return role === "deposit" || role === "withdrawal";
}

/** What was paid into the account that is judged: as the sender says, as columns say, or as its steps suggest. */
export function accountFlows(
  { columns, options, instants }: Reading,
  { columns: [value, ...others], role }: Judged,
): AccountFlows {
  const none = { flows: undefined, suspected: [] };
  const { flows: said = "" } = options;
  if (value === undefined || others.length > 0 || !ACCOUNTS.includes(role)) return none;
  if (said === "none") return none;
  if (said !== "" && said !== "detected")
    return { flows: namedFlows(value, namedColumn(said, columns, "flows")), suspected: [] };
  const flows = columnFlows(value, columns);
  if (flows !== undefined || barDaysOf(instants) > BAR_DAYS_MAX) return { flows, suspected: [] };
  const suspected = suspectedFlows(value.values, instants);
  if (said === "") return { flows, suspected };
  const paidIn = new Float64Array(value.values.length);
  for (const { row, amount } of suspected) paidIn[row] = amount;
  return { flows: { columns: [], paidIn }, suspected: [] };
}

/**
 * The sum of all columns that are called flows and that move the value. Each holds the money of the row, or the total so
 * far, whose differences count. Undefined where there is none.
 */
export function columnFlows(
  value: RoledColumn,
  columns: readonly RoledColumn[],
): Flows | undefined {
  const changes = changesOf(value);
  const confirmed = columns.filter(isFlow).flatMap((column) => {
    const paidIn = flowForm(column, changes);
    return paidIn === undefined ? [] : [{ column, paidIn }];
  });
  const [first, ...others] = confirmed;
  if (first === undefined) return undefined;
  const paidIn = first.paidIn.map((money, row) =>
    others.reduce((sum, other) => sum + other.paidIn[row]!, money),
  );
  return { columns: confirmed.map(({ column }) => column), paidIn };
}

/** A column that the sender names counts even where it doesn't move the value. */
function namedFlows(value: RoledColumn, column: RoledColumn): Flows {
  const paidIn = flowForm(column, changesOf(value), true) ?? formsOf(column)[0]!;
  return { columns: [column], paidIn };
}

function changesOf({ values }: RoledColumn): Float64Array {
  return values.map((each, row) => each - (values[row - 1] ?? NaN));
}

/** A column read as the money of each row, and as the total so far. An empty cell is 0, or an unchanged total. */
function formsOf({ values, read }: RoledColumn): readonly Float64Array[] {
  const isOut = read.role === "withdrawal";
  const known = (value: number) => (Number.isNaN(value) ? 0 : isOut ? -Math.abs(value) : value);
  let before = 0;
  const changes = values.map((value) => {
    const change = Number.isNaN(value) ? 0 : known(value) - before;
    before += change;
    return change;
  });
  const money = values.map(known);
  const isRare = money.filter((each) => each === 0).length > 0.5 * money.length; // no total is mostly 0
  return isRare ? [money] : [money, changes];
}

/** The slope of the value's change on a column of flows, over the rows that have one. */
const [SLOPE_MIN, SLOPE_MAX] = [0.5, 1.5];

/** The form of a column that explains the value's changes best. Undefined where it isn't a flow of this value. */
function flowForm(
  column: RoledColumn,
  changes: Float64Array,
  isNamed = false,
): Float64Array | undefined {
  const fitted = formsOf(column)
    .map((paidIn) => ({ paidIn, ...fitOf(paidIn, changes) }))
    .filter(({ slope, still }) => isNamed || (slope >= SLOPE_MIN && slope <= SLOPE_MAX && !still));
  return fitted.toSorted((a, b) => a.residual - b.residual)[0]?.paidIn;
}

/** Where more rows than this have a flow and most of them earn nothing else, the column is what was held. */
const [ROWS_FREE, STILL_SHARE] = [10, 0.5];

/**
 * Least squares through the origin over the rows with a flow: the slope, the squared residual relative to the flows, and
 * whether the account stood still but for them.
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
 * An account without its flows, as the growth of its first positive value: `r_t = (V_t - F_t) / V_(t-1) - 1`, where F is
 * the money that came in during a bar, before its last value V. Rows before the first positive value are NaN.
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

/** A step stands out if it is more than this many medians of the steps around it. */
const [MEDIANS, AROUND] = [8, 30];
/** Steps that repeat by chance more often than this aren't payments. */
const CHANCE_MAX = 0.01;
const REPEATS_MIN = 3;
/** Payments of one amount lie within this share of it. */
const AMOUNT_SPREAD = 0.01;
/** A step this close to the amount is that payment, and the rest the strategy's own gain of the day. */
const AMOUNT_NEAR = 0.25;
const SHARE_OF_MONTHS = 0.5;
const DAYS_OF_MONTH = 30;

interface Step {
  readonly row: number;
  readonly change: number;
}

/** The Poisson chance of so many or more, at any of some places. */
function chanceOf(count: number, expected: number, places: number): number {
  let [term, below] = [Math.exp(-expected), 0];
  for (let each = 0; each < count; each++)
    [below, term] = [below + term, (term * expected) / (each + 1)];
  return places * (1 - below);
}

/**
 * Steps that look like money paid in or taken out. Of the steps above eight times the median of those around them, three
 * or more have to repeat: as one amount of money, or on one day of the month in at least half of the record's months, and
 * more often than by chance. Small or irregular payments aren't seen.
 */
function suspectedFlows(values: Float64Array, instants: Float64Array): readonly Jump[] {
  const rateOf = ({ row, change }: Step) => Math.abs(change / values[row - 1]!);
  const steps = Array.from(values, (value, row) => ({ row, change: value - values[row - 1]! }))
    .slice(1)
    .filter(({ change }) => change !== 0 && !Number.isNaN(change));
  const rates = steps.map(rateOf);
  const usual = median(rates);
  const jumps = steps.filter(
    (_, at) =>
      rates[at]! > MEDIANS * usual &&
      rates[at]! > MEDIANS * median(rates.slice(Math.max(0, at - AROUND), at + AROUND + 1)),
  );
  const repeated = ofOneAmount(jumps) ?? ofOneDay(jumps, instants) ?? [];
  return repeated.map(({ row, change: amount }) => {
    const [before, value] = [values[row - 1]!, values[row]!];
    return { day: instantText(instants[row]!), row, amount, share: (value - before) / before };
  });
}

/** The steps near the amount that most of them share, each with that amount. */
function ofOneAmount(jumps: readonly Step[]): readonly Step[] | undefined {
  const sorted = jumps.map(({ change }) => change).toSorted((a, b) => a - b);
  const alike = sorted.map((least) => {
    const most = least + 2 * AMOUNT_SPREAD * Math.abs(least);
    return sorted.filter((change) => change >= least && change <= most);
  });
  const most = alike.toSorted((a, b) => b.length - a.length)[0] ?? [];
  if (most.length < REPEATS_MIN) return undefined;
  const amount = median(most);
  const alsoLarge = sorted.filter((change) => Math.abs(Math.log2(Math.abs(change / amount))) < 1);
  const large = alsoLarge.filter((change) => change * amount > 0);
  const ofOneSign = large.length === alsoLarge.length ? 2 ** (1 - large.length) : 1;
  const byChance = (large.length - 1) * ((2 * AMOUNT_SPREAD) / Math.log(4)); // evenly in logarithms
  const chance = ofOneSign * chanceOf(most.length - 1, byChance, large.length);
  if (chance > CHANCE_MAX) return undefined;
  const isNear = ({ change }: Step) => Math.abs(change - amount) <= AMOUNT_NEAR * Math.abs(amount);
  return jumps.filter(isNear).map(({ row }) => ({ row, change: amount }));
}

/** The steps on one day of the month, with the usual amount where they are near it. */
function ofOneDay(jumps: readonly Step[], instants: Float64Array): readonly Step[] | undefined {
  const dateOf = (instant: number) => new Date(1000 * instant);
  const dayOf = ({ row }: Step) => dateOf(instants[row]!).getUTCDate();
  const months = new Set(
    Array.from(instants, (instant) => dateOf(instant).toISOString().slice(0, 7)),
  );
  for (const day of new Set(jumps.map(dayOf))) {
    const same = jumps.filter((jump) => dayOf(jump) === day);
    if (same.length < REPEATS_MIN || same.length < SHARE_OF_MONTHS * months.size) continue;
    if (chanceOf(same.length, jumps.length / DAYS_OF_MONTH, DAYS_OF_MONTH) > CHANCE_MAX) continue;
    const usual = median(same.map(({ change }) => change));
    return same.map(({ row, change }) => {
      const isUsual = Math.abs(change - usual) <= AMOUNT_NEAR * Math.abs(usual);
      return { row, change: isUsual ? usual : change };
    });
  }
  return undefined;
}

/** The question whether steps that stand out are payments, with each of them. */
export function flowQuestion(column: RoledColumn, jumps: readonly Jump[]): Question {
  const { name } = column;
  const digits = (row: number) =>
    Math.max(0, Math.round(-Math.log10(2 * column.halfUnits()[row]!)));
  const money = ({ amount, row }: Jump) => Number(amount.toFixed(Math.min(digits(row), 12)));
  const shown = jumps
    .slice(0, 3)
    .map((jump) => `${Number(money(jump).toPrecision(6))} on ${jump.day}`);
  const text =
    `${jumps.length} steps of "${shortened(name)}" look like money paid in or taken out ` +
    `(${shown.join(", ")}${jumps.length > 3 ? ", ..." : ""}): are they?`;
  const choices = ["detected", "none"].map((value) => ({ value, text: "" }));
  return { option: "flows", text, choices, onlyFor: [name], jumps };
}

export function flowWarning({ columns, paidIn }: Flows): CheckWarning {
  const count = paidIn.filter((money) => money !== 0).length;
  const names = columns.map(({ name }) => `"${shortened(name)}"`).join(", ");
  const from = names === "" ? "the steps that look like deposits or withdrawals" : names;
  const message = `${count} deposits or withdrawals were taken out, by ${from}`;
  return { code: "flows_taken_out", message };
}
