import { dateOfDay } from "../../quant/calendar.ts";
import type { DcaColumns } from "../../quant/outcomes/dca.ts";
import { dcaWinner, lumpSumWins } from "../../quant/outcomes/lump-sum.ts";
import type { DcaFrequency } from "../../quant/outcomes/purchase-track.ts";
import type { SnapshotCoin } from "../../snapshots/snapshot.ts";
import { bytesOf, type ByteWriter } from "../http/byte-writer.ts";
import { constantText, type ConstantText } from "../http/constant-text.ts";
import { percent, writeSignificant } from "../http/significant-digits.ts";
import { writeDate } from "../http/write-date.ts";
import { attributionOf } from "./attribution.ts";
import type { SnapshotData } from "./snapshot-data.ts";

/** A coin's plans of one frequency, and the text that their answers share between the figures. */
export interface DcaTable {
  readonly coin: SnapshotCoin;
  readonly frequency: DcaFrequency;
  readonly firstDay: number;
  /**
   * Texts that coins have in common are one memory for all of them, so that it stays in the processor's
   * cache.
   */
  readonly beginning: Uint8Array;
  readonly purchases: ConstantText;
  /**
   * One memory for everything: the coin's own texts and, after them, the numbers of each start day (see
   * `ROW`). Each text is preceded by its length and stored in words like those of a `ConstantText`. When
   * thousands of coins are asked for in turn, every further memory would be another wait.
   */
  readonly words: Float64Array;
  /** Where the parts begin after the first, a plan's name up to its amount: the ticker, the end, the first row. */
  readonly tickerAt: number;
  readonly endAt: number;
  readonly rowsAt: number;
}

/**
 * Where each number is in a row. In separate columns, each number would be a wait for memory; a row is two
 * cache lines of the processor.
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

/** By frequency: the text between amount and date, in names and in answers. */
const NAME_MIDDLES = {
  weekly: constantText("&frequency=weekly&start_date="),
  monthly: constantText("&frequency=monthly&start_date="),
};
const START_DATES = {
  weekly: constantText(',"frequency":"weekly","start_date":"'),
  monthly: constantText(',"frequency":"monthly","start_date":"'),
};

/**
 * The texts made last. Most coins have the same ones, so thousands of tables share them, and they stay in the
 * processor's cache.
 */
let recentPurchases = { day: NaN, text: constantText("") };
let recentBeginning = { text: "", bytes: bytesOf("") };

function purchasesText(day: number): ConstantText {
  if (recentPurchases.day !== day) {
    recentPurchases = { day, text: constantText(`","end_date":"${dateOfDay(day)}","purchases":`) };
  }
  return recentPurchases.text;
}

function beginningBytes(text: string): Uint8Array {
  if (recentBeginning.text !== text) recentBeginning = { text, bytes: Buffer.from(text) };
  return recentBeginning.bytes;
}

/** What a snapshot has for a coin's plans. */
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
  const texts = [
    `?coin=${coin.ticker}&amount=`,
    `${ticker},"amount_usd":`,
    `,"lump_sum_wins_pct":${wins}}}`,
  ].map(lengthAndWords);
  const [name, own] = texts as [Float64Array, Float64Array, Float64Array];
  const rowsAt = texts.reduce((words, text) => words + text.length, 0);
  const words = new Float64Array(rowsAt + columns.startDay.length * ROW_NUMBERS);
  words.set(texts.flatMap((text) => [...text]));
  putRows(words.subarray(rowsAt), columns);
  return {
    coin,
    frequency,
    firstDay: columns.startDay[0] ?? NaN,
    beginning: beginningBytes(`{"attribution":${attribution},"coin":`),
    purchases: purchasesText(coin.lastDay),
    words,
    tickerAt: name.length,
    endAt: name.length + own.length,
    rowsAt,
  };
}

function lengthAndWords(text: string): Float64Array {
  const { length, words } = constantText(text);
  return Float64Array.of(length, ...words);
}

function putRows(rows: Float64Array, columns: DcaColumns): void {
  for (const [name, place] of Object.entries(ROW)) {
    const column = columns[name as keyof typeof ROW];
    for (let row = 0; row < column.length; row++) rows[row * ROW_NUMBERS + place] = column[row]!;
  }
  const { startDay } = columns;
  for (let row = 0; row < startDay.length; row++) {
    if (startDay[row] !== startDay[0]! + row) throw new Error("a DCA table has a gap");
  }
}

function writeWords(out: ByteWriter, words: Float64Array, at: number): void {
  out.words(words, at + 1, words[at]!);
}

/** Writes a plan's parameters as a query. */
export function writeDcaName(out: ByteWriter, { table, row, amount }: DcaPlan): void {
  writeWords(out, table.words, 0);
  out.integer(amount);
  out.constant(NAME_MIDDLES[table.frequency]);
  writeDate(out, table.firstDay + row);
}

/** The text before each figure, in three runs of figures with something else in between. */
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

/** The figures of the plan being written, in the order of their texts. */
const planFigures = new Float64Array(PLAN_FIGURES.length);
const laterFigures = new Float64Array(LATER_FIGURES.length);
const differenceFigures = new Float64Array(DIFFERENCES.tie.length);

/**
 * Writes the `data` of a plan as JSON. Most plans are asked for once, so a request costs as much as making
 * one. Figures go straight into the bytes that are sent, which takes a third of the time of building an
 * object and its text. The loops keep the code short enough to stay in the processor's cache between two
 * requests.
 */
export function writeDca(out: ByteWriter, { table, row, amount }: DcaPlan): void {
  const { words, rowsAt } = table;
  const at = rowsAt + row * ROW_NUMBERS;
  const winner = readFigures(words, at, amount);
  out.bytes(table.beginning);
  writeWords(out, words, table.tickerAt);
  writeSignificant(out, amount);
  out.constant(START_DATES[table.frequency]);
  writeDate(out, table.firstDay + row);
  out.constant(table.purchases);
  out.integer(words[at + ROW.purchases]!);
  writeFigures(out, PLAN_FIGURES, planFigures);
  out.constant(WORST_DATE);
  writeDate(out, words[at + ROW.worstDay]!);
  writeFigures(out, LATER_FIGURES, laterFigures);
  writeFigures(out, DIFFERENCES[winner], differenceFigures);
  writeWords(out, words, table.endAt);
}

/**
 * Sets the figures and returns which plan came out higher. Rows hold fractions, and amounts for one dollar a
 * purchase.
 */
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
  const difference = winner === "tie" ? 0 : value - lumpSum; // in a tie the values differ by rounding alone
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
    out.constant(texts[each]!); // one text per figure
    writeSignificant(out, figures[each]!);
  }
}
