import type { CheckWarning, Observations, ReadColumn } from "../../quant/check/panel.ts";
import type { TradeList } from "../../quant/check/trade.ts";

/** What the sender may say beside the file. */
export interface ReadOptions {
  /** Name of a format, where the content alone does not decide. */
  readonly format?: string | undefined;
  /** Money the account began with, for lists of trades. */
  readonly startingCapital?: number | undefined;
  /** IANA name of the zone of times that are written without one. */
  readonly timezone?: string | undefined;
  /** The one column that is the strategy: its header as written, or `#3`. */
  readonly column?: string | undefined;
  /** Columns that are no variants. */
  readonly leaveOut?: readonly string[] | undefined;
  /** The column that is the market, or `none`. */
  readonly benchmark?: string | undefined;
  /** The column of money paid in, `none`, or `detected`: the suspected amounts are taken out. */
  readonly flows?: string | undefined;
  /** Which number of 01/03/2024 is the day. */
  readonly dates?: "day-first" | "month-first" | undefined;
  /** Of returns. */
  readonly unit?: "fraction" | "percent" | "log" | undefined;
  /** Whether the percents of a list of trades are of the whole account each time. */
  readonly allIn?: boolean | undefined;
}

/** The options that answer a question. */
export type AskedOption = keyof ReadOptions;

export const READ_NAMES: readonly AskedOption[] = [
  "format",
  "startingCapital",
  "timezone",
  "column",
  "leaveOut",
  "benchmark",
  "flows",
  "dates",
  "unit",
  "allIn",
];

/** An answer that a question offers. */
export interface Choice {
  /** As the option takes it. */
  readonly value: string;
  /** What it is called where the value doesn't say it: "1 March 2023". */
  readonly label?: string;
  /** What choosing it does; empty where the value says it. */
  readonly text: string;
}

/** A step of the account that looks like money paid in or taken out. */
export interface Jump {
  /** ISO date. */
  readonly day: string;
  /** Row of the table it is in, from 0. */
  readonly row: number;
  /** In the column's unit; below 0 where money went out. */
  readonly amount: number;
  /** Of what the account was before it: 0.47 is 47 %. */
  readonly share: number;
}

/** Something that the file doesn't say. */
export interface Question {
  readonly option: AskedOption;
  readonly text: string;
  /** Why it is asked, in sentences. */
  readonly why?: string;
  /** Empty where the answer is free. */
  readonly choices: readonly Choice[];
  /** Columns; while another one is chosen as the strategy, the question needs no answer. */
  readonly onlyFor?: readonly string[];
  /** Of `flows`: the steps in the first column of `onlyFor`. */
  readonly jumps?: readonly Jump[];
}

/** A column as a question shows it. */
export interface ColumnPreview {
  /** As an option takes it: its header, or `#3`. */
  readonly name: string;
  /** What it was taken for, in words: "money in the account". */
  readonly role: string;
  /** Its first and last value, as the file writes them. */
  readonly first: string;
  readonly last: string;
  /** Some of its numbers, evenly spaced, at most `LINE_MAX`; empty where it has none. */
  readonly line: readonly number[];
}

/** Numbers of a column that a small picture shows. */
export const LINE_MAX = 120;

/** A table as questions show it. */
export interface TablePreview {
  readonly rows: number;
  /** Those that the `column` question offers, and those that were left out. */
  readonly columns: readonly ColumnPreview[];
}

/** One statistic for each trial of an optimiser, without its returns. */
export interface TrialStatistics {
  readonly name: string;
  readonly values: Float64Array;
}

/** A file, read: a panel's rows or an optimiser's statistics. Plain data, which goes from one process to another. */
export interface ReadExport {
  /** The format's name, as the option `format` takes it. */
  readonly format: string;
  readonly tool: string;
  readonly kind: "returns" | "equity" | "trades" | "statistics";
  readonly rows?: Observations;
  readonly statistics?: TrialStatistics;
  /** Whether `rows` know profits on the day of exit only. */
  readonly realisedOnly?: boolean;
  /** The trades behind `rows`, which can be marked to market where prices are available. */
  readonly trades?: TradeList;
  /** The pairs that were traded, where the file names them. */
  readonly symbols?: readonly string[];
  /** Figures of the file's own header. */
  readonly stated?: Readonly<Record<string, number>>;
  /** The same for each variant by its name, where they differ. */
  readonly statedOf?: ReadonlyMap<string, Readonly<Record<string, number>>>;
  /** How the tool defines them, where that isn't our way. */
  readonly statedReason?: string;
  readonly warnings: readonly CheckWarning[];
  /** Every column of a table of one's own. */
  readonly columns?: readonly ReadColumn[];
  /** The column that is the market in `rows`. */
  readonly market?: string;
  /** A question that may be left open, where a page can ask it: steps look like money paid in, and were left in. */
  readonly doubt?: Pick<MoreNeeded, "questions" | "table">;
}

/** A file that can be checked elsewhere, where the limits are wider. */
export class TooLarge extends RangeError {
  override readonly name = "TooLarge";
}

/** A file that can't be read as any backtest. The message is for the person who sent it. */
export class FileRefused extends RangeError {
  override readonly name = "FileRefused";
}

/** A file that can be read once the sender adds something: everything that is open, at once. */
export class MoreNeeded extends RangeError {
  override readonly name = "MoreNeeded";
  readonly questions: readonly Question[];
  readonly table: TablePreview | undefined;
  /** Whether it is the live record that asks. */
  readonly isLive: boolean;

  constructor(questions: readonly Question[], table?: TablePreview, isLive = false) {
    super(questions.map(({ text }) => text).join(" "));
    this.questions = questions;
    this.table = table;
    this.isLive = isLive;
  }
}

/** A single question. */
export function question(
  option: AskedOption,
  text: string,
  choices: readonly Choice[] = [],
): MoreNeeded {
  return new MoreNeeded([{ option, text, choices }]);
}
