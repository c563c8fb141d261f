import type { QuotaState } from "./accounts.ts";
import type { KeyEnvironment } from "./keys.ts";
import { TRIAL } from "./plans.ts";

/**
 * The span of time that an allowance covers: a calendar month in UTC, or a trial. Usage is counted by period, so nothing
 * is ever reset: a new period simply has no count yet.
 */
export interface Period {
  /** "2026-02" or "trial": the name under which usage is stored. */
  readonly name: string;
  /** The first instant after it. */
  readonly endMs: number;
  readonly windowSeconds: number;
}

export const DAY_MS = 86_400_000;
const TRIAL_DAYS = 14;

export const TRIAL_MS = TRIAL_DAYS * DAY_MS;
const TRIAL_PERIOD = "trial";

let month: Period & { readonly startMs: number } = monthAt(0);
let today = { startMs: 0, name: dateAt(0) };

/** The UTC calendar month of an instant. */
export function monthOf(nowMs: number): Period {
  if (nowMs < month.startMs || nowMs >= month.endMs) month = monthAt(nowMs);
  return month;
}

/** The UTC date of an instant, `YYYY-MM-DD`. */
export function dateOf(nowMs: number): string {
  if (nowMs < today.startMs || nowMs >= today.startMs + DAY_MS) {
    today = { startMs: Math.floor(nowMs / DAY_MS) * DAY_MS, name: dateAt(nowMs) };
  }
  return today.name;
}

/** The period that usage is counted in. Test keys have no trial: their period is always the month. */
export function periodOf(
  env: KeyEnvironment,
  planName: string,
  trialEndsMs: number,
  nowMs: number,
): Period {
  if (env === "live" && planName === TRIAL) {
    return { name: TRIAL_PERIOD, endMs: trialEndsMs, windowSeconds: TRIAL_MS / 1000 };
  }
  return monthOf(nowMs);
}

function monthAt(nowMs: number): Period & { readonly startMs: number } {
  const at = new Date(nowMs);
  const startMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  const name = dateAt(startMs).slice(0, "YYYY-MM".length);
  return { name, startMs, endMs, windowSeconds: (endMs - startMs) / 1000 };
}

function dateAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, "YYYY-MM-DD".length);
}

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
