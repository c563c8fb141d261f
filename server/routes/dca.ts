import { z } from "zod";
import { dateOfDay } from "../../quant/calendar.ts";
import type { DcaFrequency } from "../../quant/outcomes/purchase-track.ts";
import { numberOrNull } from "./answer-values.ts";
import { Attribution } from "./attribution.ts";
import { coinOf, dayWithin, START_DATE } from "./board.ts";
import { type DcaPlan, type DcaTable, dcaTable, writeDca, writeDcaName } from "./dca-answer.ts";
import { writtenEndpoint } from "./endpoint.ts";
import { oncePerObject } from "./once-per-object.ts";
import { coin, date, decimal, oneOf } from "./parameters.ts";
import type { SnapshotData } from "./snapshot-data.ts";

const AMOUNT_MAX_USD = 1_000_000_000;
const FREQUENCIES = ["weekly", "monthly"] as const;

const LumpSum = z
  .strictObject({
    units: numberOrNull("units of the coin bought"),
    value_usd: numberOrNull("what they are worth on end_date"),
    profit_usd: numberOrNull("value minus what was invested"),
    return_pct: numberOrNull("profit against what was invested"),
    cagr_pct: numberOrNull(
      "return a year, compounded over days / 365; null when no day has passed",
    ),
    max_drawdown_pct: numberOrNull("deepest fall below the highest close since start_date"),
  })
  .meta({ description: "the same total invested at the first purchase's close" });

const Comparison = z
  .strictObject({
    winner: z.enum(["dca", "lump_sum", "tie"]).meta({ description: "which ended higher" }),
    difference_usd: numberOrNull("value_usd less the lump sum's: negative when the lump sum won"),
    difference_pct: numberOrNull("the same against the lump sum's value"),
    lump_sum_wins_pct: numberOrNull(
      "share of all start dates at least 365 days old, of this coin and frequency, from which the lump sum ended higher; null when there is none",
    ),
  })
  .meta({ description: "the plan against the lump sum" });

/** GET /dca?coin=&amount=&frequency=&start_date= */
export const dca = writtenEndpoint({
  path: "/dca",
  operationId: "getDca",
  summary: "What buying the same amount weekly or monthly would have returned, against a lump sum",
  description:
    "The plan buys at the daily close, without fees: on start_date, and then every 7 days or on the same day of each following month (its last " +
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
    coin: z.string().meta({ description: "ticker" }),
    amount_usd: numberOrNull("dollars a purchase"),
    frequency: z.enum(FREQUENCIES),
    start_date: z.iso.date().meta({ description: "day of the first purchase" }),
    end_date: z.iso.date().meta({ description: "the coin's last complete day" }),
    purchases: z.int().meta({ description: "number of purchases" }),
    invested_usd: numberOrNull("amount times purchases"),
    units: numberOrNull("units of the coin bought"),
    average_cost_usd: numberOrNull("average price paid for a unit"),
    value_usd: numberOrNull("what the units are worth on end_date"),
    profit_usd: numberOrNull("value minus what was invested"),
    return_pct: numberOrNull("profit against what was invested"),
    irr_pct: numberOrNull(
      "annualised money-weighted return (XIRR, actual days / 365); null where undefined",
    ),
    worst_return_pct: numberOrNull("lowest value against what was invested by then"),
    worst_date: z.iso.date().meta({ description: "day of that value" }),
    days_under_water: z.int().meta({ description: "days that closed below what was invested" }),
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
  resolved: ({ table, row, amount }) => ({
    coin: table.coin.ticker,
    amount,
    frequency: table.frequency,
    start_date: dateOfDay(table.firstDay + row),
  }),
  written: { plan, writeName: writeDcaName, writeData: writeDca },
});

interface DcaQuery {
  readonly coin: string;
  readonly amount: number;
  readonly frequency: DcaFrequency;
  readonly start_date?: string | undefined;
}

function plan(
  snapshot: SnapshotData,
  { coin: ticker, amount, frequency, start_date }: DcaQuery,
): DcaPlan {
  const table = tableOf(snapshot, ticker, frequency);
  const { firstDay } = table.coin;
  const day = start_date === undefined ? firstDay : dayWithin(table.coin, START_DATE, start_date);
  // Every day of a coin's history is a start day, so the row number is arithmetic. What is written shows if
  // it is wrong.
  return { table, row: day - firstDay, amount };
}

type Tables = Readonly<Record<DcaFrequency, Map<string, DcaTable>>>;

/** By coin: to look up columns in a snapshot, each request would have to put a text together. */
const tablesOf = oncePerObject<SnapshotData, Tables>(() => ({
  weekly: new Map(),
  monthly: new Map(),
}));

function tableOf(snapshot: SnapshotData, ticker: string, frequency: DcaFrequency): DcaTable {
  const tables = tablesOf(snapshot)[frequency];
  let table = tables.get(ticker);
  if (table === undefined) {
    const found = coinOf(snapshot, ticker);
    const columns = snapshot.dca(ticker, frequency);
    if (columns === undefined) throw new Error(`no ${frequency} DCA table for ${ticker}`);
    table = dcaTable(snapshot, { coin: found, frequency, columns });
    tables.set(ticker, table);
  }
  return table;
}
