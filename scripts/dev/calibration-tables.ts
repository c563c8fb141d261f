import type { ErrorRates } from "../../quant/check/report.ts";
import { median } from "../../quant/sample-statistics.ts";
import { COUNTED, type Counted } from "./calibration-cell.ts";
import { AGAINST_COIN } from "./calibration-coins.ts";
import { cellsCsv, markdown } from "./calibration-files.ts";
import { breaksBound, held, shareOf, sizeOf, type CellResult } from "./calibration-results.ts";

/** The methods that call skill. DSR is as published, with V = 1/(T - 1), then with our standard error. */
const METHODS: readonly (readonly [name: Counted, title: string])[] = [
  ["psr", "PSR"],
  ["publishedDsr", "DSR"],
  ["adjustedDsr", "adjusted DSR"],
  ["stepDown", "step-down"],
  ["hansen", "SPA"],
  ["pbo", "PBO < 0.05"],
  ["verdict", "verdict"],
];
const NONE = "-";

/** Every cell. */
export function checkCsv(results: readonly CellResult<Counted>[]): string {
  return cellsCsv(results, { made: "panels", columns: COUNTED });
}

/**
 * For each size and method three percentages: the highest share of a false skill, and the medians of the shares found
 * with a planted edge of 1 and of 2, over all shapes but those marked as not controlled. Methods that know no coin are
 * not measured against it: there, its drift is an edge. Bold: the bound is broken in a cell.
 */
export function summaryTable(results: readonly CellResult<Counted>[]): string[] {
  const all = held(results);
  const sizes = new Set(all.map(({ cell }) => sizeOf(cell.variants)));
  const lengths = new Set(all.map(({ cell }) => cell.bars));
  const lines = [...sizes].flatMap((size) =>
    [...lengths].map((bars) => {
      const ofSize = all.filter(({ cell }) => sizeOf(cell.variants) === size && cell.bars === bars);
      const cells = METHODS.map(([name]) => summary(ofSize, name));
      return [size === 200 ? "200, 286" : size, bars, ...cells];
    }),
  );
  return markdown([["N", "T", ...METHODS.map(([, title]) => title)], ...lines]);
}

function summary(results: readonly CellResult<Counted>[], name: Counted): string {
  const knowsCoin = name === "verdict" || name === "stepDown";
  const measured = results.filter(({ cell }) => knowsCoin || cell.shape !== AGAINST_COIN);
  const shares = (edge: number) =>
    measured
      .filter(({ cell }) => cell.edge === edge)
      .map(({ counts, made }) => (100 * counts[name]) / made);
  const breaks = measured.some(
    ({ cell, counts, made }) => cell.edge === 0 && breaksBound(counts[name], made),
  );
  const worst = Math.max(...shares(0)).toFixed(1);
  const found = [1, 2].map(shares).map((all) => (all.length === 0 ? NONE : median(all).toFixed(0)));
  return [breaks ? `**${worst}**` : worst, ...found].join(" / ");
}

/**
 * The error rates of the verdict at each size and length: the highest share of false skill over all shapes but those
 * that are not controlled, and the medians of the shares called skill and luck at a planted edge.
 */
export function measuredRates(results: readonly CellResult<Counted>[]): ErrorRates[] {
  const all = held(results);
  const lengths = [...new Set(all.map(({ cell }) => cell.bars))];
  return [13, 200].flatMap((variants) =>
    lengths.map((bars) => {
      const shares = (edge: number, name: Counted) =>
        all
          .filter(({ cell }) => cell.bars === bars && cell.edge === edge)
          .filter(({ cell }) => sizeOf(cell.variants) === variants)
          .map((result) => shareOf(result, name));
      return {
        variants,
        bars,
        falseSkill: Math.max(...shares(0, "verdict")),
        power1: median(shares(1, "verdict")),
        power2: median(shares(2, "verdict")),
        falseLuck1: median(shares(1, "luck")),
        falseLuck2: median(shares(2, "luck")),
      };
    }),
  );
}
