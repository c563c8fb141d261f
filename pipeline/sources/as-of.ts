import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import type { Horizon } from "../price-rules.ts";
import { InputError } from "./input-error.ts";
import type { PriceSource } from "./source.ts";

const DAY_MS = 86_400_000;

/** The UTC day an instant lies in. */
export function dayOfInstant(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

/**
 * The snapshot's last day: the newest complete day the source has, not later than yesterday UTC,
 * nor than the date the operator asked for. Throws InputError for a date that is not over yet.
 */
export async function resolveAsOf(
  source: PriceSource,
  { today, requested }: { today: number; requested?: string | undefined },
): Promise<Horizon> {
  const limit = requested === undefined ? today - 1 : requestedDay(requested, today);
  const asOf = await source.newestDay(limit);
  if (asOf === null) {
    throw new InputError(
      `source "${source.name}" has no price of any board coin up to ${dateOfDay(limit)}`,
    );
  }
  return { asOf, today: requested === undefined ? today : null };
}

function requestedDay(date: string, today: number): number {
  const day = dayOfDate(date);
  if (day === undefined) {
    throw new InputError(`as-of: expected a date YYYY-MM-DD, got "${date}"`);
  }
  if (day >= today) {
    throw new InputError(
      `as-of: expected a day that is over, at most ${dateOfDay(today - 1)}, got "${date}"`,
    );
  }
  return day;
}
