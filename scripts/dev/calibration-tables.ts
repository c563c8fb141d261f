import { median } from "../../quant/sample-statistics.ts";
import type { CellCounts } from "./calibration-cell.ts";
import { AGAINST_COIN } from "./calibration-coins.ts";
import { breaksBound, type CellResult } from "./calibration-results.ts";

type Column = readonly [name: keyof CellCounts, title: string];

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
const OF_FAMILIES: readonly (keyof CellCounts)[] = ["stepDown", "hansen", "pbo"];
const OUTCOMES: readonly Column[] = [
  ["luck", "luck"],
  ["withheld", "withheld"],
];
const NONE = "-";

/** Shares called skill where none has an edge. Bold: more than 7 %, by an exact binomial test at 1 %. */
export function nullTable(results: readonly CellResult[]): string[] {
  const rows = results.filter(({ cell }) => cell.edge === 0);
  return table(rows, [...METHODS, ...OUTCOMES]);
}

/** Names of the columns of `docs/calibration.csv`; those of the best one sent alone are empty where N is 1. */
const COUNTED_AS: readonly (readonly [name: keyof CellCounts, title: string])[] = [
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
export function cellsCsv(results: readonly CellResult[]): string {
  const titles = COUNTED_AS.map(([, title]) => title);
  const lines = results.map(({ cell, kind, panels, counts }) => {
    const counted = COUNTED_AS.map(([name]) => {
      const isOfMany = OF_FAMILIES.includes(name) || name.startsWith("alone");
      return cell.variants === 1 && isOfMany ? "" : counts[name];
    });
    return [cell.variants, cell.bars, cell.edge, `"${cell.shape}"`, kind, panels, ...counted];
  });
  return [["variants", "bars", "true_sharpe", "shape", "kind", "panels", ...titles], ...lines]
    .map((cells) => `${cells.join(",")}\n`)
    .join("");
}

function table(rows: readonly CellResult[], columns: readonly Column[]): string[] {
  const titles = ["N", "T", "shape", "panels", ...columns.map(([, title]) => title)];
  const lines = rows.map((result) => {
    const { cell, kind, panels } = result;
    const shape = kind === "controlled" ? cell.shape : `${cell.shape} (${kind})`;
    return [
      cell.variants,
      cell.bars,
      shape,
      panels,
      ...columns.map(([name]) => share(result, name)),
    ];
  });
  return markdown([titles, ...lines]);
}

/** In percent; bold where it is the share of a false skill and breaks the bound. */
function share({ cell, panels, counts }: CellResult, name: keyof CellCounts): string {
  if (cell.variants === 1 && OF_FAMILIES.includes(name)) return NONE;
  const text = ((100 * counts[name]) / panels).toFixed(1);
  const isFalse = cell.edge === 0 && name !== "luck" && name !== "withheld";
  return isFalse && breaksBound(counts[name], panels) ? `**${text}**` : text;
}

export function markdown(rows: readonly (readonly (string | number)[])[]): string[] {
  const rule = rows[0]!.map(() => "---");
  return [rows[0]!, rule, ...rows.slice(1)].map((cells) => `| ${cells.join(" | ")} |`);
}

/**
 * For each size and method three percentages: the highest share of a false skill, and the medians of the shares found
 * with a planted edge of 1 and of 2, over all shapes but those marked as not controlled. Methods that know no coin are
 * not measured against it: there, its drift is an edge.
 */
export function summaryTable(results: readonly CellResult[]): string[] {
  const held = results.filter(({ kind }) => kind !== "not controlled");
  const sizes = new Set(held.map(({ cell }) => sizeText(cell.variants)));
  const lengths = new Set(held.map(({ cell }) => cell.bars));
  const lines = [...sizes].flatMap((size) =>
    [...lengths].map((bars) => {
      const ofSize = held.filter(
        ({ cell }) => sizeText(cell.variants) === size && cell.bars === bars,
      );
      return [size, bars, ...METHODS.map(([name]) => summary(ofSize, name))];
    }),
  );
  return markdown([["N", "T", ...METHODS.map(([, title]) => title)], ...lines]);
}

function sizeText(variants: number): string {
  return variants > 13 ? "200, 286" : String(variants);
}

function summary(results: readonly CellResult[], name: keyof CellCounts): string {
  if (results[0]?.cell.variants === 1 && OF_FAMILIES.includes(name)) return NONE;
  const knowsCoin = name === "verdict" || name === "stepDown";
  const measured = results.filter(({ cell }) => knowsCoin || cell.shape !== AGAINST_COIN);
  const shares = (edge: number) =>
    measured
      .filter(({ cell }) => cell.edge === edge)
      .map(({ counts, panels }) => (100 * counts[name]) / panels);
  const breaks = measured.some(
    ({ cell, counts, panels }) => cell.edge === 0 && breaksBound(counts[name], panels),
  );
  const worst = Math.max(...shares(0)).toFixed(1);
  const found = [1, 2].map((edge) => median(shares(edge)).toFixed(0));
  return [breaks ? `**${worst}**` : worst, ...found].join(" / ");
}
