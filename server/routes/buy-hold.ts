import { z } from "zod";
import { dateOfDay } from "../../quant/calendar.ts";
import type { BuyHoldYear } from "../../quant/outcomes/buy-hold.ts";
import { percent, significant } from "../../quant/significant-digits.ts";
import { dateOrNull, numberOrNull } from "./answer-values.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import { coinOf } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { coin } from "./parameters.ts";

const Year = z.strictObject({
  year: z.int().describe("calendar year of the purchase"),
  entry_date: z.iso.date().describe("day of the purchase: the year's first close"),
  entry_price_usd: numberOrNull("close of that day"),
  days_held: z.int().describe("days from entry_date to as_of"),
  value_of_1000_usd: numberOrNull("what 1,000 dollars became"),
  return_pct: numberOrNull("return from entry to as_of"),
  cagr_pct: numberOrNull("return a year, compounded; null when no day has passed"),
  peak_date: z.iso.date().describe("day of the highest close since entry"),
  peak_price_usd: numberOrNull("that close"),
  peak_return_pct: numberOrNull("return from entry to the peak"),
  max_drawdown_pct: numberOrNull("deepest fall below the highest close since entry: 0 or negative"),
  drawdown_from: dateOrNull("day of the high it fell from"),
  drawdown_to: dateOrNull("day of its deepest close"),
  partial: z.boolean().describe("true when the year's first close is later than 1 January"),
});

/** GET /buy-hold?coin= */
export const buyHold = readEndpoint({
  path: "/buy-hold",
  operationId: "getBuyHold",
  tag: "Market",
  summary: "What buying and holding a coin would have returned, year by year",
  description:
    "For each calendar year of the coin's history: bought at the year's first daily close and held to the coin's last " +
    "complete day. Peak and drawdown are of daily closes from entry to that day.",
  query: z.strictObject({ coin: coin("ticker of a coin on the board") }),
  data: z.strictObject({
    attribution: Attribution,
    coin: z.string().describe("ticker"),
    as_of: z.iso.date().describe("the coin's last complete day: the end of holding"),
    close_usd: numberOrNull("close of that day"),
    years: z.array(Year).describe("oldest first"),
  }),
  examples: { Bitcoin: { coin: "btc" } },
  resolve: (snapshot, query) => ({ coin: coinOf(snapshot, query.coin).ticker }),
  answer(snapshot, { coin: ticker }) {
    const found = coinOf(snapshot, ticker);
    const close = snapshot.bars(ticker)?.close;
    return {
      attribution: attributionOf(snapshot, found),
      coin: ticker,
      as_of: dateOfDay(found.lastDay),
      close_usd: significant(close?.[close.length - 1] ?? NaN),
      years: (snapshot.buyHold(ticker) ?? []).map(yearOf),
    };
  },
});

function yearOf(year: BuyHoldYear): z.output<typeof Year> {
  return {
    year: year.year,
    entry_date: dateOfDay(year.entryDay),
    entry_price_usd: significant(year.entryPriceUsd),
    days_held: year.daysHeld,
    value_of_1000_usd: significant(year.valueOf1000Usd),
    return_pct: percent(year.totalReturn),
    cagr_pct: percent(year.cagr),
    peak_date: dateOfDay(year.peakDay),
    peak_price_usd: significant(year.peakPriceUsd),
    peak_return_pct: percent(year.peakReturn),
    max_drawdown_pct: percent(year.maxDrawdown),
    drawdown_from: year.drawdownFromDay === null ? null : dateOfDay(year.drawdownFromDay),
    drawdown_to: year.drawdownToDay === null ? null : dateOfDay(year.drawdownToDay),
    partial: year.partial,
  };
}
