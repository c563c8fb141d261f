import { randomBelow, seededRandom } from "../overfitting/seeded-random.ts";
import { mean, median, quantile } from "../sample-statistics.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import type { CellOfCoin } from "./choice-figures.ts";
import { rangeOf, type Figure } from "./figure.ts";
import type { CellRecord } from "./record.ts";

const SHUFFLES = 1000;
/** Share of the shuffles below their range, and above it. */
const TAIL = 0.05;

/** Of a part of the dataset: how many picks, and of the whole how many rules, did better than their settings. */
export function settingsFigures(cells: readonly CellRecord[], isAll: boolean): Figure[] {
  const afterwards = cells.map((cell) => {
    const runs = cell.runs.map(({ segments: { inSample, outOfSample } }) =>
      Number.isNaN(inSample.sharpe) ? NaN : outOfSample.sharpe,
    );
    return { template: cell.template, pick: cell.pick, runs, settings: mean(runs) };
  });
  const templates = isAll ? [...new Set(cells.map(({ template }) => template))] : [];
  const rules = templates.map((template) => {
    const own = afterwards.filter((cell) => cell.template === template);
    const medianOf = (runOf: (cell: (typeof own)[number]) => number) =>
      median(own.map((cell) => cell.runs[runOf(cell)] ?? NaN));
    return {
      pick: medianOf(({ pick }) => pick),
      runs: Array.from({ length: VARIANTS_PER_TEMPLATE }, (_, run) => medianOf(() => run)),
      settings: median(own.map(({ settings }) => settings)),
    };
  });
  const picks = afterwards.map(({ pick, ...cell }) => ({ ...cell, pick: cell.runs[pick] ?? NaN }));
  return [aboveFigure("picks_above_settings", picks), aboveFigure("rules_above_settings", rules)];
}

interface Compared {
  readonly pick: number;
  readonly runs: readonly number[];
  readonly settings: number;
}

/** How many picks are above the mean of their settings, beside each setting that is fixed in advance for all. */
function aboveFigure(name: string, all: readonly Compared[]): Figure {
  const known = all.filter(({ pick }) => !Number.isNaN(pick));
  const above = (valueOf: (each: Compared) => number) =>
    known.filter((each) => valueOf(each) > each.settings).length;
  const fixed = Array.from({ length: VARIANTS_PER_TEMPLATE }, (_, run) =>
    above(({ runs }) => runs[run] ?? NaN),
  );
  return {
    name,
    value: known.length === 0 ? NaN : above(({ pick }) => pick),
    coinFlip: known.length === 0 ? NaN : mean(fixed),
    count: known.length,
    ...(known.length > 1 && { range: rangeOf(fixed) }),
  };
}

/**
 * Of the variance of the picks' out-of-sample Sharpe, the share between coins, and between templates: the squares of the
 * groups' means about the whole mean over the squares of all. The range is that of shuffled names. Only of the whole
 * dataset.
 */
export function varianceFigures(cells: readonly CellOfCoin[], isAll: boolean): Figure[] {
  const picks = cells.flatMap(({ coin, cell }) => {
    const sharpe = cell.runs[cell.pick]?.segments.outOfSample.sharpe ?? NaN;
    return Number.isNaN(sharpe) ? [] : [{ sharpe, coin: coin.coin, template: cell.template }];
  });
  return [
    between("coin_share_of_variance", isAll ? picks : [], ({ coin }) => coin),
    between("template_share_of_variance", isAll ? picks : [], ({ template }) => template),
  ];
}

function between<Pick extends { readonly sharpe: number }>(
  name: string,
  picks: readonly Pick[],
  nameOf: (pick: Pick) => string,
): Figure {
  const names = [...new Set(picks.map(nameOf))];
  const groups = Int32Array.from(picks, (pick) => names.indexOf(nameOf(pick)));
  const centre = mean(picks.map(({ sharpe }) => sharpe));
  const distances = Float64Array.from(picks, ({ sharpe }) => sharpe - centre);
  const whole = distances.reduce((sum, distance) => sum + distance ** 2, 0);
  const sums = new Float64Array(names.length);
  const counts = new Int32Array(names.length);
  const shareOf = () => {
    sums.fill(0);
    counts.fill(0);
    for (const [at, group] of groups.entries()) {
      sums[group]! += distances[at]!;
      counts[group]!++;
    }
    return sums.reduce((sum, each, group) => sum + each ** 2 / counts[group]!, 0) / whole;
  };
  const isKnown = names.length > 1 && whole > 0;
  const value = isKnown ? shareOf() : NaN;
  const random = seededRandom(0, 0);
  const shuffled = Array.from({ length: isKnown ? SHUFFLES : 0 }, () => {
    for (let last = groups.length - 1; last > 0; last--) {
      const other = randomBelow(last + 1, random);
      [groups[last], groups[other]] = [groups[other]!, groups[last]!];
    }
    return shareOf();
  });
  return {
    name,
    value,
    coinFlip: isKnown ? (names.length - 1) / (picks.length - 1) : NaN,
    count: isKnown ? picks.length : 0,
    ...(isKnown && { range: [quantile(shuffled, TAIL), quantile(shuffled, 1 - TAIL)] as const }),
  };
}
