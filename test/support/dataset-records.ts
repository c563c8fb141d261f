import type { CellRecord, CoinRecord, RunRecord } from "../../quant/dataset/record.ts";
import { cellOf } from "../../quant/dataset/coin-record.ts";
import type { SegmentRecord } from "../../quant/dataset/segment.ts";

const SEGMENT: SegmentRecord = {
  days: 500,
  sharpe: 1,
  totalReturn: 0.1,
  maxDrawdown: -0.2,
  trades: 10,
  exposure: 0.5,
  meanReturn: 0.001,
  deviation: 0.02,
  skew: 0,
  kurtosis: 3,
};

/** A run in which only the Sharpe ratios matter; its return out of sample is a tenth of its Sharpe ratio. */
function runOf(variant: number, inSample: number, outOfSample: number): RunRecord {
  const flat = Number.isNaN(inSample) && Number.isNaN(outOfSample);
  const part = (sharpe: number) => ({
    ...SEGMENT,
    sharpe,
    totalReturn: Number.isNaN(sharpe) ? 0 : sharpe / 10,
  });
  return {
    variant,
    segments: {
      inSample: part(inSample),
      outOfSample: part(outOfSample),
      whole: part(flat ? NaN : 1),
    },
    fees: 0.05,
    doubled: {
      inSampleSharpe: inSample - 0.1,
      outOfSampleSharpe: outOfSample - 0.1,
      outOfSampleReturn: Number.isNaN(outOfSample) ? 0 : (outOfSample - 0.1) / 10,
    },
  };
}

/** A cell of runs, given their Sharpe ratios in-sample and out-of-sample: "2 -> 0.25, 1 -> NaN". */
export function cellRecord(
  template: string,
  sharpes: string,
  more: Partial<CellRecord> = {},
): CellRecord {
  const pairs = sharpes
    .split(", ")
    .map((run) => run.split(" -> ").map(Number) as [inSample: number, outOfSample: number]);
  const runs = pairs.map(([inSample, outOfSample], index) =>
    runOf(index + 1, inSample, outOfSample),
  );
  return {
    ...cellOf({ name: template, family: "trend" }, runs),
    pbo: 0.5,
    trials: { trials: runs.length, meanCorrelation: 0.5, impliedTrials: 2, effectiveRank: 2 },
    ...more,
  };
}

export function coinOfCells(coin: string, cells: readonly CellRecord[]): CoinRecord {
  const hold = { sharpe: 0.4, totalReturn: 0.05, maxDrawdown: -0.5 };
  return {
    coin,
    firstDay: 18_462,
    splitDay: 18_962,
    lastDay: 19_461,
    hold: { inSample: hold, outOfSample: hold, whole: hold },
    cells,
    pbo: 0.6,
    trials: { trials: 26, meanCorrelation: 0.4, impliedTrials: 9, effectiveRank: 5 },
    blocks: {
      blocks: 16,
      days: 62,
      firstDay: 18_470,
      sums: new Float64Array(16 * cells.flatMap(({ runs }) => runs).length),
      squares: new Float64Array(16 * cells.flatMap(({ runs }) => runs).length),
    },
  };
}
