import { REDIS_WAIT_MS } from "../../redis/connection.ts";
import type { AccountsClock } from "../clock.ts";

/** What this process itself may need beside its waiting, of the time that a request may take. */
const OWN_MS = 40;

/**
 * A step whose time is used up by the ones before still gets so long; so does one of a request that took longer to arrive,
 * body and all, than it may take to answer.
 */
export const LEAST_MS = 70;

/**
 * How long each step of a request may wait, so that all of them together wait no longer than `REDIS_WAIT_MS`: by these
 * instants after the request came, the key is known, the minute decided and the charge made.
 */
export const KEY_BY_MS = LEAST_MS;
export const MINUTE_BY_MS = KEY_BY_MS + LEAST_MS;
export const CHARGE_BY_MS = REDIS_WAIT_MS - OWN_MS;

/** Milliseconds a step may wait for Redis now. */
export function patience({ nowMs }: AccountsClock, requestMs: number, byMs: number): number {
  const since = nowMs() - requestMs;
  return since >= 0 && since < byMs - LEAST_MS ? byMs - since : LEAST_MS;
}
