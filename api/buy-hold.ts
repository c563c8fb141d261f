import type { BuyHoldYear } from "../quant/outcomes/buy-hold.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { date, flag, int, list, number, percent, text } from "./members.ts";
import { record, type Json } from "./record.ts";

/** A rate of some weeks, compounded to a year, is no figure to read. */
const CAGR_DAYS_MIN = 90;

export const HoldingYear = record<BuyHoldYear>()({
  year: int("calendar year of the purchase", (year) => year.year),
  entry_date: date("day of the purchase: the year's first close", (year) => year.entryDay),
  entry_price_usd: number.orNull("close of that day", (year) => year.entryPriceUsd),
  days_held: int("days from entry_date to as_of", (year) => year.daysHeld),
  value_of_1000_usd: number.orNull("what 1,000 dollars became", (year) => year.valueOf1000Usd),
  return_pct: percent.orNull(
    "return from entry to as_of, the coin's last day, not to the year's end",
    (year) => year.totalReturn,
  ),
  calendar_return_pct: percent.orNull(
    "return of the calendar year alone: from the last close of the year before (in the first year, its first close) to the year's last close, or as_of",
    (year) => year.calendarReturn,
  ),
  cagr_pct: percent.orNull(
    `return a year, compounded; null when fewer than ${CAGR_DAYS_MIN} days have passed`,
    ({ cagr, daysHeld }) => (daysHeld < CAGR_DAYS_MIN ? null : cagr),
  ),
  peak_date: date("day of the highest close since entry", (year) => year.peakDay),
  peak_price_usd: number.orNull("that close", (year) => year.peakPriceUsd),
  peak_return_pct: percent.orNull("return from entry to the peak", (year) => year.peakReturn),
  max_drawdown_pct: percent.orNull(
    "deepest fall below the highest close since entry: 0 or negative",
    (year) => year.maxDrawdown,
  ),
  drawdown_from: date.orNull("day of the high it fell from", (year) => year.drawdownFromDay),
  drawdown_to: date.orNull("day of its deepest close", (year) => year.drawdownToDay),
  partial: flag("true when the year's first close is later than 1 January", (year) => year.partial),
});

interface Held extends Attributed {
  readonly coin: string;
  readonly lastDay: number;
  readonly lastClose: number;
  readonly years: readonly BuyHoldYear[];
}

/** `GET /buy-hold` */
export const BuyHold = record<Held>()({
  attribution,
  coin: text("ticker", (held) => held.coin),
  as_of: date("the coin's last complete day: the end of holding", (held) => held.lastDay),
  close_usd: number.orNull("close of that day", (held) => held.lastClose),
  years: list(HoldingYear)("oldest first", (held) => held.years),
});

export type HoldingYear = Json<typeof HoldingYear>;
