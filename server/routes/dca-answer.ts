import { civilOfDay, dateOfDay } from "../../quant/calendar.ts";
import type { DcaColumns } from "../../quant/outcomes/dca.ts";
import { dcaWinner, lumpSumWins } from "../../quant/outcomes/lump-sum.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import { bytesOf, type ByteWriter } from "../http/byte-writer.ts";
import { attributionOf } from "./attribution.ts";
import { percent, writePercent, writeSignificant } from "./significant-digits.ts";
import type { SnapshotData } from "./snapshot-data.ts";

/** A plan: a row of a coin's table, and dollars a purchase. */
export interface DcaPlan {
  readonly coin: SnapshotCoin;
  readonly frequency: string;
  readonly columns: DcaColumns;
  readonly row: number;
  readonly amount: number;
}

/** What stands before a figure. */
const member = (name: string) => bytesOf(`,"${name}":`);
const INVESTED = member("invested_usd");
const UNITS = member("units");
const AVERAGE_COST = member("average_cost_usd");
const VALUE = member("value_usd");
const PROFIT = member("profit_usd");
const RETURN = member("return_pct");
const IRR = member("irr_pct");
const WORST_RETURN = member("worst_return_pct");
const WORST_DATE = bytesOf(',"worst_date":"');
const DAYS_UNDER_WATER = bytesOf('","days_under_water":');
const DAYS_IN_PROFIT = member("days_in_profit_pct");
const LUMP_SUM = bytesOf(',"lump_sum":{"units":');
const CAGR = member("cagr_pct");
const MAX_DRAWDOWN = member("max_drawdown_pct");
const WINNERS = {
  dca: bytesOf('},"comparison":{"winner":"dca","difference_usd":'),
  lump_sum: bytesOf('},"comparison":{"winner":"lump_sum","difference_usd":'),
  tie: bytesOf('},"comparison":{"winner":"tie","difference_usd":'),
};
const DIFFERENCE = member("difference_pct");
const DASH = bytesOf("-");

/**
 * Writes the `data` of a plan as JSON. Few plans are asked for twice, so making one is what a request costs: figures
 * go straight into the bytes that are sent, which is a third of what an object of them and its text cost.
 */
export function writeDca(out: ByteWriter, snapshot: SnapshotData, plan: DcaPlan): void {
  const { amount } = plan;
  const texts = textsOf(snapshot, plan);
  readRow(plan.columns, plan.row);
  const { purchases, units } = row;
  out.bytes(texts.beginning);
  writeSignificant(out, amount);
  out.bytes(texts.startDate);
  writeDate(out, row.startDay);
  out.bytes(texts.purchases);
  out.integer(purchases);
  figure(out, INVESTED, purchases * amount);
  figure(out, UNITS, units * amount);
  figure(out, AVERAGE_COST, purchases / units);
  writeWorth(out, row.value, amount);
  share(out, IRR, row.irr);
  share(out, WORST_RETURN, row.worstReturn);
  out.bytes(WORST_DATE);
  writeDate(out, row.worstDay);
  out.bytes(DAYS_UNDER_WATER);
  out.integer(row.daysUnderWater);
  share(out, DAYS_IN_PROFIT, row.daysInProfitShare);
  writeLumpSum(out, amount);
  writeComparison(out, amount);
  out.bytes(texts.end);
}

/** The row that is being written. */
const row = {
  startDay: 0,
  purchases: 0,
  worstDay: 0,
  daysUnderWater: 0,
  units: 0.5,
  value: 0.5,
  irr: 0.5,
  worstReturn: 0.5,
  daysInProfitShare: 0.5,
  lumpSumUnits: 0.5,
  lumpSumValue: 0.5,
  lumpSumCagr: 0.5,
  lumpSumMaxDrawdown: 0.5,
};

/** All at once: each of the thirteen columns is somewhere else in memory, and so they are waited for together. */
function readRow(columns: DcaColumns, at: number): void {
  row.startDay = columns.startDay[at]!;
  if (row.startDay !== columns.startDay[0]! + at) throw new Error("a DCA table has a gap");
  row.purchases = columns.purchases[at]!;
  row.units = columns.units[at]!;
  row.value = columns.value[at]!;
  row.irr = columns.irr[at]!;
  row.worstReturn = columns.worstReturn[at]!;
  row.worstDay = columns.worstDay[at]!;
  row.daysUnderWater = columns.daysUnderWater[at]!;
  row.daysInProfitShare = columns.daysInProfitShare[at]!;
  row.lumpSumUnits = columns.lumpSumUnits[at]!;
  row.lumpSumValue = columns.lumpSumValue[at]!;
  row.lumpSumCagr = columns.lumpSumCagr[at]!;
  row.lumpSumMaxDrawdown = columns.lumpSumMaxDrawdown[at]!;
}

function writeLumpSum(out: ByteWriter, amount: number): void {
  figure(out, LUMP_SUM, row.lumpSumUnits * amount);
  writeWorth(out, row.lumpSumValue, amount);
  share(out, CAGR, row.lumpSumCagr);
  share(out, MAX_DRAWDOWN, row.lumpSumMaxDrawdown);
}

/** `value` is for one dollar a purchase. */
function writeWorth(out: ByteWriter, value: number, amount: number): void {
  figure(out, VALUE, value * amount);
  figure(out, PROFIT, (value - row.purchases) * amount);
  share(out, RETURN, value / row.purchases - 1);
}

function writeComparison(out: ByteWriter, amount: number): void {
  const { value, lumpSumValue } = row;
  const winner = dcaWinner(value, lumpSumValue);
  const difference = winner === "tie" ? 0 : value - lumpSumValue; // a tie differs by rounding alone
  figure(out, WINNERS[winner], difference * amount);
  share(out, DIFFERENCE, difference / lumpSumValue);
}

function figure(out: ByteWriter, before: Uint8Array, value: number): void {
  out.bytes(before);
  writeSignificant(out, value);
}

function share(out: ByteWriter, before: Uint8Array, fraction: number): void {
  out.bytes(before);
  writePercent(out, fraction);
}

/** `YYYY-MM-DD` of a day. */
function writeDate(out: ByteWriter, day: number): void {
  const { year, month, dayOfMonth } = civilOfDay(day);
  out.padded(year, 4);
  out.bytes(DASH);
  out.padded(month, 2);
  out.bytes(DASH);
  out.padded(dayOfMonth, 2);
}

/** What all plans of a table say alike, between their figures. */
interface TableTexts {
  readonly beginning: Uint8Array;
  readonly startDate: Uint8Array;
  readonly purchases: Uint8Array;
  readonly end: Uint8Array;
}

const tables = new WeakMap<DcaColumns, TableTexts>();

function textsOf(snapshot: SnapshotData, { coin, frequency, columns }: DcaPlan): TableTexts {
  let texts = tables.get(columns);
  if (texts === undefined) {
    const attribution = JSON.stringify(attributionOf(snapshot, coin));
    const wins = JSON.stringify(percent(lumpSumWins(columns)));
    texts = {
      beginning: Buffer.from(
        `{"attribution":${attribution},"coin":${JSON.stringify(coin.ticker)},"amount_usd":`,
      ),
      startDate: bytesOf(`,"frequency":"${frequency}","start_date":"`),
      purchases: bytesOf(`","end_date":"${dateOfDay(coin.lastDay)}","purchases":`),
      end: bytesOf(`,"lump_sum_wins_pct":${wins}}}`),
    };
    tables.set(columns, texts);
  }
  return texts;
}
