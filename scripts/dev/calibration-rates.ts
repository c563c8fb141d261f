import type { ErrorRates } from "../../quant/check/report.ts";
import { median } from "../../quant/sample-statistics.ts";
import type { CellCounts } from "./calibration-cell.ts";
import type { CellResult } from "./calibration-results.ts";

type Basis = "family_step_down" | "one_series";

/** Real coins have as many variants as there are runs; they count among the largest panels. */
const SIZES = [1, 13, 200];

/** What is counted under each basis. A series that is the best of N is sent alone, with N declared. */
const SKILL = { family_step_down: "verdict", one_series: "aloneDeclared" } as const;
const LUCK = { family_step_down: "luck", one_series: "aloneLuck" } as const;

/**
 * The verdict's error rates at each size and length: the highest share of a false skill over all shapes but those marked
 * as not controlled, and the medians over them of the shares called skill and luck at a planted edge. Shares have three
 * decimals, as percents in the tables have one.
 */
export function measuredRates(results: readonly CellResult[]): Record<Basis, ErrorRates[]> {
  const held = results.filter(({ kind }) => kind !== "not controlled");
  return {
    family_step_down: ratesOf(held, "family_step_down"),
    one_series: ratesOf(held, "one_series"),
  };
}

function ratesOf(results: readonly CellResult[], basis: Basis): ErrorRates[] {
  const sizes = SIZES.filter((size) => basis === "one_series" || size > 1);
  const lengths = [...new Set(results.map(({ cell }) => cell.bars))];
  return sizes.flatMap((variants) => {
    const counted = variants > 1 ? basis : "family_step_down"; // a single one is a panel of its own
    return lengths.map((bars) => {
      const shares = (edge: number, name: keyof CellCounts) =>
        results
          .filter(({ cell }) => cell.bars === bars && cell.edge === edge)
          .filter(({ cell }) => sizeOf(cell.variants) === variants)
          .map(({ counts, panels }) => Math.round((1000 * counts[name]) / panels) / 1000);
      return {
        variants,
        bars,
        falseSkill: Math.max(...shares(0, SKILL[counted])),
        power1: median(shares(1, SKILL[counted])),
        power2: median(shares(2, SKILL[counted])),
        falseLuck1: median(shares(1, LUCK[counted])),
        falseLuck2: median(shares(2, LUCK[counted])),
      };
    });
  });
}

function sizeOf(variants: number): number {
  return variants > 13 ? 200 : variants;
}
