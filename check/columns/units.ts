import { median } from "../../quant/sample-statistics.ts";
import { question, type MoreNeeded } from "../formats/export.ts";
import { shortened } from "../formats/numbers.ts";
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

/** Median size of moving bars: above, fractions are no returns of days; below, percents are none. */
const [DAILY_MAX, LONGER_MAX, PERCENT_MIN] = [0.1, 0.5, 0.02];
/** Median of a growth from 0: above, it is percent for anything but a fortune. */
const GROWTH_MAX = 5;

/** How the returns and growths of one table are written, as far as its closes and names tell. */
export class Units {
  readonly #closes: readonly Moves[];
  readonly #growths: readonly Moves[];
  readonly #given: Unit | undefined;
  readonly #isDaily: boolean;
  readonly #known = new Map<RoledColumn, Unit>();

  constructor(columns: readonly RoledColumn[], given: Unit | undefined, isDaily: boolean) {
    const closes = columns.filter(({ role, shape }) => role === "close" && shape.least > 0);
    this.#closes = closes.map((column) => levelMoves(column));
    this.#given = given;
    this.#isDaily = isDaily;
    const growths = columns.filter(({ role }) => role === "growth");
    this.#growths = growths.map((column) => this.levelOf(column));
  }

  /** Whether a column is the close itself, as returns or as growth. */
  isClose(column: RoledColumn): boolean {
    if (column.role === "return") return this.#unitOfClose(column) !== undefined;
    return this.#closes.some((close) => areSame(differenceOf(this.levelOf(column), close)));
  }

  #unitOfClose(column: RoledColumn): Unit | undefined {
    for (const close of this.#closes) {
      const unit = unitOfSame(column, close);
      if (unit !== undefined) return unit;
    }
    return undefined;
  }

  /** The unit of a column: closes show it where a position held them, and so does a growth of the same returns. */
  of(column: RoledColumn): Unit {
    const known = this.#known.get(column);
    if (known !== undefined) return known;
    const unit = this.#given ?? this.#shown(column) ?? named(column);
    this.#known.set(column, unit);
    return unit;
  }

  #shown(column: RoledColumn): Unit | undefined {
    if (column.hasPercentSigns) return "fraction";
    if (column.role !== "return") return undefined;
    for (const level of this.#closes) {
      const unit = unitOfSame(column, level) ?? unitOfHeld(column, level);
      if (unit !== undefined) return unit;
    }
    for (const level of this.#growths) {
      const unit = unitOfSame(column, level);
      if (unit !== undefined) return unit;
    }
    return undefined;
  }

  /** The moves of a return or a growth; `beside` is a series that would show its unit. */
  movesOf(column: RoledColumn, beside?: Moves): Moves {
    if (column.role !== "return") return this.levelOf(column);
    const unit = beside === undefined ? undefined : unitOfSame(column, beside);
    return returnMoves(column, unit ?? this.of(column));
  }

  /** A growth from 1, or one from 0 with the 1 that it lacks. */
  levelOf(column: RoledColumn): Moves {
    return levelMoves({ ...column, values: this.levels(column) });
  }

  levels(column: RoledColumn): Float64Array {
    const { values, shape } = column;
    if (!beginsAt0(column)) return values;
    const unit = this.of(column);
    const isPercent = unit === "percent" || (unit !== "log" && shape.least <= -1);
    return values.map((value) => 1 + simpleReturn(value, isPercent ? "percent" : unit));
  }

  /** The question that returns, or a growth from 0, raise which no account makes in the unit they seem to have. */
  doubt(column: RoledColumn): MoreNeeded | undefined {
    const isReturn = column.role === "return";
    if (this.#given !== undefined || column.hasPercentSigns) return undefined;
    if (!isReturn && !(column.role === "growth" && beginsAt0(column))) return undefined;
    if (isReturn && this.#shown(column) !== undefined) return undefined;
    if (isReturn && column.shape.least > LEVEL_MIN) return levelQuestion(column);
    const moved = column.values.filter((value) => Math.abs(value) > 0).map(Math.abs);
    const size = moved.length === 0 ? NaN : median(moved);
    const isPercent = this.of(column) === "percent";
    const most = isReturn ? (this.#isDaily ? DAILY_MAX : LONGER_MAX) : GROWTH_MAX;
    const isOdd = isPercent ? isReturn && size < PERCENT_MIN : size > most;
    return isOdd ? unitQuestion(column, Number(size.toPrecision(2))) : undefined;
  }
}

/** Returns are around 0: a column that is called so and never comes near it is none. */
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
