import { REDIS_WAIT_MS } from "./connection.ts";
import type { AccountsClock } from "../accounts.ts";

/** The part of a request's time that is reserved for this process's own work. */
const OWN_MS = 40;

/** The least time of a step, even if earlier steps or a slow client have used up the budget. */
export const LEAST_MS = 70;

/** The same for a step after the charge, such as reading a job or submitting one. */
export const LAST_LEAST_MS = 30;

/** The times after a request's arrival by which its key is known and everything is decided. */
export const KEY_BY_MS = LEAST_MS;
export const CHARGE_BY_MS = REDIS_WAIT_MS - OWN_MS;

/** The time limit of a step in milliseconds, such that all steps of a request take `REDIS_WAIT_MS` at most. */
export function budgetMs(
  { nowMs }: AccountsClock,
  requestMs: number,
  byMs: number,
  leastMs = LEAST_MS,
): number {
  const since = nowMs() - requestMs;
  return since >= 0 && since < byMs - leastMs ? byMs - since : leastMs;
}
