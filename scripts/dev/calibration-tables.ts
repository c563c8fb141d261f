import { median } from "../../quant/sample-statistics.ts";
import type { Counted } from "./calibration-cell.ts";
import { AGAINST_COIN } from "./calibration-coins.ts";
import { markdown } from "./calibration-files.ts";
import { breaksBound, held, sizeOf, type CellResult } from "./calibration-results.ts";

type Column = readonly [name: Counted, title: string];

/** The methods that call skill. DSR is as published, with V = 1/(T - 1), then with our standard error. */
const METHODS: readonly Column[] = [
  ["psr", "PSR"],
  ["publishedDsr", "DSR"],
  ["adjustedDsr", "adjusted DSR"],
  ["stepDown", "step-down"],
  ["hansen", "SPA"],
  ["pbo", "PBO < 0.05"],
  ["verdict", "verdict"],
];
const OF_FAMILIES: readonly Counted[] = ["stepDown", "hansen", "pbo"];
const NONE = "-";

/** Names of the columns of `docs/calibration.csv`; those of the best one sent alone are empty where N is 1. */
const COUNTED_AS: readonly Column[] = [
  ["psr", "psr"],
  ["publishedDsr", "dsr"],
  ["adjustedDsr", "adjusted_dsr"],
  ["stepDown", "step_down"],
  ["hansen", "spa"],
  ["pbo", "pbo"],
  ["verdict", "skill"],
  ["luck", "luck"],
  ["withheld", "withheld"],
  ["alonePublished", "alone_psr"],
  ["aloneUndeclared", "alone_undeclared"],
  ["aloneAsOne", "alone_as_one"],
  ["aloneDeclared", "alone_declared"],
  ["aloneLuck", "alone_luck"],
];

/** Every cell: how many of its panels each method called skill, and the other outcomes. */
export function cellsCsv(results: readonly CellResult<Counted>[]): string {
  const titles = COUNTED_AS.map(([, title]) => title);
  const lines = results.map(({ cell, kind, made, counts }) => {
    const counted = COUNTED_AS.map(([name]) => {
      const isOfMany = OF_FAMILIES.includes(name) || name.startsWith("alone");
      return cell.variants === 1 && isOfMany ? "" : counts[name];
    });
    return [cell.variants, cell.bars, cell.edge, `"${cell.shape}"`, kind, made, ...counted];
  });
  return [["variants", "bars", "true_sharpe", "shape", "kind", "panels", ...titles], ...lines]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");
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
  if (results[0]?.cell.variants === 1 && OF_FAMILIES.includes(name)) return NONE;
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
