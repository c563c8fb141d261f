import { median } from "../../quant/sample-statistics.ts";
import { question, type MoreNeeded } from "../formats/export.ts";
import { shortened } from "../../files/numbers.ts";
import {
  areSame,
  differenceOf,
  levelMoves,
  returnMoves,
  simpleReturn,
  unitOfHeld,
  unitOfSame,
  type Moves,
  type Unit,
} from "./moves.ts";
import type { RoledColumn } from "./roles.ts";
import { SMOOTH } from "./series.ts";

/** Bounds for the median size of moving bars: fractions above the first two are doubtful, percents below the third. */
const [DAILY_MAX, LONGER_MAX, PERCENT_MIN] = [0.1, 0.5, 0.02];
/** A growth from 0 whose median lies above this is in percent, unless somebody made a fortune. */
const GROWTH_MAX = 5;

export type Units = ReturnType<typeof unitsOf>;

/** How the returns and growths of one table are written, as far as its closes, its growths and its names tell. */
export function unitsOf(
  columns: readonly RoledColumn[],
  given: Unit | undefined,
  isDaily: boolean,
) {
  const closes = columns
    .filter(({ role, shape }) => role === "close" && shape.least > 0)
    .map(levelMoves);

  /** The unit that other columns prove. */
  const shown = (column: RoledColumn): Unit | undefined => {
    if (column.hasPercentSigns) return "fraction";
    if (column.role !== "return") return undefined;
    const found = [
      ...closes.map((level) => unitOfSame(column, level) ?? unitOfHeld(column, level)),
      ...growths.map((level) => unitOfSame(column, level)),
    ];
    return found.find((unit) => unit !== undefined);
  };

  const unitOf = (column: RoledColumn): Unit => given ?? shown(column) ?? named(column);

  /** The values of a growth, with the 1 added that a growth from 0 lacks. */
  const levels = (column: RoledColumn): Float64Array => {
    const { values, shape } = column;
    if (!beginsAt0(column)) return values;
    const unit = unitOf(column);
    const isPercent = unit === "percent" || (unit !== "log" && shape.least <= -1);
    return values.map((value) => 1 + simpleReturn(value, isPercent ? "percent" : unit));
  };
  const movesOfGrowth = (column: RoledColumn) => levelMoves({ ...column, values: levels(column) });
  const growths = columns.filter(({ role }) => role === "growth").map(movesOfGrowth);

  return {
    unitOf,
    levels,
    /** Whether a return or a growth is that of a close itself. */
    isClose: (column: RoledColumn): boolean =>
      closes.some((close) =>
        column.role === "return"
          ? unitOfSame(column, close) !== undefined
          : areSame(differenceOf(movesOfGrowth(column), close)),
      ),
    /** The moves of a return or a growth, in the unit that makes a return agree with `beside` if one does. */
    movesOf: (column: RoledColumn, beside?: Moves): Moves => {
      if (column.role !== "return") return movesOfGrowth(column);
      const unit = beside && unitOfSame(column, beside);
      return returnMoves(column, unit ?? unitOf(column));
    },
    /** A question where the values, in the unit that they seem to have, are larger than any account's. */
    doubt: (column: RoledColumn): MoreNeeded | undefined => {
      const isReturn = column.role === "return";
      if (given !== undefined || column.hasPercentSigns) return undefined;
      if (!isReturn && !(column.role === "growth" && beginsAt0(column))) return undefined;
      if (isReturn && shown(column) !== undefined) return undefined;
      if (isReturn && column.shape.least > LEVEL_MIN) return levelQuestion(column);
      const size = median(column.values.filter((value) => value !== 0).map(Math.abs));
      const most = isReturn ? (isDaily ? DAILY_MAX : LONGER_MAX) : GROWTH_MAX;
      const isOdd = unitOf(column) === "percent" ? isReturn && size < PERCENT_MIN : size > most;
      return isOdd ? unitQuestion(column, Number(size.toPrecision(2))) : undefined;
    },
  };
}

/** Returns lie around 0. A column of that name that never comes below this is a level. */
const LEVEL_MIN = 0.2;

function levelQuestion({ name, shape }: RoledColumn): MoreNeeded {
  return question(
    "format",
    `"${shortened(name)}" never falls below ${Number(shape.least.toPrecision(3))}, as the growth of an account: if it is, say ` +
      'so with the format "equity"; if it is 1 + r of each bar, send r',
    [{ value: "equity", text: "the growth of the account" }],
  );
}

function unitQuestion({ name, role }: RoledColumn, usual: number): MoreNeeded {
  const what = role === "return" ? "moves" : "values";
  return question(
    "unit",
    `half of all ${what} of "${shortened(name)}" are larger than ${usual}: is that ${usual} % or ${percentOf(usual)} %?`,
    [
      { value: "percent", text: `${usual} is ${usual} %` },
      { value: "fraction", text: `${usual} is ${percentOf(usual)} %` },
      { value: "log", text: `${usual} is a logarithm, ${percentOf(Math.expm1(usual))} %` },
    ],
  );
}

const percentOf = (fraction: number) => Number((100 * fraction).toPrecision(3));

function beginsAt0({ shape }: RoledColumn): boolean {
  return Math.abs(shape.first) < 0.5 || shape.least < 0;
}

function named({ read, hasPercentSigns }: RoledColumn): Unit {
  if (read.isLog) return "log";
  return read.isPercent && !hasPercentSigns ? "percent" : "fraction";
}

/** Whether the values of a column are returns and no level. */
export function areReturns(column: RoledColumn): boolean {
  return isAround0(column) && !(column.shape.roughness < SMOOTH);
}

export function isAround0({ shape }: RoledColumn): boolean {
  return shape.least <= 0 && Math.abs(shape.median) <= 0.5;
}
