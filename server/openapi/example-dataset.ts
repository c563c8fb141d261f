import { cellOf } from "../../quant/dataset/coin-record.ts";
import { headlinesOf } from "../../quant/dataset/headline.ts";
import { firstDayOfMonth, lastDayOfMonth, type Month } from "../../quant/month.ts";
import { picksOf } from "../../quant/dataset/pick.ts";
import type { CoinRecord, RunRecord } from "../../quant/dataset/record.ts";
import type { SegmentRecord } from "../../quant/dataset/segment.ts";
import { nullBand, standingOf } from "../../quant/overfitting/index-band.ts";
import type { RobustnessRow } from "../../quant/robustness/report.ts";
import { STUDIED } from "../../quant/strategies/studied.ts";
import {
  datasetTablesOf,
  rowsOfBlocks,
  type DatasetTables,
  type Row,
} from "../../snapshots/dataset-tables.ts";
import { datasetAggregatesBlocks } from "../../snapshots/tables/dataset-aggregates.ts";
import { datasetCellsBlock } from "../../snapshots/tables/dataset-cells.ts";
import { datasetPicksBlock } from "../../snapshots/tables/dataset-picks.ts";
import { datasetRobustnessBlock } from "../../snapshots/tables/dataset-robustness.ts";
import type { RunColumns } from "../../snapshots/tables/dataset-runs.ts";
import { datasetBlock } from "../../snapshots/tables/dataset.ts";
import { indexBlock } from "../../snapshots/tables/overfitting-index.ts";

/** 2025-06, the last complete month of the example snapshot. */
export const EXAMPLE_MONTH: Month = 2025 * 12 + 5;
const DAYS = 1000;
const IN_SAMPLE_DAYS = 700;
const COINS = ["btc", "eth"];
const TEMPLATES = STUDIED.slice(3, 5);

/** A small dataset made from waves instead of backtests, for the document's examples. */
export function exampleDataset(): DatasetTables {
  const coins = COINS.map(coinOf);
  const picks = picksOf(coins);
  const headlines = headlinesOf(coins, picks);
  const identity = { month: EXAMPLE_MONTH, catalogue: "example" };
  return datasetTablesOf({
    dataset: [datasetBlock(identity, coins, picks.length)],
    aggregates: datasetAggregatesBlocks(headlines),
    cells: [datasetCellsBlock(headlines)],
    picks: [datasetPicksBlock(picks)],
    robustness: [datasetRobustnessBlock([exampleCheck()], 200)],
  });
}

function exampleCheck(): RobustnessRow {
  return {
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
}

function coinOf(coin: string, index: number): CoinRecord {
  const lastDay = lastDayOfMonth(EXAMPLE_MONTH);
  const hold = { sharpe: 0.6 + index / 10, totalReturn: 0.4, maxDrawdown: -0.5 };
  const noSums = { sums: new Float64Array(0), squares: new Float64Array(0) }; // they appear in no answer
  return {
    coin,
    firstDay: lastDay - DAYS + 1,
    splitDay: lastDay - DAYS + 1 + IN_SAMPLE_DAYS,
    lastDay,
    hold: { inSample: hold, outOfSample: hold, whole: hold },
    cells: TEMPLATES.map((template, place) => {
      const phase = index * 5 + place * 3;
      return {
        ...cellOf(
          template,
          Array.from({ length: 13 }, (_, variant) => runOf(variant + 1, phase)),
        ),
        pbo: 0.5 + 0.02 * phase,
        trials: { trials: 13, meanCorrelation: 0.8, impliedTrials: 3.4, effectiveRank: 2.1 },
      };
    }),
    pbo: 0.55,
    trials: { trials: 26, meanCorrelation: 0.4, impliedTrials: 16, effectiveRank: 5 },
    blocks: { blocks: 16, days: 62, firstDay: lastDay - 991, ...noSums },
  };
}

function runOf(variant: number, phase: number): RunRecord {
  const inSample = 0.9 + 0.5 * Math.sin(1.7 * variant + phase);
  const outOfSample = 0.3 + 0.6 * Math.cos(1.1 * variant + phase);
  return {
    variant,
    segments: {
      inSample: segmentOf(inSample, IN_SAMPLE_DAYS),
      outOfSample: segmentOf(outOfSample, DAYS - IN_SAMPLE_DAYS),
      whole: segmentOf(0.7 * inSample + 0.3 * outOfSample, DAYS),
    },
    fees: 0.06,
    doubled: {
      inSampleSharpe: inSample - 0.08,
      outOfSampleSharpe: outOfSample - 0.08,
      outOfSampleReturn: outOfSample / 4 - 0.03,
    },
  };
}

function segmentOf(sharpe: number, days: number): SegmentRecord {
  const deviation = 0.025;
  return {
    days,
    sharpe,
    totalReturn: Math.exp((sharpe * deviation * days) / Math.sqrt(365)) - 1,
    maxDrawdown: -0.32,
    trades: Math.round(days / 25),
    exposure: 0.45,
    meanReturn: (sharpe * deviation) / Math.sqrt(365),
    deviation,
    skew: 0.4,
    kurtosis: 7.5,
  };
}

/** Runs of more coins than the small dataset has, since base rates need 20. */
export function exampleRuns(): RunColumns[] {
  const names = [...COINS, ...Array.from({ length: 22 }, (_, coin) => `c${coin}`)];
  return names.map((coin, place) => {
    const runs = Array.from({ length: 26 }, (_, run) => runOf(run + 1, place).segments);
    return {
      coin,
      inSampleSharpe: Float64Array.from(runs, ({ inSample }) => inSample.sharpe),
      inSampleDays: new Int32Array(runs.length).fill(IN_SAMPLE_DAYS),
      laterSharpe: Float64Array.from(runs, ({ outOfSample }) => outOfSample.sharpe),
    };
  });
}

/** Two months of the index, as fictitious as the dataset. */
export function exampleIndex(): Row[] {
  const draws = Array.from({ length: 21 }, (_, draw) => ({
    value: 44.5 + 0.5 * draw,
    tuning: 47 + 0.25 * draw,
    shopping: 42 + 0.75 * draw,
  }));
  const band = nullBand(EXAMPLE_MONTH, draws);
  const blocks = [EXAMPLE_MONTH - 1, EXAMPLE_MONTH].map((month, place) => {
    const [tuning, shopping] = [50.4 - place, 53.2 - place];
    const layer = { pbo: 0.51, premiumKept: 0.02, rankCorrelation: 0.01, sets: 616 };
    return indexBlock({
      index: {
        month,
        version: 1,
        value: (tuning + shopping) / 2,
        tuning: { ...layer, score: tuning },
        shopping: { ...layer, score: shopping, sets: 28 },
        coins: 28,
        runs: 8008,
        flatRuns: 190,
        companions: {
          shareNegativeOutOfSample: 0.48,
          shareWinnersNotSignificant: 0.99,
          medianSharpeInSample: 0.4,
          medianSharpeOutOfSample: 0.1,
          medianWinnerSharpeInSample: 0.8,
          medianWinnerSharpeOutOfSample: 0.1,
        },
      },
      standing: standingOf((tuning + shopping) / 2, band),
      luckShare: 0.7,
      band,
      backfilled: firstDayOfMonth(month) < firstDayOfMonth(EXAMPLE_MONTH),
      inputHash: "0".repeat(64),
    });
  });
  return rowsOfBlocks(blocks);
}
