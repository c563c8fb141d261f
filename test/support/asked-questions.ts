import {
  LINE_MAX,
  type ColumnPreview,
  type Jump,
  type Question,
  type TablePreview,
} from "../../check/formats/export.ts";
import { dateOfDay } from "../../quant/calendar.ts";

const ROWS = 622;
const FIRST_DAY = 19_417; // 1 March 2023
const DEPOSIT = 5000;
const DEPOSIT_EVERY = 36;

/** A made-up strategy that earns little, and the account around it, into which money is paid every five weeks. */
function account(): { growth: number[]; total: number[]; jumps: Jump[] } {
  const [growth, total, jumps]: [number[], number[], Jump[]] = [[1], [10_000], []];
  for (let row = 1; row < ROWS; row++) {
    const change = 0.001 + 0.009 * Math.sin(row * row) + 0.004 * Math.sin(row / 23);
    const before = total[row - 1]!;
    const paid = row % DEPOSIT_EVERY === 31 ? DEPOSIT : 0;
    growth.push(growth[row - 1]! * (1 + change));
    total.push(before * (1 + change) + paid);
    const amount = total[row]! - before;
    if (paid > 0)
      jumps.push({ day: dateOfDay(FIRST_DAY + row), row, amount, share: amount / before });
  }
  return { growth, total, jumps };
}

const { growth, total, jumps } = account();

function preview(
  name: string,
  role: string,
  values: readonly number[],
  digits: number,
): ColumnPreview {
  const text = (value: number) => value.toFixed(digits);
  const line = Array.from(
    { length: LINE_MAX },
    (_, at) => values[Math.round((at * (values.length - 1)) / (LINE_MAX - 1))]!,
  );
  return { name, role, first: text(values[0]!), last: text(values.at(-1)!), line };
}

const along = (valueOf: (row: number) => number) =>
  Array.from({ length: ROWS }, (_, row) => valueOf(row));

export const MADE_UP_TABLE: TablePreview = {
  rows: ROWS,
  columns: [
    { name: "date", role: "the day", first: "01/03/2023", last: "12/11/2024", line: [] },
    preview("account_total", "money in the account", total, 2),
    preview("strategy_growth", "what 1 became", growth, 4),
    preview(
      "total_pnl",
      "profit so far, in money",
      growth.map((value) => 10_000 * (value - 1)),
      2,
    ),
    preview(
      "cash",
      "part of the account",
      along((row) => 10_000 + 3000 * Math.sin(row / 40)),
      2,
    ),
    preview(
      "position",
      "what was held",
      along((row) => (Math.sin(row / 15) > 0 ? 1 : 0)),
      2,
    ),
    preview(
      "spy",
      "the market: holding it stands beside yours",
      along((row) => 394 * 1.0007 ** row),
      2,
    ),
    preview(
      "rsi_14",
      "an indicator",
      along((row) => 50 + 20 * Math.sin(row / 9)),
      1,
    ),
    preview(
      "fees",
      "costs, already inside the account",
      along((row) => 1.9 * row),
      2,
    ),
    preview(
      "total_exposure_including_hedges",
      "what was held",
      along((row) => row % 50),
      2,
    ),
  ],
};

/** One question of every kind that a table leads to. */
export const MADE_UP_QUESTIONS: readonly Question[] = [
  {
    option: "column",
    text: "which column is your strategy?",
    why: 'Two columns disagree: on 1 April 2023 "account_total" says +51 %, "strategy_growth" says +0.6 %.',
    choices: ["account_total", "strategy_growth", "total_pnl"].map((value) => ({
      value,
      text: "",
    })),
  },
  {
    option: "dates",
    text: 'which day is "01/03/2023" in line 2?',
    why: "Both readings fit every row, so the file cannot say.",
    choices: [
      {
        value: "day-first",
        label: "1 March 2023",
        text: "day first; the file then ends on 12 November 2024",
      },
      {
        value: "month-first",
        label: "3 January 2023",
        text: "month first; the file then ends on 11 December 2024",
      },
    ],
  },
  {
    option: "flows",
    text: `these ${jumps.length} jumps look like money paid in, about 5,000 each: are they?`,
    choices: [
      { value: "detected", text: "" },
      { value: "none", text: "" },
    ],
    onlyFor: ["account_total"],
    jumps,
  },
  {
    option: "startingCapital",
    text: "how much did the account begin with?",
    why: 'Only if "total_pnl" is your strategy: a profit says how good it was only beside the money it took.',
    choices: [{ value: "10000", label: "10,000", text: "the first value of the column cash" }],
    onlyFor: ["total_pnl"],
  },
];

/** The kinds that other files lead to. */
export const OTHER_QUESTIONS: readonly Question[] = [
  { option: "unit", text: "in which unit are the returns?", choices: [] },
  {
    option: "benchmark",
    text: "which column is the market?",
    choices: ["spy", "cash", "none"].map((value) => ({ value, text: "" })),
  },
  {
    option: "leaveOut",
    text: '"fees" and "rsi_14" do not move as the others do: which are no variants?',
    choices: ["fees", "rsi_14", "none"].map((value) => ({ value, text: "" })),
  },
  { option: "allIn", text: "is each percent of the whole account?", choices: [] },
  {
    option: "format",
    text: "the file fits more than one format: which is it?",
    choices: "returns,equity,tradingview,vectorbt,jesse,zipline,freqtrade"
      .split(",")
      .map((value) => ({ value, text: "" })),
  },
  {
    option: "startingCapital",
    text: "this is a list of trades without the capital that the account began with: how much was it? Better still, export the daily equity curve",
    choices: [],
  },
];
