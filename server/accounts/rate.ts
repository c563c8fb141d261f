import type { RateDecision } from "./accounts.ts";

/** The window of the rate limit. */
export const RATE_WINDOW_MS = 60_000;

const RATE_WINDOW_SECONDS = RATE_WINDOW_MS / 1000;

/** A decision with the wait until there is room, or until there is more of it. */
export function rateDecision(
  admitted: boolean,
  limit: number,
  remaining: number,
  waitMs: number,
): RateDecision {
  const seconds = Math.ceil(waitMs / 1000);
  return {
    admitted,
    window: {
      limit,
      remaining: Math.max(0, remaining),
      // Rounding up to the millisecond can make the wait 60.001 s for a request that comes within the same
      // one.
      resetSeconds: Math.min(RATE_WINDOW_SECONDS, seconds),
      windowSeconds: RATE_WINDOW_SECONDS,
    },
    retryAfterSeconds: admitted ? 0 : seconds,
  };
}
