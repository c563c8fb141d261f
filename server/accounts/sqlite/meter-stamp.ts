import { dateOf, DAY_MS, TRIAL_PERIOD } from "../period.ts";

/**
 * Periods and days as the meter file stores them. A month is its number since the year 0; 1 is the trial; 0
 * is nothing, as in a new record. A day is its number since 1970.
 */
const TRIAL_CODE = 1;
const MONTHS = 12;

/** What an allowance counts for. */
export interface Stamp {
  readonly period: number;
  readonly day: number;
}

/** What a call at this instant counts for, given its period's name (see `period.ts`). */
export function stampOf(periodName: string, nowMs: number): Stamp {
  return { period: periodCode(periodName), day: Math.floor(nowMs / DAY_MS) };
}

export function periodCode(name: string): number {
  if (name === TRIAL_PERIOD) return TRIAL_CODE;
  const [year, month] = name.split("-").map(Number) as [number, number];
  return year * MONTHS + month - 1;
}

export function periodName(code: number): string {
  if (code === TRIAL_CODE) return TRIAL_PERIOD;
  const year = Math.floor(code / MONTHS);
  const month = String((code % MONTHS) + 1).padStart(2, "0");
  return `${String(year).padStart(4, "0")}-${month}`;
}

export function dayName({ day }: Stamp): string {
  return dateOf(day * DAY_MS);
}

/** A span of time, without its end. */
export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

let today: Span = { fromMs: 0, toMs: 0 };

/** The day of an instant. All calls of that day get the same object. */
export function dayOf(nowMs: number): Span {
  if (nowMs < today.fromMs || nowMs >= today.toMs) {
    const fromMs = Math.floor(nowMs / DAY_MS) * DAY_MS;
    today = { fromMs, toMs: fromMs + DAY_MS };
  }
  return today;
}
