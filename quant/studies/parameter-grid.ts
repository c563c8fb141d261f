import { pickOf } from "../robustness/cell-premium.ts";
import { median } from "../sample-statistics.ts";
import { parameterOf, refusedSet } from "../strategies/legal.ts";
import { tidy, type Params, type Template } from "../strategies/template.ts";

interface ValueRange {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

/** Values of one parameter: a list, or a range by steps that includes its end. */
export type Values = readonly number[] | ValueRange;

export type AskedValues = Readonly<Record<string, Values>>;

/** Most combinations that are expanded, illegal ones included. */
const PRODUCT_MAX = 20_000;
export const SETS_MAX = 2_000;

interface Axis {
  readonly name: string;
  /** Ascending, each once. */
  readonly values: readonly number[];
}

/** The legal sets of a template over lists of values, the last parameter turning fastest. */
export interface ParameterGrid {
  readonly template: Template;
  /** Of every parameter; one that wasn't given has its default alone. */
  readonly axes: readonly Axis[];
  readonly sets: readonly Params[];
  /** Sets that were left out because they are not legal. */
  readonly illegal: number;
}

/** Expands a requested grid. Throws RangeError, with a message for the caller, where there is nothing to run. */
export function parameterGrid(template: Template, asked: AskedValues): ParameterGrid {
  for (const name of Object.keys(asked)) parameterOf(template, name);
  const axes = template.parameters.map(({ name, default: value }) => {
    return { name, values: valuesOf(name, asked[name] ?? [value]) };
  });
  const product = axes.reduce((count, { values }) => count * values.length, 1);
  if (product > PRODUCT_MAX) {
    throw new RangeError(`at most ${PRODUCT_MAX} combinations are expanded, got ${product}`);
  }
  const all = axes.reduce<Params[]>(
    (sets, { name, values }) =>
      sets.flatMap((set) => values.map((value) => ({ ...set, [name]: value }))),
    [{}],
  );
  const sets = all.filter((set) => refusedSet(template, set) === undefined);
  if (sets.length === 0) throw new RangeError(`no legal set: ${refusedSet(template, all.at(-1)!)}`);
  if (sets.length > SETS_MAX) {
    throw new RangeError(`at most ${SETS_MAX} legal sets, got ${sets.length}`);
  }
  return { template, axes, sets, illegal: product - sets.length };
}

function valuesOf(name: string, asked: Values): number[] {
  const values = "from" in asked ? steps(name, asked) : asked.map(tidy);
  if (values.length === 0) throw new RangeError(`"${name}" needs a value`);
  return [...new Set(values)].sort((a, b) => a - b);
}

function steps(name: string, { from, to, step }: ValueRange): number[] {
  if (!(step > 0) || !(to >= from)) {
    throw new RangeError(
      `"${name}" must go from a value to one at least as high by a step above 0, got ${from} to ${to} by ${step}`,
    );
  }
  const count = Math.floor((to - from) / step + 1e-9) + 1; // 0.1 to 0.3 by 0.1 are three
  if (count > PRODUCT_MAX) {
    throw new RangeError(`"${name}" has ${count} values, at most ${PRODUCT_MAX} are expanded`);
  }
  return Array.from({ length: count }, (_, index) => tidy(from + index * step));
}

/** The values in a text such as "5, 10, 20", or "50..200:10" for from, to and step. Throws RangeError. */
export function typedValues(name: string, text: string): Values {
  const range = /^([^.]+(?:\.\d+)?)\.\.([^:]+):(.+)$/.exec(text);
  const [from, to, step] = (range?.slice(1) ?? []).map(number);
  if (from === undefined) return text.split(",").map(number);
  return { from, to: to!, step: step! }; // three groups

  function number(part: string): number {
    const value = Number(part);
    if (part.trim() !== "" && Number.isFinite(value)) return value;
    throw new RangeError(`"${name}" takes numbers such as 5, 10, 20 or 50..200:10, got "${text}"`);
  }
}

/** Indices of the sets that differ from one by a neighbouring value of one parameter. */
export function neighboursOf({ axes, sets }: ParameterGrid, set: number): number[] {
  const own = sets[set]!; // the index of a set
  return [...sets.keys()].filter((other) => {
    const [axis, ...more] = axes.filter(({ name }) => sets[other]![name] !== own[name]);
    if (axis === undefined || more.length > 0) return false;
    const [from, to] = [own, sets[other]!].map((params) => axis.values.indexOf(params[axis.name]!));
    return Math.abs(to! - from!) === 1;
  });
}

/** With fewer neighbours that move, a drop says nothing. */
const NEIGHBOURS_MIN = 2;

/**
 * The index of the set with the highest Sharpe ratio (-1 where none moves), and how far it stands above its neighbours:
 * its annual Sharpe ratio less the median of theirs, NaN with fewer than two that move.
 */
export function flatnessOf(grid: ParameterGrid, sharpes: readonly number[]) {
  const best = pickOf(sharpes);
  if (best < 0) return { best, drop: NaN, neighbours: 0 };
  const around = neighboursOf(grid, best)
    .map((set) => sharpes[set]!) // each set has one
    .filter((sharpe) => !Number.isNaN(sharpe));
  const drop = around.length < NEIGHBOURS_MIN ? NaN : sharpes[best]! - median(around);
  return { best, drop, neighbours: around.length };
}

/** A set in words: the parameters that vary in the grid, or all of them in a grid of one. */
export function setLabel({ axes }: Pick<ParameterGrid, "axes">, params: Params): string {
  const varied = axes.filter(({ values }) => values.length > 1);
  const named = varied.length > 0 ? varied : axes;
  return named.map(({ name }) => `${name} ${params[name]}`).join(", ");
}
