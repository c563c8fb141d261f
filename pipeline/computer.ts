import { coinRecord } from "../quant/dataset/coin-record.ts";
import type { CoinHistory } from "../quant/dataset/coins.ts";
import type { CoinRecord } from "../quant/dataset/record.ts";
import type { CoinMonth } from "../quant/overfitting/index-coin.ts";
import { coinMonth, coinRuns } from "../quant/overfitting/index-coin.ts";
import type { IndexDrawJob } from "../quant/overfitting/index-draw.ts";
import { indexDraw } from "../quant/overfitting/index-draw.ts";
import type { IndexValue } from "../quant/overfitting/index-value.ts";

/** A coin's part in several months of the index. */
export interface IndexCoinJob {
  readonly history: CoinHistory;
  /** Last days of the months, each with both periods behind the coin's warm-up. */
  readonly lastDays: readonly number[];
}

/**
 * The heavy arithmetic of a run, each piece independent of every other: on this thread, or on several
 * (`computer-threads.ts`). The answers are the same bits either way.
 */
export interface Computer {
  /** How many pieces at once are worthwhile. */
  readonly parallel: number;
  datasetCoin(history: CoinHistory): Promise<CoinRecord>;
  indexCoin(job: IndexCoinJob): Promise<readonly CoinMonth[]>;
  indexDraw(job: IndexDrawJob): Promise<IndexValue>;
  /** Lets the threads go. Without it the process would not end. */
  close(): Promise<void>;
}

/** What a computer does, by the name of its method; a worker thread has the same three. */
export const COMPUTATIONS = {
  datasetCoin: coinRecord,
  indexCoin: ({ history, lastDays }: IndexCoinJob): CoinMonth[] => {
    const runs = coinRuns(history.bars);
    return lastDays.map((lastDay) => coinMonth(runs, lastDay));
  },
  indexDraw,
} as const;

/** Everything on the calling thread, one piece after the other. */
export const THIS_THREAD: Computer = {
  parallel: 1,
  datasetCoin: async (history) => COMPUTATIONS.datasetCoin(history),
  indexCoin: async (job) => COMPUTATIONS.indexCoin(job),
  indexDraw: async (job) => COMPUTATIONS.indexDraw(job),
  close: async () => {},
};

/**
 * The results of `work` in the order of the items, at most as many at once as the computer likes.
 * `step` is awaited behind each, so that a signal is heard between two pieces.
 */
export async function mapOn<Item, Result>(
  computer: Computer,
  items: readonly Item[],
  { work, step }: { work: (item: Item) => Promise<Result>; step: (done: number) => Promise<void> },
): Promise<Result[]> {
  const results: Result[] = [];
  const left = items.entries();
  let done = 0;
  const takeAll = async () => {
    for (const [index, item] of left) {
      results[index] = await work(item);
      await step(++done);
    }
  };
  await Promise.all(Array.from({ length: computer.parallel }, takeAll));
  return results;
}
