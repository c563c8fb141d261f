import type { QuotaState } from "./accounts.ts";
import type { Period } from "./period.ts";

/**
 * Which of several charges fit into what is left, in the order they came: each one that fits is
 * taken, and a large one that does not fit does not keep a smaller one behind it out.
 */
export function takeInOrder(
  units: readonly number[],
  used: number,
  limit: number,
): { readonly taken: readonly boolean[]; readonly used: number } {
  let total = used;
  const taken = units.map((each) => {
    if (total + each > limit) return false;
    total += each;
    return true;
  });
  return { taken, used: total };
}

/** The state of a period. After a change to a smaller plan `used` may be above the limit; nothing remains then. */
export function quotaState(used: number, limit: number, period: Period, nowMs: number): QuotaState {
  return {
    used,
    quota: {
      limit,
      remaining: Math.max(0, limit - used),
      // A clock behind the period's end by a fraction still waits a whole second.
      resetSeconds: Math.max(0, Math.ceil((period.endMs - nowMs) / 1000)),
      windowSeconds: period.windowSeconds,
    },
  };
}
