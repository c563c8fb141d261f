import { completed, parameterOf, refusedSet } from "../strategies/legal.ts";
import { tidy, type Params, type Template } from "../strategies/template.ts";

/** Values of one parameter: each of a list, or from the first by steps up to the last, which is included. */
export type Values =
  | readonly number[]
  | { readonly from: number; readonly to: number; readonly step: number };

export type AskedValues = Readonly<Record<string, Values>>;

/** Sets of all values together, illegal ones included. */
const PRODUCT_MAX = 20_000;
export const SETS_MAX = 2_000;

interface Axis {
  readonly name: string;
  /** Ascending, each once. */
  readonly values: readonly number[];
}

/** The legal sets of a template over lists of values; the last parameter turns fastest. */
export interface ParameterGrid {
  readonly template: Template;
  /** Of every parameter; one that was not asked for has its default alone. */
  readonly axes: readonly Axis[];
  readonly sets: readonly Params[];
  /** Place of each set in the product of all values. */
  readonly places: readonly number[];
  /** Sets that were left out because they are not legal. */
  readonly illegal: number;
}

/** Expands what was asked for. Throws RangeError, with a message for the caller, where there is nothing to run. */
export function parameterGrid(template: Template, asked: AskedValues): ParameterGrid {
  for (const name of Object.keys(asked)) parameterOf(template, name);
  const axes = template.parameters.map(({ name, default: value }) => {
    return { name, values: valuesOf(name, asked[name] ?? [value]) };
  });
  const product = axes.reduce((count, { values }) => count * values.length, 1);
  if (product > PRODUCT_MAX) {
    throw new RangeError(`at most ${PRODUCT_MAX} combinations are expanded, got ${product}`);
  }
  const sets: Params[] = [];
  const places: number[] = [];
  let refused = "";
  for (let place = 0; place < product; place++) {
    const params = setAt(axes, place);
    const why = refusedSet(template, params);
    if (why !== undefined) {
      refused = why;
      continue;
    }
    sets.push(params);
    places.push(place);
  }
  if (sets.length === 0) throw new RangeError(`no legal set: ${refused}`);
  if (sets.length > SETS_MAX) {
    throw new RangeError(`at most ${SETS_MAX} legal sets, got ${sets.length}`);
  }
  return { template, axes, sets, places, illegal: product - sets.length };
}

function valuesOf(name: string, asked: Values): number[] {
  const values = "from" in asked ? steps(name, asked) : asked.map(tidy);
  if (values.length === 0) throw new RangeError(`"${name}" needs a value`);
  return [...new Set(values)].sort((a, b) => a - b);
}

function steps(
  name: string,
  { from, to, step }: { readonly from: number; readonly to: number; readonly step: number },
): number[] {
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

/** Values as they are typed: "5, 10, 20", or "50..200:10" for from, to and step. Throws RangeError. */
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

function setAt(axes: readonly Axis[], place: number): Params {
  let rest = place;
  const chosen = axes
    .toReversed()
    .map(({ name, values }) => {
      const value = values[rest % values.length]!; // an index below the length
      rest = Math.floor(rest / values.length);
      return [name, value] as const;
    })
    .toReversed();
  return Object.fromEntries(chosen) as Params;
}

/** Indices of the sets that differ from one by a neighbouring value of one parameter. */
export function neighboursOf({ axes, places }: ParameterGrid, set: number): number[] {
  const setOf = new Map(places.map((place, index) => [place, index]));
  const place = places[set]!; // the index of a set
  const found: number[] = [];
  let stride = 1;
  for (const { values } of axes.toReversed()) {
    const digit = Math.floor(place / stride) % values.length;
    for (const step of [-1, 1]) {
      if (digit + step < 0 || digit + step >= values.length) continue;
      const neighbour = setOf.get(place + step * stride);
      if (neighbour !== undefined) found.push(neighbour);
    }
    stride *= values.length;
  }
  return found;
}

/** The set in words: the parameters that vary, or all of a single set. */
export function setLabel({ axes }: Pick<ParameterGrid, "axes">, params: Params): string {
  const varied = axes.filter(({ values }) => values.length > 1);
  const named = varied.length > 0 ? varied : axes;
  return named.map(({ name }) => `${name} ${params[name]}`).join(", ");
}

/** A grid of one set. */
export function singleSet(template: Template, params: Params): ParameterGrid {
  const whole = completed(template, params);
  return parameterGrid(
    template,
    Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, [value]])),
  );
}
