import type { READING, ReadingOption, Said } from "../options.ts";
import type { PanelSource } from "../../quant/check/check-options.ts";
import type { CheckWarning, Observations, ReadColumn } from "../../quant/check/panel.ts";
import type { Ledger, TradeList } from "../../quant/check/trade.ts";

/** What the sender may say about a file. */
export interface ReadOptions extends Said<typeof READING> {
  /** Whether it is a live record, which may be of a single day. */
  readonly isLive?: boolean | undefined;
}

/** The options that answer a question. */
export type AskedOption = ReadingOption;

/** An answer that a question offers. */
export interface Choice {
  /** As the option takes it. */
  readonly value: string;
  /** A name where the value doesn't say enough: "1 March 2023". */
  readonly label?: string;
  /** What choosing it does. Empty where the value says it. */
  readonly text: string;
}

/** A step of the account that looks like money paid in or taken out. */
export interface Jump {
  /** ISO date. */
  readonly day: string;
  /** Its row in the table, from 0. */
  readonly row: number;
  /** In the unit of the column, below 0 where money went out. */
  readonly amount: number;
  /** The change of the account as a fraction of what it was before. */
  readonly share: number;
}

/** A question about something that the file doesn't say. */
export interface Question {
  readonly option: AskedOption;
  readonly text: string;
  /** Why it is asked, in sentences. */
  readonly why?: string;
  /** Empty where the answer is free. */
  readonly choices: readonly Choice[];
  /** Columns that the question is about. If another one is chosen as the strategy, it needs no answer. */
  readonly onlyFor?: readonly string[];
  /** For `flows`: the steps in the first column of `onlyFor`. */
  readonly jumps?: readonly Jump[];
}

/** A column as a question shows it. */
export interface ColumnPreview {
  /** Its header or its place, as an option takes it. */
  readonly name: string;
  /** What it was taken for, in words. */
  readonly role: string;
  /** Its first and last value, as the file writes them. */
  readonly first: string;
  readonly last: string;
  /** At most `LINE_MAX` of its numbers, evenly spaced. */
  readonly line: readonly number[];
}

/** The numbers of a column that a small picture shows. */
export const LINE_MAX = 120;

/** A table as questions show it. */
export interface TablePreview {
  readonly rows: number;
  /** Those that the `column` question offers, and those that were left out. */
  readonly columns: readonly ColumnPreview[];
}

/** What was read from a file: the rows of a panel, or the statistics of an optimiser. It is sent between processes. */
export interface ReadExport extends Pick<
  PanelSource,
  "format" | "tool" | "kind" | "stated" | "statedOf" | "statedReason" | "mayBeMarket"
> {
  readonly rows?: Observations | undefined;
  /** One statistic for each trial of an optimiser, without its returns. */
  readonly statistics?: { readonly name: string; readonly values: Float64Array };
  /** Whether `rows` have profits on the day of exit only. */
  readonly realisedOnly?: boolean | undefined;
  /** The trades that `rows` were made from. Where there are prices, they can be marked to market. */
  readonly trades?: TradeList | undefined;
  /** Its closed trades with prices and fees, to be compared with those of another file. */
  readonly ledger?: Ledger | undefined;
  /** The pairs that were traded, where the file names them. */
  readonly symbols?: readonly string[] | undefined;
  readonly warnings: readonly CheckWarning[];
  /** Every column of a table that no known tool wrote. */
  readonly columns?: readonly ReadColumn[];
  /** The name of the column that is the market in `rows`. */
  readonly market?: string | undefined;
  /** A question that may be left open: steps look like money paid in, and were left in. */
  readonly doubt?: Pick<MoreNeeded, "questions" | "table"> | undefined;
}

/** A file that can be read once the sender answers questions, all of which are asked at once. */
export class MoreNeeded extends RangeError {
  override readonly name = "MoreNeeded";
  readonly questions: readonly Question[];
  readonly table: TablePreview | undefined;
  /** Whether the questions are about the live record. */
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
