import type { BuyHoldYear, HoldOutcome } from "../quant/outcomes/buy-hold.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { date, flag, int, list, number, object, percent, text } from "./members.ts";
import { record, type Json } from "./record.ts";

/** A return of a few weeks, compounded to a year, would mislead. */
const CAGR_DAYS_MIN = 90;

/** The members that every purchase has, whatever its day. */
const ofPurchase = {
  entry_price_usd: number.orNull("close of that day"),
  value_of_1000_usd: number.orNull("what 1,000 dollars became"),
  cagr_pct: percent.orNull(
    `return a year, compounded; null when fewer than ${CAGR_DAYS_MIN} days have passed`,
    ({ cagr, daysHeld }: HoldOutcome) => (daysHeld < CAGR_DAYS_MIN ? null : cagr),
  ),
};

/** The members that follow the day of the peak. */
const ofPeak = {
  peak_price_usd: number.orNull("that close"),
  peak_return_pct: percent.orNull("return from entry to the peak"),
  max_drawdown_pct: percent.orNull(
    "deepest fall below the highest close since entry: 0 or negative",
  ),
  drawdown_from: date.orNull(
    "day of the high it fell from",
    (outcome: HoldOutcome) => outcome.drawdownFromDay,
  ),
  drawdown_to: date.orNull(
    "day of its deepest close",
    (outcome: HoldOutcome) => outcome.drawdownToDay,
  ),
};

export const HoldingYear = record<BuyHoldYear>()({
  year: int("calendar year of the purchase"),
  entry_date: date("day of the purchase: the year's first close", (year) => year.entryDay),
  entry_price_usd: ofPurchase.entry_price_usd,
  days_held: int("days from entry_date to as_of"),
  value_of_1000_usd: ofPurchase.value_of_1000_usd,
  return_pct: percent.orNull(
    "return from entry to as_of, the coin's last day, not to the year's end",
    (year) => year.totalReturn,
  ),
  calendar_return_pct: percent.orNull(
    "return of the calendar year alone: from the last close of the year before (in the first year, its first close) to the year's last close, or as_of",
  ),
  cagr_pct: ofPurchase.cagr_pct,
  peak_date: date("day of the highest close since entry", (year) => year.peakDay),
  ...ofPeak,
  partial: flag("true when the year's first close is later than 1 January"),
});

interface Window extends HoldOutcome {
  readonly endDay: number;
  readonly endPriceUsd: number;
}

/** As a year, but without the members of a calendar year. */
const HoldingWindow = record<Window>()({
  entry_date: date("day of the purchase", (window) => window.entryDay),
  end_date: date("last day of holding", (window) => window.endDay),
  entry_price_usd: ofPurchase.entry_price_usd,
  end_price_usd: number.orNull("close of end_date"),
  days_held: int("days from entry_date to end_date"),
  value_of_1000_usd: ofPurchase.value_of_1000_usd,
  return_pct: percent.orNull("return from entry to end_date", (window) => window.totalReturn),
  cagr_pct: ofPurchase.cagr_pct,
  peak_date: date("day of the highest close from entry to end_date", (window) => window.peakDay),
  ...ofPeak,
});

interface Held extends Attributed {
  readonly coin: string;
  readonly lastDay: number;
  readonly lastClose: number;
  readonly years: readonly BuyHoldYear[];
  readonly window?: Window | undefined;
}

/** `GET /buy-hold` */
export const BuyHold = record<Held>()({
  attribution,
  coin: text("ticker"),
  as_of: date("the coin's last complete day: the end of holding", (held) => held.lastDay),
  close_usd: number.orNull("close of that day", (held) => held.lastClose),
  years: list(HoldingYear)("oldest first"),
  window: object(HoldingWindow).ifAny(
    "bought at the close of start_date and held to end_date; only where the request has either",
  ),
});

export type HoldingYear = Json<typeof HoldingYear>;
