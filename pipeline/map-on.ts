import PQueue from "p-queue";
import type { Computer } from "./computer.ts";

interface Pieces<Item, Result> {
  readonly work: (item: Item) => Promise<Result>;
  /** Awaited after each piece, so that a signal is handled between two pieces. */
  readonly step: (done: number) => Promise<void>;
}

/**
 * Starts `work` on the items, with at most as many at once as the computer prefers. The results are in the
 * items' order, each there as soon as it is made.
 */
export function startOn<Item, Result>(
  computer: Pick<Computer, "parallel">,
  items: readonly Item[],
  { work, step }: Pieces<Item, Result>,
): Promise<Result>[] {
  const queue = new PQueue({ concurrency: computer.parallel });
  let done = 0;
  return items.map((item) => {
    const result = queue.add(async () => {
      const made = await work(item);
      await step(++done);
      return made;
    });
    result.catch(() => {}); // thrown to whoever awaits it
    return result;
  });
}

/** The results of all items, in their order. Rejects with the first failure. */
export async function mapOn<Item, Result>(
  computer: Pick<Computer, "parallel">,
  items: readonly Item[],
  pieces: Pieces<Item, Result>,
): Promise<Result[]> {
  return await Promise.all(startOn(computer, items, pieces));
}
