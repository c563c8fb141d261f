import { REDIS_WAIT_MS } from "../../redis/connection.ts";
import type { AccountsClock } from "../accounts.ts";

/** Time set aside for this process's own work, out of what a request may take. */
const OWN_MS = 40;

/** The least time a step gets, even if earlier steps or a slow client have used up the budget. */
export const LEAST_MS = 70;

/** The same for a step after the charge: reading jobs or usage, or submitting a job. */
export const LAST_LEAST_MS = 30;

/** The instants by which the key is known and everything is decided, counted from the request's arrival. */
export const KEY_BY_MS = LEAST_MS;
export const CHARGE_BY_MS = REDIS_WAIT_MS - OWN_MS;

/** Milliseconds that a step may wait, so that all steps of a request take `REDIS_WAIT_MS` at most. */
export function budgetMs(
  { nowMs }: AccountsClock,
  requestMs: number,
  byMs: number,
  leastMs = LEAST_MS,
): number {
  const since = nowMs() - requestMs;
  return since >= 0 && since < byMs - leastMs ? byMs - since : leastMs;
}
