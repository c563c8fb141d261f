import type { ErrorRates } from "../../quant/check/report.ts";
import { median } from "../../quant/sample-statistics.ts";
import type { Counted } from "./calibration-cell.ts";
import { held, shareOf, sizeOf, type CellResult } from "./calibration-results.ts";

type Basis = "family_step_down" | "one_series";

const SIZES = [1, 13, 200];

/** The counts behind each basis. The best of N series is sent alone, with N declared. */
const SKILL = { family_step_down: "verdict", one_series: "aloneDeclared" } as const;
const LUCK = { family_step_down: "luck", one_series: "aloneLuck" } as const;

/**
 * The error rates of the verdict at each size and length: the highest share of false skill over all shapes but those
 * that are not controlled, and the medians of the shares called skill and luck at a planted edge.
 */
export function measuredRates(
  results: readonly CellResult<Counted>[],
): Record<Basis, ErrorRates[]> {
  const all = held(results);
  return {
    family_step_down: ratesOf(all, "family_step_down"),
    one_series: ratesOf(all, "one_series"),
  };
}

function ratesOf(results: readonly CellResult<Counted>[], basis: Basis): ErrorRates[] {
  const sizes = SIZES.filter((size) => basis === "one_series" || size > 1);
  const lengths = [...new Set(results.map(({ cell }) => cell.bars))];
  return sizes.flatMap((variants) => {
    const counted = variants > 1 ? basis : "family_step_down"; // a single one is a panel of its own
    return lengths.map((bars) => {
      const shares = (edge: number, name: Counted) =>
        results
          .filter(({ cell }) => cell.bars === bars && cell.edge === edge)
          .filter(({ cell }) => sizeOf(cell.variants) === variants)
          .map((result) => shareOf(result, name));
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
