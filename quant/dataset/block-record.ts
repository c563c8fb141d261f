import { DATASET_CSCV_BLOCKS } from "./definition.ts";

export type BlockRecord = Readonly<ReturnType<typeof blockRecord>>;

/**
 * Each run's daily returns summed over the blocks that the probability of overfitting is computed from, so
 * that a reader of the tables can recompute it without running an engine. Block b of run r is at index
 * r x blocks + b. As there, the oldest days, which fill no block, are left out.
 */
export function blockRecord(returns: readonly Float64Array[], firstDay: number) {
  const rows = returns[0]?.length ?? 0;
  const blocks = DATASET_CSCV_BLOCKS;
  const days = Math.floor(rows / blocks);
  const skipped = rows - blocks * days;
  const sums = new Float64Array(returns.length * blocks);
  const squares = new Float64Array(returns.length * blocks);
  for (const [run, column] of returns.entries()) {
    for (let block = 0; block < blocks; block++) {
      const from = skipped + block * days;
      let sum = 0;
      let square = 0;
      for (let row = from; row < from + days; row++) {
        sum += column[row]!;
        square += column[row]! * column[row]!;
      }
      sums[run * blocks + block] = sum;
      squares[run * blocks + block] = square;
    }
  }
  return { blocks, /** In each block. */ days, firstDay: firstDay + skipped, sums, squares };
}
