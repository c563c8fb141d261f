import { z } from "zod";
import { Dca, DCA_FREQUENCIES, DcaPlan } from "../../api/dca.ts";
import { tableOf } from "../../api/table.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { dcaOutcome } from "../../quant/outcomes/dca-outcome.ts";
import { lumpSumWins } from "../../quant/outcomes/lump-sum.ts";
import { coinOf, dayWithin, START_DATE } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject } from "./once-per-object.ts";
import { originOf } from "./origin.ts";
import { coin, date, decimal, oneOf } from "./parameters.ts";

const AMOUNT_MAX_USD = 1_000_000_000;

/** Found once for each table. */
const winsOf = oncePerObject(lumpSumWins);

/** GET /dca?coin=&amount=&frequency=&start_date= */
export const dca = readEndpoint({
  path: "/dca",
  operationId: "getDca",
  tag: "Market",
  summary: "What buying the same amount weekly or monthly would have returned, against a lump sum",
  description:
    "It buys at the daily close, without fees: on start_date, and then every 7 days or on the same day of each following month (its last " +
    "day if it has no such day), up to and including the coin's last complete day.",
  query: z.strictObject({
    coin: coin("ticker of a coin on the board"),
    amount: decimal(0, AMOUNT_MAX_USD, {
      allowed: "a decimal number above 0, at most 1000000000",
      description: "dollars a purchase",
      example: 100,
    }).default(100),
    frequency: oneOf(DCA_FREQUENCIES, {
      description: "how often to buy",
      example: "weekly",
    }).default("weekly"),
    start_date: date({
      description: "day of the first purchase; without it, the coin's first day",
      example: "2024-01-15",
    }).optional(),
  }),
  data: Dca,
  rows: (plan) => tableOf("", DcaPlan, [plan]),
  examples: {
    "100 dollars a week since the coin's first day": { coin: "btc" },
    "250 dollars a month": {
      coin: "btc",
      amount: "250",
      frequency: "monthly",
      start_date: "2024-01-31",
    },
  },
  resolve(snapshot, { coin: ticker, amount, frequency, start_date }) {
    const found = coinOf(snapshot, ticker);
    const day =
      start_date === undefined ? found.firstDay : dayWithin(found, START_DATE, start_date);
    return { coin: ticker, amount, frequency, start_date: dateOfDay(day) };
  },
  answer(snapshot, { coin: ticker, amount, frequency, start_date }) {
    const found = coinOf(snapshot, ticker);
    const columns = snapshot.dca(ticker, frequency);
    if (columns === undefined) throw new Error(`no ${frequency} DCA table for ${ticker}`);
    const row = dayWithin(found, START_DATE, start_date) - found.firstDay; // each day has a row
    const outcome = dcaOutcome(columns, row, amount, winsOf(columns));
    return { origin: originOf(snapshot, found), coin: ticker, frequency, ...outcome };
  },
});
