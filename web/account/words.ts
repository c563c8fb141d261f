import { decimal } from "../format.ts";
import type { AllowanceRow } from "./account-data.ts";

const DAY_MS = 86_400_000;

/** The UTC day of an instant. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The UTC minute of an instant. */
export function minuteOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** "1 call", "2 calls". */
export function counted(value: number, word: string): string {
  return `${decimal(value, 0)} ${word}${value === 1 ? "" : "s"}`;
}

export function daysLeft(endsMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((endsMs - nowMs) / DAY_MS));
}

/** When an allowance is reset. */
export function resetText({ period, endsMs }: AllowanceRow): string {
  return period === "trial" ? `the trial ends on ${dayOf(endsMs)}` : `resets on ${dayOf(endsMs)}`;
}
