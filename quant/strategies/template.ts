import type { Market } from "./market.ts";

type Family = "trend" | "momentum" | "mean_reversion" | "breakout" | "volatility";

interface NamedParameter<Name extends string> {
  readonly name: Name;
  readonly title: string;
  /** Lengths in `days` are whole numbers, all others need not be. */
  readonly unit: string;
  readonly default: number;
}

/** A parameter with its least and its greatest legal value. */
export interface Parameter<Name extends string = string> extends NamedParameter<Name> {
  readonly min: number;
  readonly max: number;
  readonly integer: boolean;
}

export type Params<Name extends string = string> = Readonly<Record<Name, number>>;

/**
 * A parameterised long-or-flat trading rule with its 13 variants.
 *
 * How to read the rules: every value is that of the day's close, computed from the coin's whole history.
 * "Above" and "below" are strict. Values within 1e-11 of each other tie (`TIE`), and on a tie neither
 * holds. Nothing holds on a day on which one of the rule's values is still warming up. Entry and exit are
 * conditions of a day, not crossings; the engine acts on the entry condition when flat and on the exit
 * condition when long.
 */
export interface Template {
  /** Lower snake case: the `strategy` of a backtest, the `template` of a dataset run. */
  readonly name: string;
  readonly title: string;
  readonly family: Family;
  readonly description: string;
  readonly entryRule: string;
  readonly exitRule: string;
  readonly parameters: readonly Parameter[];
  /** Pairs of parameters of which the first must be below the second. */
  readonly order: readonly (readonly [lower: string, upper: string])[];
  /** Variant n of the API is `variants[n - 1]`; the first is the default. */
  readonly variants: readonly Params[];
  readonly references: readonly string[];
  /** Writes ENTER and EXIT conditions into `flags`, one byte for each row of the market's bars. */
  readonly rules: (market: Market, params: Params, flags: Uint8Array) => void;
}

/** A template as written in its file: with steps instead of variants, and rules that know their parameters. */
interface Definition<Name extends string> extends Omit<
  Template,
  "parameters" | "order" | "variants" | "rules"
> {
  readonly parameters: readonly NamedParameter<Name>[];
  /** The least and greatest legal values. With `order`, they let 200 rows warm up every legal set. */
  readonly bounds: { readonly [Key in Name]: readonly [min: number, max: number] };
  readonly order?: readonly (readonly [lower: Name, upper: Name])[];
  /** Step sizes of two parameters (a diamond) or of one (a ladder). */
  readonly steps: { readonly [Key in Name]?: number };
  /** Marks days in `flags`, which is all zero at first. */
  readonly rules: (market: Market, params: Params<Name>, flags: Uint8Array) => void;
}

export function template<Name extends string>(definition: Definition<Name>): Template {
  const { bounds, order = [], steps, rules, ...rest } = definition;
  const defaults = Object.fromEntries(
    rest.parameters.map(({ name, default: value }) => [name, value]),
  );
  return {
    ...rest,
    parameters: rest.parameters.map((parameter) => {
      const [min, max] = bounds[parameter.name];
      return { ...parameter, min, max, integer: parameter.unit === "days" };
    }),
    order,
    variants: offsetsOf(Object.entries<number | undefined>(steps)).map((offset) => {
      const moved = Object.entries(offset).map(([name, by]) => [name, tidy(defaults[name]! + by)]);
      return { ...defaults, ...Object.fromEntries(moved) };
    }),
    rules(market, params, flags) {
      flags.fill(0);
      rules(market, params as Params<Name>, flags); // every variant has every parameter of its template
    },
  };
}

/** The flags of one variant in a new array, one byte per day: `ENTER`, `EXIT`, both or none. */
export function flagsOf(template: Template, market: Market, params: Params): Uint8Array {
  const flags = new Uint8Array(market.bars.day.length);
  template.rules(market, params, flags);
  return flags;
}

/**
 * The 13 points around a default, nearest first. Two parameters: all with |i| + |j| <= 2 steps. One
 * parameter: six steps to each side.
 */
const DIAMOND = [
  [0, 0],
  [-1, 0],
  [1, 0],
  [0, -1],
  [0, 1],
  [-2, 0],
  [2, 0],
  [0, -2],
  [0, 2],
  [-1, -1],
  [-1, 1],
  [1, -1],
  [1, 1],
] as const;
const LADDER = [0, -1, 1, -2, 2, -3, 3, -4, 4, -5, 5, -6, 6] as const;

function offsetsOf(steps: [name: string, step: number | undefined][]): Record<string, number>[] {
  const [first, second] = steps.map(([name, step = 0]) => ({ name, step }));
  if (first === undefined || steps.length > 2)
    throw new RangeError("one or two parameters have steps");
  if (second === undefined) return LADDER.map((i) => ({ [first.name]: i * first.step }));
  return DIAMOND.map(([i, j]) => ({
    [first.name]: i * first.step,
    [second.name]: j * second.step,
  }));
}

/** Removes rounding error: 0.02 + 2 x 0.005 becomes 0.03, not 0.030000000000000002. */
export function tidy(value: number): number {
  return Number(value.toFixed(6));
}
