import { TRIALS_MAX } from "../quant/overfitting/backtest-inputs.ts";

/** What an option takes, and what its value is in code. */
interface Values {
  readonly text: string;
  readonly tickers: string;
  readonly timezone: string;
  readonly date: string;
  /** The name of a format of files. */
  readonly format: string;
  /** The header of a column, or its place as `#3`. */
  readonly column: string;
  readonly columns: readonly string[];
  /** Above `bounds[0]`, at most `bounds[1]`. */
  readonly number: number;
  /** From `bounds[0]` to `bounds[1]`. */
  readonly integer: number;
  readonly yes: boolean;
  readonly choice: string;
}

/** An option of a check: the command line, the page, HTTP and its documentation are made from it. */
export interface CheckOption {
  readonly takes: keyof Values;
  readonly choices?: readonly [string, ...string[]];
  readonly bounds?: readonly [number, number];
  /** After "must be", where what it takes does not say enough. */
  readonly allowed?: string;
  readonly sentence: string;
  /** As code has the value. */
  readonly example: string | number | readonly string[];
  /** What the form of the page calls it, where it has a field, and what is below that. */
  readonly label?: string;
  readonly hint?: string;
}

/** Options for reading a file, which a live file has for itself. Each but the time zone can answer a question. */
export const READING = {
  timezone: {
    takes: "timezone",
    sentence: "of times of day that are written without one",
    example: "Europe/Berlin",
    label: "Time zone",
    hint: "of times written without one, such as Europe/Berlin",
  },
  format: {
    takes: "format",
    sentence: "of the file, where its content alone does not decide",
    example: "returns",
    label: "Format",
  },
  startingCapital: {
    takes: "number",
    bounds: [0, 1_000_000_000_000],
    sentence: "money the account began with, for a list of trades that does not name it",
    example: 10_000,
    label: "Starting capital",
  },
  column: { takes: "column", sentence: "the column that is your strategy", example: "equity" },
  leaveOut: {
    takes: "columns",
    sentence: "a column that isn't a variant; may be repeated",
    example: ["cash"],
  },
  benchmark: {
    takes: "column",
    sentence: 'the column that is the market, or "none"',
    example: "spy",
  },
  flows: {
    takes: "column",
    sentence: 'the column of money paid in, "none", or "detected" to take out what looks like it',
    example: "deposits",
  },
  dates: {
    takes: "choice",
    choices: ["day-first", "month-first"],
    sentence: "of dates such as 01/03/2024",
    example: "day-first",
  },
  unit: {
    takes: "choice",
    choices: ["fraction", "percent", "log"],
    sentence: "of returns: 0.01, 1 or ln 1.01 for 1 %",
    example: "percent",
  },
  allIn: {
    takes: "yes",
    sentence: "whether the percents of a list of trades are of the whole account each time",
    example: "true",
  },
} as const satisfies Readonly<Record<string, CheckOption>>;

/** All options, in the order of the documentation. */
export const CHECK_OPTIONS = {
  nTrials: {
    takes: "integer",
    bounds: [1, TRIALS_MAX],
    sentence: "variants tried before this one was chosen, ideas given up included",
    example: 500,
    label: "How many settings did you try?",
    hint: "all of them, also those you threw away; a file that has them all is counted",
  },
  starts: {
    takes: "integer",
    bounds: [1, TRIALS_MAX],
    sentence: "first days that were tried with each setting; multiplies n_trials for one series",
    example: 5,
    label: "How many first days did you try?",
    hint: "each counts as often as a setting",
  },
  coin: {
    takes: "tickers",
    sentence: "ticker of the coin that was traded, or several, to test against holding them",
    example: "btc",
    label: "Coins you traded",
    hint: "such as btc or btc,eth,sol: tests against holding them, too, and ranks you among our rules on one coin",
  },
  selected: {
    takes: "text",
    allowed: "the name of a variant in the file",
    sentence: "the variant that is claimed; the one with the highest Sharpe ratio by default",
    example: "epoch 17",
    label: "Setting you chose",
    hint: "of a hyperopt the number of the epoch; the best one otherwise",
  },
  periodsPerYear: {
    takes: "number",
    bounds: [0, 1_000_000],
    sentence: "bars a year, where the dates mislead",
    example: 365,
  },
  ...READING,
  riskFree: {
    takes: "number",
    bounds: [-1, 1],
    allowed: "a fraction above -1, at most 1",
    sentence: "a rate a year: 0.04 is 4 %",
    example: 0.04,
  },
  fills: {
    takes: "choice",
    choices: ["intraday"],
    sentence: "that each fill came after its signal, although within the bar",
    example: "intraday",
  },
  liveSelected: {
    takes: "text",
    allowed: "the name of a series in the live file",
    sentence: "the series of the live file that is the strategy, where it has several",
    example: "equity",
    label: "Your strategy in the live file",
  },
  liveSince: {
    takes: "date",
    sentence:
      "the day from which live counts; of a single file, the days before it are the backtest",
    example: "2024-01-01",
    label: "Live counts from",
    hint: "the first live day otherwise; choosing it after seeing the days voids the answer",
  },
} as const satisfies Readonly<Record<string, CheckOption>>;

/** What a sender says: each option may be left out. */
export type Said<Options extends Readonly<Record<string, CheckOption>>> = {
  readonly [Name in keyof Options]?:
    | (Options[Name]["choices"] extends readonly string[]
        ? Options[Name]["choices"][number]
        : Values[Options[Name]["takes"]])
    | undefined;
};

export type ReadingOption = keyof typeof READING;
export const READ_NAMES = Object.keys(READING) as readonly ReadingOption[];

/** The option that says the same of the live file: `liveStartingCapital` for `startingCapital`. */
export function ofLiveFile(option: string): string {
  return `live${option[0]!.toUpperCase()}${option.slice(1)}`;
}
