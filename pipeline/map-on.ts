import PQueue from "p-queue";
import type { ComputePool } from "./compute-pool.ts";

interface Pieces<Item, Result> {
  readonly work: (item: Item) => Promise<Result>;
  /** Awaited after each piece, so that a signal is handled between two pieces. */
  readonly step: (done: number) => Promise<void>;
}

/** Work in progress on a list of items. */
interface StartedWork<Result> {
  /** In the items' order; each resolves as soon as it is made. */
  readonly results: readonly Promise<Result>[];
  /** Begins no further piece. For callers that fail before the end; harmless after the last piece. */
  readonly stop: () => void;
}

/**
 * Starts `work` on the items, with at most `parallel` pieces at once. After a piece has failed, no other is begun,
 * and the rest fail with the same error.
 */
export function startOn<Item, Result>(
  pool: Pick<ComputePool, "parallel">,
  items: readonly Item[],
  { work, step }: Pieces<Item, Result>,
): StartedWork<Result> {
  const queue = new PQueue({ concurrency: pool.parallel });
  let over: { readonly reason: unknown } | undefined;
  queue.on("error", (reason) => (over ??= { reason })); // heard before the queue begins the next piece
  const goOn = () => {
    if (over !== undefined) throw over.reason;
  };
  let done = 0;
  const results = items.map((item) => {
    const result = queue.add(async () => {
      goOn();
      const made = await work(item);
      goOn(); // no progress is shown after a failure
      await step(++done);
      return made;
    });
    result.catch(() => {}); // handled where it is awaited
    return result;
  });
  return { results, stop: () => void (over ??= { reason: new Error("the work was stopped") }) };
}

/** The results of all items, in their order. Rejects with the first failure. */
export async function mapOn<Item, Result>(
  pool: Pick<ComputePool, "parallel">,
  items: readonly Item[],
  pieces: Pieces<Item, Result>,
): Promise<Result[]> {
  return await Promise.all(startOn(pool, items, pieces).results);
}
