import { dateOfDay } from "../../quant/calendar.ts";
import type { DcaColumns } from "../../quant/outcomes/dca.ts";
import { dcaWinner, lumpSumWins } from "../../quant/outcomes/lump-sum.ts";
import type { DcaFrequency } from "../../quant/outcomes/purchase-track.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import type { ByteWriter } from "../http/byte-writer.ts";
import { constantText, type ConstantText } from "../http/constant-text.ts";
import { attributionOf } from "./attribution.ts";
import { percent, writeSignificant } from "./significant-digits.ts";
import type { SnapshotData } from "./snapshot-data.ts";
import { writeDate } from "./write-date.ts";

/** A coin's plans of one frequency, and what their answers say alike between the figures. */
export interface DcaTable {
  readonly coin: SnapshotCoin;
  readonly frequency: DcaFrequency;
  readonly firstDay: number;
  /** Of each start day the numbers that an answer needs, beside each other: see `ROW`. */
  readonly rows: Float64Array;
  /** The beginning of a plan's name, up to the amount. */
  readonly nameStart: ConstantText;
  readonly beginning: Uint8Array;
  readonly purchases: ConstantText;
  readonly end: ConstantText;
}

/**
 * Where a number stands in a row. A row of columns is a wait for memory each; these are two lines of the processor's cache.
 */
const ROW = {
  purchases: 0,
  units: 1,
  value: 2,
  irr: 3,
  worstReturn: 4,
  worstDay: 5,
  daysUnderWater: 6,
  daysInProfitShare: 7,
  lumpSumUnits: 8,
  lumpSumValue: 9,
  lumpSumCagr: 10,
  lumpSumMaxDrawdown: 11,
} as const satisfies Readonly<Partial<Record<keyof DcaColumns, number>>>;
const ROW_NUMBERS = 16;

/** A plan: a row of a table, and dollars a purchase. */
export interface DcaPlan {
  readonly table: DcaTable;
  readonly row: number;
  readonly amount: number;
}

/** Of the frequencies: what stands between amount and date, in names and in answers. */
const NAME_MIDDLES = {
  weekly: constantText("&frequency=weekly&start_date="),
  monthly: constantText("&frequency=monthly&start_date="),
};
const START_DATES = {
  weekly: constantText(',"frequency":"weekly","start_date":"'),
  monthly: constantText(',"frequency":"monthly","start_date":"'),
};

/** The last made: most coins end on the same day, and what thousands of tables share stays near the processor. */
let recentPurchases = { day: NaN, text: constantText("") };

function purchasesText(day: number): ConstantText {
  if (recentPurchases.day !== day) {
    recentPurchases = { day, text: constantText(`","end_date":"${dateOfDay(day)}","purchases":`) };
  }
  return recentPurchases.text;
}

/** What a snapshot has of a coin's plans. */
interface PlansOfCoin extends Pick<DcaTable, "coin" | "frequency"> {
  readonly columns: DcaColumns;
}

export function dcaTable(
  snapshot: SnapshotData,
  { coin, frequency, columns }: PlansOfCoin,
): DcaTable {
  const attribution = JSON.stringify(attributionOf(snapshot, coin));
  const ticker = JSON.stringify(coin.ticker);
  const wins = JSON.stringify(percent(lumpSumWins(columns)));
  return {
    coin,
    frequency,
    firstDay: columns.startDay[0] ?? NaN,
    rows: rowsOf(columns),
    nameStart: constantText(`?coin=${coin.ticker}&amount=`),
    beginning: Buffer.from(`{"attribution":${attribution},"coin":${ticker},"amount_usd":`),
    purchases: purchasesText(coin.lastDay),
    end: constantText(`,"lump_sum_wins_pct":${wins}}}`),
  };
}

function rowsOf(columns: DcaColumns): Float64Array {
  const { startDay } = columns;
  const rows = new Float64Array(startDay.length * ROW_NUMBERS);
  for (const [name, place] of Object.entries(ROW)) {
    const column = columns[name as keyof typeof ROW];
    for (let row = 0; row < column.length; row++) rows[row * ROW_NUMBERS + place] = column[row]!;
  }
  for (let row = 0; row < startDay.length; row++) {
    if (startDay[row] !== startDay[0]! + row) throw new Error("a DCA table has a gap");
  }
  return rows;
}

/** Writes a plan's parameters as a query. */
export function writeDcaName(out: ByteWriter, { table, row, amount }: DcaPlan): void {
  out.constant(table.nameStart);
  out.integer(amount);
  out.constant(NAME_MIDDLES[table.frequency]);
  writeDate(out, table.firstDay + row);
}

/** What stands before each figure, in three runs of figures with something else between them. */
const before = (...names: readonly string[]) => names.map((name) => constantText(`,"${name}":`));
const PLAN_FIGURES = before(
  "invested_usd",
  "units",
  "average_cost_usd",
  "value_usd",
  "profit_usd",
  "return_pct",
  "irr_pct",
  "worst_return_pct",
);
const WORST_DATE = constantText(',"worst_date":"');
const LATER_FIGURES = [
  constantText('","days_under_water":'),
  ...before("days_in_profit_pct"),
  constantText(',"lump_sum":{"units":'),
  ...before("value_usd", "profit_usd", "return_pct", "cagr_pct", "max_drawdown_pct"),
];
const DIFFERENCES = {
  dca: differences("dca"),
  lump_sum: differences("lump_sum"),
  tie: differences("tie"),
};

function differences(winner: string): readonly ConstantText[] {
  const comparison = constantText(`},"comparison":{"winner":"${winner}","difference_usd":`);
  return [comparison, ...before("difference_pct")];
}

/** The figures of the plan that is being written, in the order of their texts. */
const planFigures = new Float64Array(PLAN_FIGURES.length);
const laterFigures = new Float64Array(LATER_FIGURES.length);
const differenceFigures = new Float64Array(DIFFERENCES.tie.length);

/**
 * Writes the `data` of a plan as JSON. Most plans are asked for once, so making one is what a request costs: figures
 * go straight into the bytes that are sent, which is a third of what an object of them and its text cost, and in
 * loops, whose code is short enough to stay near the processor between two requests.
 */
export function writeDca(out: ByteWriter, { table, row, amount }: DcaPlan): void {
  const { rows } = table;
  const at = row * ROW_NUMBERS;
  const winner = readFigures(rows, at, amount);
  out.bytes(table.beginning);
  writeSignificant(out, amount);
  out.constant(START_DATES[table.frequency]);
  writeDate(out, table.firstDay + row);
  out.constant(table.purchases);
  out.integer(rows[at + ROW.purchases]!);
  writeFigures(out, PLAN_FIGURES, planFigures);
  out.constant(WORST_DATE);
  writeDate(out, rows[at + ROW.worstDay]!);
  writeFigures(out, LATER_FIGURES, laterFigures);
  writeFigures(out, DIFFERENCES[winner], differenceFigures);
  out.constant(table.end);
}

/** Sets the figures, and says which came out higher. Rows are for one dollar a purchase, and fractions. */
function readFigures(rows: Float64Array, at: number, amount: number): keyof typeof DIFFERENCES {
  const purchases = rows[at + ROW.purchases]!;
  const units = rows[at + ROW.units]!;
  const value = rows[at + ROW.value]!;
  const lumpSum = rows[at + ROW.lumpSumValue]!;
  planFigures[0] = purchases * amount;
  planFigures[1] = units * amount;
  planFigures[2] = purchases / units;
  planFigures[3] = value * amount;
  planFigures[4] = (value - purchases) * amount;
  planFigures[5] = (value / purchases - 1) * 100;
  planFigures[6] = rows[at + ROW.irr]! * 100;
  planFigures[7] = rows[at + ROW.worstReturn]! * 100;
  laterFigures[0] = rows[at + ROW.daysUnderWater]!;
  laterFigures[1] = rows[at + ROW.daysInProfitShare]! * 100;
  laterFigures[2] = rows[at + ROW.lumpSumUnits]! * amount;
  laterFigures[3] = lumpSum * amount;
  laterFigures[4] = (lumpSum - purchases) * amount;
  laterFigures[5] = (lumpSum / purchases - 1) * 100;
  laterFigures[6] = rows[at + ROW.lumpSumCagr]! * 100;
  laterFigures[7] = rows[at + ROW.lumpSumMaxDrawdown]! * 100;
  const winner = dcaWinner(value, lumpSum);
  const difference = winner === "tie" ? 0 : value - lumpSum; // a tie differs by rounding alone
  differenceFigures[0] = difference * amount;
  differenceFigures[1] = (difference / lumpSum) * 100;
  return winner;
}

function writeFigures(
  out: ByteWriter,
  texts: readonly ConstantText[],
  figures: Float64Array,
): void {
  for (let each = 0; each < figures.length; each++) {
    out.constant(texts[each]!); // one for each figure
    writeSignificant(out, figures[each]!);
  }
}
