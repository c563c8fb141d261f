import { setTimeout } from "node:timers/promises";

/** How many times as long as the work the rest after it lasts: at most a quarter of the event loop goes into such work. */
const REST_FACTOR = 3;

let last: Promise<unknown> = Promise.resolve();

/**
 * Does work of some milliseconds after all that was given before, with a rest in between: a crawler that requests every
 * page at once waits, and readers do not.
 */
export function inTurns<T>(work: () => T): Promise<T> {
  let tookMs = 0;
  const turn = last.then(() => {
    const startMs = performance.now();
    try {
      return work();
    } finally {
      tookMs = performance.now() - startMs;
    }
  });
  const rest = () => setTimeout(tookMs * REST_FACTOR);
  last = turn.then(rest, rest);
  return turn;
}
