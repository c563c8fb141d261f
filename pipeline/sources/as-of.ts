import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import type { Horizon } from "../price-rules/raw-row.ts";
import { InputError } from "./input-error.ts";
import type { PriceSource } from "./source.ts";

export const DAY_MS = 86_400_000;

/** The UTC day that contains an instant. */
export function dayOfInstant(ms: number): number {
  return Math.floor(ms / DAY_MS);
}

interface AsOfInput {
  readonly today: number;
  /** The value of `--as-of`. */
  readonly requested?: string | undefined;
  /** The last day published from the source. */
  readonly published?: number | undefined;
}

/**
 * The snapshot's last day: the newest complete day that the source has, but not later than yesterday (UTC) or the
 * requested date. Throws InputError for a requested date that is not over. Unless an earlier day is requested, it
 * also throws when the source ends before the last published day, because files may be truncated, or when by the
 * clock that day is not over.
 */
export async function resolveAsOf(
  source: PriceSource,
  { today, requested, published = -Infinity }: AsOfInput,
): Promise<Horizon> {
  const limit = requested === undefined ? today - 1 : requestedDay(requested, today);
  if (requested === undefined && limit < published) throw clockBehind(limit, published);
  const asOf = await source.newestDay(limit);
  if (asOf === null) {
    throw new InputError(
      `source "${source.name}" has no price of any board coin up to ${dateOfDay(limit)}`,
    );
  }
  refuseGoingBack(source, { asOf, limit, published });
  return { asOf, today: requested === undefined ? today : null };
}

/**
 * The horizon once the prices are known. A snapshot never ends later than its newest price, and how far an exchange's
 * prices reach shows only then. `newest` is not later than the horizon's `asOf`.
 */
export function reachedHorizon(
  source: Pick<PriceSource, "name">,
  horizon: Horizon,
  { newest, published = -Infinity }: { newest: number; published?: number | undefined },
): Horizon {
  refuseGoingBack(source, { asOf: newest, limit: horizon.asOf, published });
  return { ...horizon, asOf: newest };
}

function clockBehind(limit: number, published: number): InputError {
  const date = dateOfDay(limit);
  return new InputError(
    `by this machine's clock ${date} is the last day that is over, and ${dateOfDay(published)} is published: ` +
      `set the clock, or go back on purpose with --as-of ${date}`,
  );
}

function refuseGoingBack(
  { name }: Pick<PriceSource, "name">,
  { asOf, limit, published }: { asOf: number; limit: number; published: number },
): void {
  if (asOf >= published || limit < published) return;
  const date = dateOfDay(asOf);
  throw new InputError(
    `source "${name}" ends on ${date}, and ${dateOfDay(published)} is published: ` +
      `bring its missing days back, or go back on purpose with --as-of ${date}`,
  );
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
