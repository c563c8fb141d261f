import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { CheckOptions } from "../../quant/check/check-options.ts";
import { adjustedClaims, publishedClaims } from "../../quant/check/claims.ts";
import { distinctColumns } from "../../quant/check/distinct-columns.ts";
import { judge } from "../../quant/check/judge.ts";
import type { ErrorRates } from "../../quant/check/report.ts";
import { sharpeOf } from "../../quant/check/selected-variant.ts";
import { inferSharpe } from "../../quant/check/sharpe-inference.ts";
import { seededRandom } from "../../quant/overfitting/seeded-random.ts";
import { median } from "../../quant/sample-statistics.ts";
import { addEdge, seedOf, shapesWith, SOURCE } from "./calibration-cell.ts";
import { cellsCsv, markdown, writeBelow, writeRows } from "./calibration-files.ts";
import {
  breaksBound,
  countsOf,
  held,
  shareOf,
  sizeOf,
  type Calibration,
  type Cell,
  type CellResult,
  type ChunkJob,
  type Counts,
  type Extent,
} from "./calibration-results.ts";
import {
  DEVIATION,
  filled,
  normal,
  overlapping,
  shapesOf,
  type DrawColumn,
  type MadePanel,
  type Shape,
} from "./calibration-shapes.ts";

/** What is counted of the best variant, sent alone with the true number of tries, or (`as_one`) as the only one. */
export const SERIES_COUNTED = {
  psr: "psr",
  publishedDsr: "dsr",
  adjustedDsr: "adjusted_dsr",
  skill: "skill",
  luck: "luck",
  withheld: "withheld",
  asOne: "as_one",
} as const;
export type SeriesCounted = keyof typeof SERIES_COUNTED;
type SeriesResult = CellResult<SeriesCounted>;

const CONFIDENCE = 0.95;
const DAYS_PER_YEAR = 365;
/** Bars of the shapes that trade on a given number of them. */
const SPARSE_BARS = 750;
const LENGTHS = [250, 750, 1500];

/** In the market on some days only: small gains, and losses that are lognormal, rare and large. */
function rarelyLarge(active: number, spread: number): DrawColumn {
  return (bars, random) => {
    const column = new Float64Array(bars);
    for (let left = active; left > 0;) {
      const row = Math.floor(random() * bars);
      if (column[row] !== 0) continue;
      column[row] = 0.01 * (Math.exp((spread * spread) / 2) - Math.exp(spread * normal(random)));
      left--;
    }
    return column;
  };
}

/** An edge that comes and goes: its Sharpe ratio is an AR(1) of 0.99 with a deviation of 2 around 0. */
const phases: DrawColumn = (bars, random) => {
  let edge = 2 * normal(random);
  return filled(bars, () => {
    edge = 0.99 * edge + 2 * Math.sqrt(1 - 0.99 ** 2) * normal(random);
    return DEVIATION * (normal(random) + edge / Math.sqrt(DAYS_PER_YEAR));
  });
};

/** Days with a return of the shapes that trade seldom. */
const ACTIVE: Readonly<Record<string, (bars: number) => number>> = {
  "42 days, skew -6.2": () => 42,
  "42 days, skew -1.75": () => 42,
  "100 days, skew -6.2": () => 100,
  "100 days, skew -1.75": () => 100,
  "in the market 5 %": (bars) => bars / 20,
};
const ACTIVE_SIZES = [42, 100, ...LENGTHS];

/** The shapes of the check that one series can have, and those that only one series is tried on. */
export function seriesShapesWith(prices: string | undefined): readonly Shape[] {
  return [
    ...shapesWith(prices).filter(({ variantsMin = 1 }) => variantsMin === 1),
    ...shapesOf("controlled", {
      "overlapping 5 bars": overlapping(5),
      "42 days, skew -6.2": rarelyLarge(42, 1),
      "42 days, skew -1.75": rarelyLarge(42, 0.5),
      "100 days, skew -6.2": rarelyLarge(100, 1),
      "100 days, skew -1.75": rarelyLarge(100, 0.5),
    }),
    ...shapesOf("not controlled", { "good and bad phases": phases }),
  ];
}

/** Measures how often one series is called skill where there is no edge, and where there is one. */
export function seriesCalibration({ prices, quick, count }: Extent): Calibration<SeriesCounted> {
  const shapes = seriesShapesWith(prices);
  const cells = (quick ? [0, 2] : [0, 1, 2]).flatMap((edge) =>
    (quick ? [1, 20] : [1, 20, 200]).flatMap((variants) =>
      (quick ? [SPARSE_BARS] : LENGTHS).flatMap((bars) =>
        shapes
          .filter(({ kind }) => edge === 0 || kind !== "not controlled")
          .filter(({ name }) => bars === SPARSE_BARS || !/^\d+ days/.test(name))
          .filter(({ variantsMax }) => variants !== 20 || variantsMax === 200) // coins have 1, 13 or 286
          .map(({ name, variantsMax }) => {
            return { shape: name, variants: variants === 200 ? variantsMax : variants, bars, edge };
          }),
      ),
    ),
  );
  return {
    name: "calibration-series",
    worker: fileURLToPath(new URL("./calibration-series.js", import.meta.url)),
    shapes,
    cells,
    countOf: () => count ?? (quick ? 200 : 1000),
    chunkOf: ({ variants }) => (variants >= 200 ? 50 : 250),
    dueOf: ({ cell, from }) => from + (cell.variants === 1 ? 0 : 300 + cell.variants),
    table: seriesSummary,
    write: (results) => {
      writeBelow("docs/calibration-series.md", "In short", seriesSummary(results));
      const made = { made: "panels", columns: SERIES_COUNTED };
      writeFileSync("docs/calibration-series.csv", cellsCsv(results, made));
      const SERIES_ROWS = seriesRates(results);
      writeRows("quant/check/series-rates.ts", "RatesRow", { SERIES_ROWS });
    },
    broken: brokenSeriesBounds,
  };
}

/** Counts the calls on some panels of a cell. */
export function runChunk(job: ChunkJob): Counts<SeriesCounted> {
  const { edge, ...drawn } = job.cell;
  const shape = seriesShapesWith(job.prices).find(({ name }) => name === drawn.shape)!; // cells are made from them
  const seed = seedOf(JSON.stringify({ ...drawn, seed: job.seed }));
  return countsOf(Object.keys(SERIES_COUNTED) as SeriesCounted[], job, (panel) => {
    const made = shape.draw(job.cell, seededRandom(seed, panel));
    addEdge(made.columns[0]!, edge);
    return calledOf(made, job.cell.variants);
  });
}

/** What is called of the best variant alone, by the functions that `checkPanel` uses. */
export function calledOf(made: MadePanel, trials: number): readonly SeriesCounted[] {
  const { columns } = distinctColumns([], made.columns);
  const sharpes = columns.map(sharpeOf);
  const column = columns[sharpes.indexOf(Math.max(...sharpes))];
  if (column === undefined) return ["withheld"];
  const inference = inferSharpe(column);
  const coin = made.coin === undefined ? undefined : { name: "coin", returns: made.coin };
  const verdictAt = (nTrials: number) => {
    const options: CheckOptions = { source: SOURCE, coin, nTrials };
    return judge({ options, inference, family: undefined, place: 0, columns: [column] }).verdict;
  };
  const verdict = verdictAt(trials);
  const tried = { count: trials, variance: NaN };
  const called: Record<SeriesCounted, boolean> = {
    psr: publishedClaims(inference, tried).psr >= CONFIDENCE,
    publishedDsr: publishedClaims(inference, tried).dsr >= CONFIDENCE,
    adjustedDsr: adjustedClaims(inference, tried).dsr >= CONFIDENCE,
    skill: verdict.value === "skill",
    luck: verdict.value === "luck",
    withheld: verdict.withheldReason !== null,
    asOne: verdictAt(1).value === "skill",
  };
  return (Object.keys(called) as SeriesCounted[]).filter((name) => called[name]);
}

/** A line for each cell without an edge in which the verdict breaks its bound. */
export function brokenSeriesBounds(results: readonly SeriesResult[]): string[] {
  return held(results)
    .filter(({ cell, counts, made }) => cell.edge === 0 && breaksBound(counts.skill, made))
    .map(({ cell, counts, made }) => {
      const { shape, variants, bars } = cell;
      return `${shape}, one of ${variants}, T ${bars}: ${counts.skill} of ${made}`;
    });
}

/** The number of active bars, of those that are measured, that a cell stands for. */
function activeOf({ shape, bars }: Cell): number {
  const active = ACTIVE[shape]?.(bars) ?? bars;
  const apart = (size: number) => Math.abs(Math.log(size / active));
  return ACTIVE_SIZES.reduce((best, size) => (apart(size) < apart(best) ? size : best));
}

/**
 * The error rates of one series by the number of tries and of active bars: the highest share of a false skill over all
 * shapes but those that are not controlled, and medians of the shares called skill and luck with an edge.
 */
export function seriesRates(results: readonly SeriesResult[]): ErrorRates[] {
  const all = held(results);
  const middle = (shares: readonly number[]) => Math.round(1000 * median(shares)) / 1000;
  const tries = [...new Set(all.map(({ cell }) => sizeOf(cell.variants)))];
  return tries.flatMap((variants) =>
    ACTIVE_SIZES.flatMap((bars) => {
      const shares = (edge: number, name: SeriesCounted) =>
        all
          .filter(({ cell }) => cell.edge === edge && activeOf(cell) === bars)
          .filter(({ cell }) => sizeOf(cell.variants) === variants)
          .map((result) => shareOf(result, name));
      if ([0, 1, 2].some((edge) => shares(edge, "skill").length === 0)) return []; // not measured yet
      return {
        variants,
        bars,
        falseSkill: Math.max(...shares(0, "skill")),
        power1: middle(shares(1, "skill")),
        power2: middle(shares(2, "skill")),
        falseLuck1: middle(shares(1, "luck")),
        falseLuck2: middle(shares(2, "luck")),
      };
    }),
  );
}

/** The rates above in percent, and the highest share of a false skill by the published statistics, and as the only try. */
export function seriesSummary(results: readonly SeriesResult[]): string[] {
  const percent = (share: number) => (100 * share).toFixed(1);
  const lines = seriesRates(results).map((rates) => {
    const own = held(results).filter(
      ({ cell }) =>
        cell.edge === 0 &&
        activeOf(cell) === rates.bars &&
        sizeOf(cell.variants) === rates.variants,
    );
    const worst = (name: SeriesCounted) =>
      percent(Math.max(...own.map((result) => shareOf(result, name))));
    const { variants, bars, falseSkill, power1, power2 } = rates;
    const others = [worst("publishedDsr"), worst("adjustedDsr"), worst("asOne")];
    return [variants, bars, percent(falseSkill), percent(power1), percent(power2), ...others];
  });
  const titles = ["tries", "active days", "false skill", "found at 1", "found at 2"];
  return markdown([[...titles, "false by DSR", "by adjusted DSR", "as the only try"], ...lines]);
}
