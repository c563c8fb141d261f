import { z } from "zod";
import { dateOfDay } from "../../quant/calendar.ts";
import type { DcaColumns } from "../../quant/outcomes/dca.ts";
import { dcaWinner, lumpSumWins } from "../../quant/outcomes/lump-sum.ts";
import { percent, significant } from "../../quant/significant-digits.ts";
import { numberOrNull } from "./answer-values.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import { coinOf, dayWithin, START_DATE } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject } from "./once-per-object.ts";
import { coin, date, decimal, oneOf } from "./parameters.ts";

const AMOUNT_MAX_USD = 1_000_000_000;
const FREQUENCIES = ["weekly", "monthly"] as const;

const LumpSum = z
  .strictObject({
    units: numberOrNull("units of the coin bought"),
    value_usd: numberOrNull("what they are worth on end_date"),
    profit_usd: numberOrNull("value minus what was invested"),
    return_pct: numberOrNull("profit against what was invested"),
    cagr_pct: numberOrNull("return a year, compounded; null when no day has passed"),
    max_drawdown_pct: numberOrNull("deepest fall below the highest close since start_date"),
  })
  .describe("the same total invested at the first purchase's close");

const Comparison = z
  .strictObject({
    winner: z.enum(["dca", "lump_sum", "tie"]).describe("which ended higher"),
    difference_usd: numberOrNull("value_usd less the lump sum's: negative when the lump sum won"),
    difference_pct: numberOrNull("the same against the lump sum's value"),
    lump_sum_wins_pct: numberOrNull(
      "share of all start dates at least 365 days old, of this coin and frequency, from which the lump sum ended higher; null when there is none",
    ),
  })
  .describe("the schedule against the lump sum");

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
    frequency: oneOf(FREQUENCIES, {
      description: "how often to buy",
      example: "weekly",
    }).default("weekly"),
    start_date: date({
      description: "day of the first purchase; without it, the coin's first day",
      example: "2024-01-15",
    }).optional(),
  }),
  data: z.strictObject({
    attribution: Attribution,
    coin: z.string().describe("ticker"),
    amount_usd: numberOrNull("dollars a purchase"),
    frequency: z.enum(FREQUENCIES),
    start_date: z.iso.date().describe("day of the first purchase"),
    end_date: z.iso.date().describe("the coin's last complete day"),
    purchases: z.int().describe("number of purchases"),
    invested_usd: numberOrNull("amount times purchases"),
    units: numberOrNull("units of the coin bought"),
    average_cost_usd: numberOrNull("average price paid for a unit"),
    value_usd: numberOrNull("what the units are worth on end_date"),
    profit_usd: numberOrNull("value minus what was invested"),
    return_pct: numberOrNull("profit against what was invested"),
    irr_pct: numberOrNull("money-weighted (XIRR, actual days / 365); null where undefined"),
    worst_return_pct: numberOrNull("lowest value against what was invested by then"),
    worst_date: z.iso.date().describe("day of that value"),
    days_under_water: z.int().describe("days that closed below what was invested"),
    days_in_profit_pct: numberOrNull("share of days that closed above it"),
    lump_sum: LumpSum,
    comparison: Comparison,
  }),
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
    return {
      attribution: attributionOf(snapshot, found),
      coin: ticker,
      amount_usd: significant(amount),
      frequency,
      start_date,
      end_date: dateOfDay(found.lastDay),
      ...scheduleOf(columns, row, amount),
      lump_sum: lumpSumOf(columns, row, amount),
      comparison: comparisonOf(columns, row, amount),
    };
  },
});

/** The columns are for one dollar a purchase, so `amount` scales every amount of money and of coins. */
function scheduleOf(columns: DcaColumns, row: number, amount: number) {
  const purchases = columns.purchases[row]!; // the row of a day of the coin's history, here and below
  const units = columns.units[row]!;
  const value = columns.value[row]!;
  return {
    purchases,
    invested_usd: significant(purchases * amount),
    units: significant(units * amount),
    average_cost_usd: significant(purchases / units),
    value_usd: significant(value * amount),
    profit_usd: significant((value - purchases) * amount),
    return_pct: percent(value / purchases - 1),
    irr_pct: percent(columns.irr[row]!),
    worst_return_pct: percent(columns.worstReturn[row]!),
    worst_date: dateOfDay(columns.worstDay[row]!),
    days_under_water: columns.daysUnderWater[row]!,
    days_in_profit_pct: percent(columns.daysInProfitShare[row]!),
  };
}

function lumpSumOf(columns: DcaColumns, row: number, amount: number): z.output<typeof LumpSum> {
  const invested = columns.purchases[row]!;
  const value = columns.lumpSumValue[row]!;
  return {
    units: significant(columns.lumpSumUnits[row]! * amount),
    value_usd: significant(value * amount),
    profit_usd: significant((value - invested) * amount),
    return_pct: percent(value / invested - 1),
    cagr_pct: percent(columns.lumpSumCagr[row]!),
    max_drawdown_pct: percent(columns.lumpSumMaxDrawdown[row]!),
  };
}

/** Share of start days whose lump sum wins, found once for each table. */
const winsOf = oncePerObject(lumpSumWins);

function comparisonOf(
  columns: DcaColumns,
  row: number,
  amount: number,
): z.output<typeof Comparison> {
  const lumpSum = columns.lumpSumValue[row]!;
  const value = columns.value[row]!;
  const winner = dcaWinner(value, lumpSum);
  const difference = winner === "tie" ? 0 : value - lumpSum; // in a tie the values differ by rounding alone
  return {
    winner,
    difference_usd: significant(difference * amount),
    difference_pct: percent(difference / lumpSum),
    lump_sum_wins_pct: percent(winsOf(columns)),
  };
}
