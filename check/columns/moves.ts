import type { TableColumn } from "./table-columns.ts";
import { stepsOf } from "./series.ts";

/** How a return is written: 0.01, 1 or ln 1.01 for 1 %. */
export type Unit = "fraction" | "percent" | "log";

/** Simple returns by row, NaN where there is none, and how far rounding may have moved each. */
export interface Moves {
  readonly steps: Float64Array;
  readonly slack: Float64Array;
}

/** The moves of a level such as an equity curve or a price. */
export function levelMoves({
  values,
  halfUnits,
}: Pick<TableColumn, "values" | "halfUnits">): Moves {
  const half = halfUnits();
  const slack = values.map((value, row) => {
    const before = values[row - 1] ?? NaN;
    return (half[row]! + (value / before) * (half[row - 1] ?? NaN)) / before;
  });
  return { steps: stepsOf(values), slack };
}

export function returnMoves({ values, halfUnits }: TableColumn, unit: Unit): Moves {
  const scale = unit === "percent" ? 100 : 1;
  return {
    steps: values.map((value) => simpleReturn(value, unit)),
    slack: halfUnits().map((half) => half / scale),
  };
}

export function simpleReturn(value: number, unit: Unit): number {
  if (unit === "log") return Math.expm1(value);
  return unit === "percent" ? value / 100 : value;
}

/** How two series of moves differ in the rows that have both. */
export interface Difference {
  readonly rows: number;
  /** Share of the rows that agree to the last digit written. */
  readonly agreeing: number;
  readonly worstRow: number;
  readonly worst: number;
  /** Sum of the squared differences. */
  readonly squares: number;
}

/** Rounding errors of floating point stay below this, relative to 1. */
const FLOAT_SLACK = 1e-9;

export function differenceOf(a: Moves, b: Moves): Difference {
  let [rows, agreeing, worstRow, worst, squares] = [0, 0, -1, 0, 0];
  for (let row = 0; row < a.steps.length; row++) {
    const distance = Math.abs(a.steps[row]! - b.steps[row]!);
    if (Number.isNaN(distance)) continue;
    rows++;
    squares += distance ** 2;
    if (distance <= a.slack[row]! + b.slack[row]! + FLOAT_SLACK) agreeing++;
    if (distance > worst) [worst, worstRow] = [distance, row];
  }
  return { rows, agreeing: rows === 0 ? 0 : agreeing / rows, worstRow, worst, squares };
}

/** Fewer rows prove nothing. */
const ROWS_MIN = 10;
/** This share of the rows has to agree. The first row of a frame may differ, and so may a bar that one series lacks. */
const SAME_SHARE = 0.98;

export function areSame({ rows, agreeing }: Difference): boolean {
  return rows >= ROWS_MIN && agreeing >= SAME_SHARE;
}

/** The unit in which returns are the steps of a level. Undefined where there is none. */
export function unitOfSame(column: TableColumn, level: Moves): Unit | undefined {
  const units: readonly Unit[] = column.hasPercentSigns
    ? ["fraction"]
    : ["fraction", "log", "percent"];
  return units
    .map((unit) => ({ unit, difference: differenceOf(returnMoves(column, unit), level) }))
    .filter(({ difference }) => areSame(difference))
    .toSorted((a, b) => a.difference.squares - b.difference.squares)[0]?.unit;
}

/**
 * The unit of returns that follow a level on some bars, long or short, and are 0 on others, as a position times the
 * market's return does. Rows that fit two units don't count.
 */
export function unitOfHeld({ values, halfUnits }: TableColumn, level: Moves): Unit | undefined {
  const counts: Record<Unit, number> = { fraction: 0, percent: 0, log: 0 };
  const units = Object.keys(counts) as Unit[];
  const half = halfUnits();
  for (let row = 0; row < values.length; row++) {
    const [value, step] = [Math.abs(values[row]!), level.steps[row]!];
    if (!(value > 0) || Number.isNaN(step)) continue;
    const slack = half[row]! + level.slack[row]! + FLOAT_SLACK;
    const fits = {
      fraction: Math.abs(value - Math.abs(step)) <= slack,
      percent: Math.abs(value - 100 * Math.abs(step)) <= 100 * slack,
      log: Math.abs(value - Math.abs(Math.log1p(step))) <= slack,
    };
    const [only, ...others] = units.filter((unit) => fits[unit]);
    if (only !== undefined && others.length === 0) counts[only]++;
  }
  const [most, next] = units.toSorted((a, b) => counts[b] - counts[a]);
  return counts[most!] >= ROWS_MIN && counts[most!] >= 5 * counts[next!] ? most : undefined;
}
