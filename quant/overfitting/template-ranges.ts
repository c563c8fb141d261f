import { CATALOGUE, VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import type { Range } from "./pbo-of-ranges.ts";

/**
 * The runs of each template as a range of the runs that moved, which are indices of a grid's runs, ascending.
 * A template's runs are neighbours in the grid and stay so when flat ones are dropped.
 */
export function templateRanges(moving: readonly number[]): Range[] {
  const before = (run: number) => moving.filter((other) => other < run).length;
  return CATALOGUE.map((_, set) => ({
    from: before(set * VARIANTS_PER_TEMPLATE),
    to: before((set + 1) * VARIANTS_PER_TEMPLATE),
  }));
}
