import type { QuotaState } from "./accounts.ts";
import type { Period } from "./period.ts";

/**
 * Decides which of several charges fit into what is left, in the order they came. Each charge that fits is
 * taken; a large one that does not fit does not keep out a smaller one after it.
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

/**
 * The state of a period. After a change to a smaller plan `used` may be above the limit; then nothing
 * remains.
 */
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
