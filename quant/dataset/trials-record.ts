import type { Window } from "../engine/simulate.ts";
import { sharpeRatio } from "../engine/statistics.ts";
import { correlationMatrix, meanCorrelation } from "../overfitting/correlation-matrix.ts";
import type { SquareMatrix } from "../overfitting/correlation-matrix.ts";
import { effectiveRank, effectiveTrials } from "../overfitting/effective-trials.ts";
import { CATALOGUE, VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import type { TrialsRecord } from "./record.ts";

/**
 * How many independent trials the runs of each template, and all runs of the coin, amount to by the
 * correlation of their daily returns on the days the choice is made on. Flat runs have none.
 */
export function trialsOf(
  returns: readonly Float64Array[],
  { from, to }: Window,
): { cells: TrialsRecord[]; coin: TrialsRecord } {
  const moving = [...returns.keys()].filter(
    (run) => !Number.isNaN(sharpeRatio(returns[run]!, from, to)), // keys of returns
  );
  const matrix = correlationMatrix(moving.map((run) => returns[run]!.subarray(from, to)));
  const before = (run: number) => moving.filter((other) => other < run).length;
  return {
    cells: CATALOGUE.map((_, set) =>
      recordOf(
        blockOf(
          matrix,
          before(set * VARIANTS_PER_TEMPLATE),
          before((set + 1) * VARIANTS_PER_TEMPLATE),
        ),
      ),
    ),
    coin: recordOf(matrix),
  };
}

function recordOf(matrix: SquareMatrix): TrialsRecord {
  return {
    trials: matrix.size,
    meanCorrelation: meanCorrelation(matrix),
    impliedTrials: matrix.size === 0 ? NaN : effectiveTrials(matrix),
    effectiveRank: matrix.size === 0 ? NaN : effectiveRank(matrix),
  };
}

/** The correlations among neighbouring columns. */
function blockOf({ size, values }: SquareMatrix, from: number, to: number): SquareMatrix {
  const width = to - from;
  const block = new Float64Array(width * width);
  for (let row = 0; row < width; row++) {
    const begin = (from + row) * size + from;
    block.set(values.subarray(begin, begin + width), row * width);
  }
  return { size: width, values: block };
}
