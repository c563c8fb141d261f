import { setImmediate, setTimeout } from "node:timers/promises";

/**
 * The rest between two pieces of work that nobody waits for. If they ran one turn after another, they and the
 * garbage collections they cause would take half of the processor from requests for a fifth of a second.
 */
const REST_MS = 2;

/** Gives the event loop to others, for work that nobody waits for. */
export function restAWhile(): Promise<unknown> {
  return setTimeout(REST_MS);
}

/** Lets requests that have come in be answered, and goes on. */
export function nextTurn(): Promise<unknown> {
  return setImmediate();
}
