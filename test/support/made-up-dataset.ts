import { monthText } from "../../quant/month.ts";
import { headlinesOf } from "../../quant/dataset/headline.ts";
import { picksOf } from "../../quant/dataset/pick.ts";
import { nullBand, standingOf } from "../../quant/overfitting/index-band.ts";
import type { RobustnessRow } from "../../quant/robustness/report.ts";
import { STUDIED } from "../../quant/strategies/studied.ts";
import { datasetTablesOf, rowsOfBlocks, type Row } from "../../snapshots/dataset-tables.ts";
import { datasetAggregatesBlocks } from "../../snapshots/tables/dataset-aggregates.ts";
import { datasetCellsBlock } from "../../snapshots/tables/dataset-cells.ts";
import { datasetPicksBlock } from "../../snapshots/tables/dataset-picks.ts";
import { datasetRobustnessBlock } from "../../snapshots/tables/dataset-robustness.ts";
import type { RunColumns } from "../../snapshots/tables/dataset-runs.ts";
import { datasetBlock } from "../../snapshots/tables/dataset.ts";
import { ratingWorthBlock } from "../../snapshots/tables/rating-worth.ts";
import { indexBlock } from "../../snapshots/tables/overfitting-index.ts";
import { cellRecord, coinOfCells } from "./dataset-records.ts";

/** 2025-06, of the dataset and of the newest index. */
export const MONTH = 2025 * 12 + 5;
/** Its last day is the dataset's. */
const LAST_DAY = 20_269;
const DAYS = { firstDay: LAST_DAY - 999, splitDay: LAST_DAY - 299, lastDay: LAST_DAY };
const COINS = ["btc", "eth"];

/** Sharpe ratios in-sample and out-of-sample from waves instead of backtests. */
function sharpesOf(variant: number, phase: number): readonly [inSample: number, later: number] {
  return [0.9 + 0.5 * Math.sin(1.7 * variant + phase), 0.3 + 0.6 * Math.cos(1.1 * variant + phase)];
}

/** A small dataset of two templates on two coins. */
export function madeUpDataset() {
  const coins = COINS.map((coin, index) => {
    const cells = STUDIED.slice(3, 5).map(({ name, family }, place) => {
      const phase = index * 5 + place * 3;
      const runs = Array.from({ length: 13 }, (_, run) => sharpesOf(run + 1, phase).join(" -> "));
      return cellRecord(name, runs.join(", "), { family, pbo: 0.5 + 0.02 * phase });
    });
    return { ...coinOfCells(coin, cells), ...DAYS };
  });
  const picks = picksOf(coins);
  const headlines = headlinesOf(coins, picks);
  return datasetTablesOf({
    dataset: [datasetBlock({ month: MONTH, catalogue: "made up" }, coins, picks.length)],
    aggregates: datasetAggregatesBlocks(headlines),
    cells: [datasetCellsBlock(headlines)],
    picks: [datasetPicksBlock(picks)],
    robustness: [datasetRobustnessBlock([SPLIT_70], 200)],
  });
}

const SPLIT_70: RobustnessRow = {
  check: "split_70",
  premiumInSample: 0.298,
  premiumOutOfSample: 0.004,
  shareKept: 0.004 / 0.298,
  low: -0.02,
  high: 0.026,
  picks: 44,
  coins: 2,
  nulls: { 5: { low: -0.013, high: 0.026, p: 0.52 }, 60: { low: -0.025, high: 0.026, p: 0.53 } },
};

/** Runs of more coins than the small dataset has, since base rates need 20. */
export function madeUpRuns(): RunColumns[] {
  return [...COINS, ...Array.from({ length: 22 }, (_, coin) => `c${coin}`)].map((coin, place) => {
    const runs = Array.from({ length: 26 }, (_, run) => sharpesOf(run + 1, place));
    return {
      coin,
      inSampleSharpe: Float64Array.from(runs, ([inSample]) => inSample),
      inSampleDays: new Int32Array(runs.length).fill(700),
      laterSharpe: Float64Array.from(runs, ([, later]) => later),
    };
  });
}

const LAYER = { pbo: 0.51, premiumKept: 0.02, rankCorrelation: 0.01 };
const COMPANIONS = {
  shareNegativeOutOfSample: 0.48,
  shareWinnersNotSignificant: 0.99,
  medianSharpeInSample: 0.4,
  medianSharpeOutOfSample: 0.1,
  medianWinnerSharpeInSample: 0.8,
  medianWinnerSharpeOutOfSample: 0.1,
};

/** Values of the index of 21 permutations. */
const INDEX_DRAWS = Float64Array.from({ length: 21 }, (_, draw) => 44.5 + draw / 2);

/** The draws of both months of the index. */
export function madeUpIndexDraws(): ReadonlyMap<string, Float64Array> {
  return new Map([1, 0].map((monthsAgo) => [monthText(MONTH - monthsAgo), INDEX_DRAWS]));
}

/** What the rating was worth: strong buys alone are beyond luck. */
export function madeUpRatingWorth(): Row[] {
  const classes = (["strong_sell", "sell", "neutral", "buy", "strong_buy"] as const).map(
    (rating, place) => ({
      rating,
      observations: 1000 * (place + 1),
      meanReturn: 0.03 + place / 100,
      meanExcess: place === 4 ? 0.021 : (place - 2) / 500,
      medianExcess: -0.06 - place / 500,
      coin: "btc",
      meanExcessWithoutCoin: place === 4 ? 0.005 : (place - 2) / 600,
      year: 2021,
      meanExcessWithoutYear: place === 4 ? -0.001 : (place - 2) / 700,
      shareAbove: 0.37 + place / 200,
      low: -0.012,
      high: 0.013,
      deviations: place === 4 ? 2.7 : (place - 2) / 3,
    }),
  );
  const days = { firstDay: DAYS.firstDay, lastDay: DAYS.lastDay };
  const worth = {
    classes,
    ...days,
    coins: 2,
    shifts: 500,
    bar: 2.5,
    p: 0.03,
    pHalf: 0.04,
    pTwice: 0.03,
  };
  return rowsOfBlocks([ratingWorthBlock(MONTH, worth)]);
}

/** Two months of the index. */
export function madeUpIndex(): Row[] {
  const same = (value: number) => ({ value, tuning: value, shopping: value });
  const blocks = [1, 0].map((monthsAgo) => {
    const [value, month] = [50.8 + monthsAgo, MONTH - monthsAgo];
    const band = nullBand(month, Array.from(INDEX_DRAWS, same));
    const tuning = { ...LAYER, score: value - 1.4, sets: 616 };
    const shopping = { ...LAYER, score: value + 1.4, sets: 28 };
    const counts = { version: 1, coins: 28, runs: 8008, flatRuns: 190 };
    return indexBlock({
      index: { month, value, tuning, shopping, ...counts, companions: COMPANIONS },
      standing: standingOf(value, band),
      luckShare: 0.7,
      band,
      backfilled: monthsAgo > 0,
      inputHash: "0".repeat(64),
    });
  });
  return rowsOfBlocks(blocks);
}
