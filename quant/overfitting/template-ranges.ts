import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import type { Range } from "./pbo-of-ranges.ts";

/**
 * The places of each template's runs in a list of some of the grid's runs. In the grid's order they adjoin, and they
 * still do when others are left out.
 */
export function templateRanges(runs: readonly number[]): Range[] {
  let to = 0;
  return STUDIED.map((_, template) => {
    const from = to;
    while (to < runs.length && runs[to]! < (template + 1) * VARIANTS_PER_TEMPLATE) to++;
    return { from, to };
  });
}
