import type { QuotaState } from "./accounts.ts";
import type { Period } from "./period.ts";

/** The state of a period. After a change to a smaller plan, `used` may be above the limit. */
export function quotaState(used: number, limit: number, period: Period, nowMs: number): QuotaState {
  return {
    used,
    quota: {
      limit,
      remaining: Math.max(0, limit - used),
      // A fraction of a second before the period's end still counts as a whole second.
      resetSeconds: Math.max(0, Math.ceil((period.endMs - nowMs) / 1000)),
      windowSeconds: period.windowSeconds,
    },
  };
}
