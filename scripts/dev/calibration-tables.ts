import type { ErrorRates } from "../../quant/check/report.ts";
import { median } from "../../quant/sample-statistics.ts";
import { COUNTED, type Counted } from "./calibration-cell.ts";
import { AGAINST_COIN } from "./calibration-coins.ts";
import { cellsCsv, markdown } from "./calibration-files.ts";
import { breaksBound, bySize, shareOf, type Cell, type CellResult } from "./calibration-results.ts";

type Result = CellResult<Counted>;

/** The methods that call skill. DSR is as published, with V = 1/(T - 1), then with our standard error. */
const METHODS: readonly (readonly [name: Counted, title: string])[] = [
  ["psr", "PSR"],
  ["publishedDsr", "DSR"],
  ["adjustedDsr", "adjusted DSR"],
  ["stepDown", "step-down"],
  ["hansen", "SPA"],
  ["pbo", "PBO < 0.05"],
  ["asOne", "as the only try"],
  ["verdict", "verdict"],
];
const NONE = "-";
const ACTIVE_SIZES = [42, 100, 250, 750, 1500];
/** Days with a return of the shapes that trade seldom. */
const ACTIVE: Readonly<Record<string, (bars: number) => number>> = {
  "42 days, skew -6.2": () => 42,
  "42 days, skew -1.75": () => 42,
  "100 days, skew -6.2": () => 100,
  "100 days, skew -1.75": () => 100,
  "in the market 5 %": (bars) => bars / 20,
};

/** Whether it is counted on families or, if not, on the best of them sent alone. */
function isCounted(name: Counted, [first]: readonly Result[]): boolean {
  const isAlone = first?.cell.alone === true;
  return name === "asOne" ? isAlone : !isAlone || !["stepDown", "hansen", "pbo"].includes(name);
}

/** Every cell. */
export function checkCsv(results: readonly Result[]): string {
  const names = (Object.keys(COUNTED) as Counted[]).filter((name) => isCounted(name, results));
  const columns = Object.fromEntries(names.map((name) => [name, COUNTED[name]]));
  return cellsCsv(results, { made: "panels", columns });
}

/** The number of bars of a cell. Series alone have active ones, of those that are measured the nearest. */
function barsOf({ shape, bars, alone = false }: Cell): number {
  if (!alone) return bars;
  const active = ACTIVE[shape]?.(bars) ?? bars;
  const apart = (size: number) => Math.abs(Math.log(size / active));
  return ACTIVE_SIZES.reduce((best, size) => (apart(size) < apart(best) ? size : best));
}

/**
 * For each size and method three percentages: the highest share of a false skill, and the medians of the shares found
 * with a planted edge of 1 and of 2, over all shapes but those marked as not controlled. Methods that know no coin are
 * not measured against it: there, its drift is an edge. Bold: the bound is broken in a cell.
 */
export function summaryTable(results: readonly Result[]): string[] {
  const methods = METHODS.filter(([name]) => isCounted(name, results));
  const lines = bySize(results, barsOf).map(({ variants, bars, own }) => {
    const isFamilies = variants === 200 && own[0]!.cell.alone !== true;
    return [
      isFamilies ? "200, 286" : variants,
      bars,
      ...methods.map(([name]) => summary(own, name)),
    ];
  });
  return markdown([["N", "T", ...methods.map(([, title]) => title)], ...lines]);
}

function summary(results: readonly Result[], name: Counted): string {
  const knowsCoin = name === "verdict" || name === "stepDown" || name === "asOne";
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
 * The error rates of the verdict at each size: the highest share of false skill over all shapes but those that are not
 * controlled, and the medians of the shares called skill and luck at a planted edge. Sizes that were not measured at each
 * edge are left out.
 */
export function measuredRates(results: readonly Result[]): ErrorRates[] {
  return bySize(results, barsOf).flatMap(({ variants, bars, own }) => {
    const shares = (edge: number, name: Counted) =>
      own.filter(({ cell }) => cell.edge === edge).map((result) => shareOf(result, name));
    if ([0, 1, 2].some((edge) => shares(edge, "verdict").length === 0)) return [];
    const middle = (edge: number, name: Counted) => Number(median(shares(edge, name)).toFixed(4));
    return {
      variants,
      bars,
      falseSkill: Math.max(...shares(0, "verdict")),
      power1: middle(1, "verdict"),
      power2: middle(2, "verdict"),
      falseLuck1: middle(1, "luck"),
      falseLuck2: middle(2, "luck"),
      panels: Math.min(...own.map(({ made }) => made)),
    };
  });
}
