import { z } from "zod";
import { BuyHold, HoldingYear } from "../../api/buy-hold.ts";
import { tableOf } from "../../api/table.ts";
import { sliceBars } from "../../quant/bars.ts";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import { holdOutcome } from "../../quant/outcomes/buy-hold.ts";
import { coinOf, windowWithin } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { originOf, type SnapshotData } from "./snapshot-data.ts";
import { coin, date } from "./parameters.ts";

/** GET /buy-hold?coin=&start_date=&end_date= */
export const buyHold = readEndpoint({
  path: "/buy-hold",
  operationId: "getBuyHold",
  tag: "Market",
  summary: "What buying and holding a coin would have returned, year by year",
  description:
    "For each calendar year of the coin's history: bought at the year's first daily close and held to the coin's last " +
    "complete day: `return_pct` is to that day, `calendar_return_pct` that of the calendar year. Peak and drawdown are of daily closes from entry to that day. With `start_date` or `end_date`, `window` has the same for exactly these days.",
  query: z.strictObject({
    coin: coin("ticker of a coin on the board"),
    start_date: date({
      description: "day of the purchase that `window` is about; by default the coin's first day",
      example: "2021-03-15",
    }).optional(),
    end_date: date({
      description: "its last day of holding; by default the coin's last complete day",
      example: "2023-03-15",
    }).optional(),
  }),
  data: BuyHold,
  rows: ({ years }) => tableOf("years", HoldingYear, years),
  examples: { Bitcoin: { coin: "btc" } },
  resolve(snapshot, { coin: ticker, ...dates }) {
    const found = coinOf(snapshot, ticker);
    if (dates.start_date === undefined && dates.end_date === undefined) return { coin: ticker };
    const { startDay, endDay } = windowWithin(found, dates);
    return { coin: ticker, start_date: dateOfDay(startDay), end_date: dateOfDay(endDay) };
  },
  answer(snapshot, { coin: ticker, ...dates }) {
    const found = coinOf(snapshot, ticker);
    const close = snapshot.bars(ticker)?.close;
    return {
      origin: originOf(snapshot, found),
      coin: ticker,
      lastDay: found.lastDay,
      lastClose: close?.at(-1) ?? NaN,
      years: snapshot.buyHold(ticker) ?? [],
      window: windowOf(snapshot, ticker, dates),
    };
  },
});

/** The outcome of the resolved window; undefined if the request has none. */
function windowOf(
  snapshot: SnapshotData,
  ticker: string,
  { start_date: start, end_date: end }: { start_date?: string; end_date?: string },
) {
  const bars = snapshot.bars(ticker);
  if (bars === undefined || start === undefined || end === undefined) return undefined;
  const { firstDay } = coinOf(snapshot, ticker);
  const [entry, last] = [dayOfDate(start)! - firstDay, dayOfDate(end)! - firstDay]; // resolved
  const outcome = holdOutcome(sliceBars(bars, 0, last + 1), entry);
  return { ...outcome, endDay: bars.day[last]!, endPriceUsd: bars.close[last]! };
}
