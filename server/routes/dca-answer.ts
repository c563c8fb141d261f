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
  const { columns, row, amount } = plan;
  const texts = textsOf(snapshot, plan);
  const purchases = columns.purchases[row]!;
  const units = columns.units[row]!;
  out.bytes(texts.beginning);
  writeSignificant(out, amount);
  out.bytes(texts.startDate);
  writeDate(out, columns.startDay[row]!);
  out.bytes(texts.purchases);
  out.integer(purchases);
  figure(out, INVESTED, purchases * amount);
  figure(out, UNITS, units * amount);
  figure(out, AVERAGE_COST, purchases / units);
  writeWorth(out, { value: columns.value[row]!, invested: purchases, amount });
  share(out, IRR, columns.irr[row]!);
  share(out, WORST_RETURN, columns.worstReturn[row]!);
  out.bytes(WORST_DATE);
  writeDate(out, columns.worstDay[row]!);
  out.bytes(DAYS_UNDER_WATER);
  out.integer(columns.daysUnderWater[row]!);
  share(out, DAYS_IN_PROFIT, columns.daysInProfitShare[row]!);
  writeLumpSum(out, plan);
  writeComparison(out, plan);
  out.bytes(texts.end);
}

function writeLumpSum(out: ByteWriter, { columns, row, amount }: DcaPlan): void {
  figure(out, LUMP_SUM, columns.lumpSumUnits[row]! * amount);
  const invested = columns.purchases[row]!;
  writeWorth(out, { value: columns.lumpSumValue[row]!, invested, amount });
  share(out, CAGR, columns.lumpSumCagr[row]!);
  share(out, MAX_DRAWDOWN, columns.lumpSumMaxDrawdown[row]!);
}

interface Worth {
  /** Both for one dollar a purchase. */
  readonly value: number;
  readonly invested: number;
  readonly amount: number;
}

function writeWorth(out: ByteWriter, { value, invested, amount }: Worth): void {
  figure(out, VALUE, value * amount);
  figure(out, PROFIT, (value - invested) * amount);
  share(out, RETURN, value / invested - 1);
}

function writeComparison(out: ByteWriter, { columns, row, amount }: DcaPlan): void {
  const value = columns.value[row]!;
  const lumpSum = columns.lumpSumValue[row]!;
  const winner = dcaWinner(value, lumpSum);
  const difference = winner === "tie" ? 0 : value - lumpSum; // a tie differs by rounding alone
  figure(out, WINNERS[winner], difference * amount);
  share(out, DIFFERENCE, difference / lumpSum);
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
