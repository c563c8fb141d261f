import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import type { Range } from "./pbo-of-ranges.ts";

/**
 * Where the runs of each template are in a list of some of the grid's runs, in the grid's order. They are
 * neighbours in the grid, and stay so when others are dropped.
 */
export function templateRanges(runs: readonly number[]): Range[] {
  let to = 0;
  return STUDIED.map((_, template) => {
    const from = to;
    while (to < runs.length && runs[to]! < (template + 1) * VARIANTS_PER_TEMPLATE) to++;
    return { from, to };
  });
}
