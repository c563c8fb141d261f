import PQueue from "p-queue";
import type { ComputePool } from "./compute-pool.ts";

interface Pieces<Item, Result> {
  readonly work: (item: Item) => Promise<Result>;
  /** Awaited after each piece, so that a signal is handled between two pieces. */
  readonly step: (done: number) => Promise<void>;
}

/**
 * Starts `work` on the items in their order, with at most `parallel` pieces at once. After a failure, or after `stop`,
 * no further piece begins, so only the results up to the first failure may be awaited. `stop` is for callers that fail
 * before the end; it is harmless after the last piece.
 */
export function startOn<Item, Result>(
  pool: Pick<ComputePool, "parallel">,
  items: readonly Item[],
  { work, step }: Pieces<Item, Result>,
): { results: readonly Promise<Result>[]; stop: () => void } {
  const queue = new PQueue({ concurrency: pool.parallel });
  let done = 0;
  let isOver = false;
  const stop = () => {
    isOver = true;
    queue.clear();
  };
  queue.on("error", stop); // emitted before the queue begins the next piece
  const results = items.map((item) => {
    const result = queue.add(async () => {
      const made = await work(item);
      if (!isOver) await step(++done);
      return made;
    });
    result.catch(() => {}); // handled where it is awaited
    return result;
  });
  return { results, stop };
}

/** The results of all items, in their order. Rejects with the first failure. */
export async function mapOn<Item, Result>(
  pool: Pick<ComputePool, "parallel">,
  items: readonly Item[],
  pieces: Pieces<Item, Result>,
): Promise<Result[]> {
  return await Promise.all(startOn(pool, items, pieces).results);
}
