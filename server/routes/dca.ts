import { z } from "zod";
import { Dca, DCA_FREQUENCIES, DcaPlan } from "../../api/dca.ts";
import { tableOf } from "../../api/table.ts";
import { sliceBars } from "../../quant/bars.ts";
import { dateOfDay, dayOfDate } from "../../quant/calendar.ts";
import { dcaOutcome, type DcaOutcome } from "../../quant/outcomes/dca-outcome.ts";
import { dcaOfWindow } from "../../quant/outcomes/dca.ts";
import { lumpSumWins, lumpSumWinShare } from "../../quant/outcomes/lump-sum.ts";
import type { DcaFrequency } from "../../quant/outcomes/purchase-track.ts";
import { coinOf, windowWithin } from "./board.ts";
import { readEndpoint } from "./endpoint.ts";
import { oncePerObject, type SnapshotData, originOf } from "./snapshot-data.ts";
import { coin, date, decimal, decimalFrom, oneOf } from "./parameters.ts";

const AMOUNT_MAX_USD = 1_000_000_000;
const FEE_MAX_PCT = 10;

/** The share of start dates on which a lump sum wins, computed once for each table. */
const winsOf = oncePerObject(lumpSumWins);

/** GET /dca?coin=&amount=&frequency=&start_date=&end_date=&fee_pct= */
export const dca = readEndpoint({
  path: "/dca",
  operationId: "getDca",
  tag: "Market",
  summary: "What buying the same amount at intervals would have returned, against a lump sum",
  description:
    "It buys at the daily close: on start_date, and then every day, every 7 or 14 days, or on the same day of each following month (its " +
    "last day if it has no such day), up to and including end_date. With a fee, a purchase buys amount / (close x (1 + fee)), and the lump sum pays it once.",
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
    end_date: date({
      description: "last day; without it, the coin's last complete one",
      example: "2024-12-31",
    }).optional(),
    fee_pct: decimalFrom(0, FEE_MAX_PCT, {
      description: "percent of each purchase; 0 without it",
      example: 0.1,
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
  resolve(snapshot, { start_date, end_date, ...query }) {
    const found = coinOf(snapshot, query.coin);
    const { startDay, endDay } = windowWithin(found, { start_date, end_date });
    return {
      ...query,
      start_date: dateOfDay(startDay),
      ...(endDay === found.lastDay ? {} : { end_date: dateOfDay(endDay) }),
    };
  },
  answer(snapshot, plan) {
    const { coin: ticker, frequency, fee_pct: fee } = plan;
    const outcome = outcomeOf(snapshot, plan);
    return {
      origin: originOf(snapshot, coinOf(snapshot, ticker)),
      coin: ticker,
      frequency,
      feeRate: fee === undefined ? undefined : fee / 100,
      ...outcome,
    };
  },
});

interface ResolvedPlan {
  readonly coin: string;
  readonly amount: number;
  readonly frequency: DcaFrequency;
  readonly start_date: string;
  readonly end_date?: string;
  readonly fee_pct?: number | undefined;
}

/** The outcome of a plan: from the snapshot's table if the plan is in it, else computed from the closes by the same function. */
function outcomeOf(snapshot: SnapshotData, plan: ResolvedPlan): DcaOutcome {
  const { coin: ticker, amount, frequency, end_date: end, fee_pct: fee = 0 } = plan;
  const { firstDay } = coinOf(snapshot, ticker);
  const from = dayOfDate(plan.start_date)! - firstDay; // resolved: each day has a row
  const isStored = frequency === "weekly" || frequency === "monthly";
  if (isStored && end === undefined && fee === 0) {
    const columns = snapshot.dca(ticker, frequency);
    if (columns === undefined) throw new Error(`no ${frequency} DCA table for ${ticker}`);
    return dcaOutcome(columns, from, amount, winsOf(columns));
  }
  const bars = snapshot.bars(ticker);
  if (bars === undefined) throw new Error(`no prices of ${ticker}`);
  const to = end === undefined ? bars.day.length : dayOfDate(end)! - firstDay + 1;
  const columns = dcaOfWindow(bars, { frequency, from, to, feeRate: fee / 100 });
  return dcaOutcome(columns, from, amount, lumpSumWinShare(sliceBars(bars, 0, to), frequency));
}
