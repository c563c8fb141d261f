import { AVERAGE_PERIODS } from "../../quant/indicators/columns.ts";
import { UNRATED_NAMES } from "../../quant/signals/unrated-indicators.ts";
import type { Rating } from "../../quant/signals/rating.ts";
import type { Reading, ReadingIndicators } from "../../quant/signals/reading.ts";
import { snakeCase } from "../../quant/letter-case.ts";
import type { Signal } from "../../quant/signals/signal.ts";
import type { Columns } from "./columns.ts";
import { columnsOf, date, double, flag, fraction, integer } from "./columns.ts";
import { listed, percent, rowsOf, text, usd, within } from "./columns.ts";
import { INDICATOR_COLUMNS } from "./indicators.ts";
import type { Table, TableBlock } from "./table.ts";

/** The input of one row of the table. */
export interface SignalsRow {
  readonly coin: string;
  readonly name: string;
  readonly stale: boolean;
  readonly reading: Reading;
  /** The indicators on the day of the reading, by column; NaN in the warm-up. */
  readonly values: Readonly<Record<string, number>>;
}

/** An indicator that has a signal, by its name in the table. */
type Signalled = readonly [
  name: string,
  valueOf: (indicators: ReadingIndicators) => { readonly signal: Signal } | null,
];

const SIGNALLED: readonly Signalled[] = [
  ["rsi", ({ rsi }) => rsi],
  ["macd", ({ macd }) => macd],
  ["supertrend", ({ supertrend }) => supertrend],
  ["stochastic", ({ stochastic }) => stochastic],
  ["stoch_rsi", ({ stochRsi }) => stochRsi],
  ["cci", ({ cci }) => cci],
  ["adx", ({ adx }) => adx],
  ["awesome_oscillator", ({ awesomeOscillator }) => awesomeOscillator],
  ["momentum", ({ momentum }) => momentum],
  ["williams_r", ({ williamsR }) => williamsR],
  ["bull_bear_power", ({ bullBearPower }) => bullBearPower],
  ["ultimate_oscillator", ({ ultimateOscillator }) => ultimateOscillator],
  ...AVERAGE_PERIODS.map((days): Signalled => [`ema_${days}`, ({ ema }) => ema[days]]),
  ...AVERAGE_PERIODS.map((days): Signalled => [`sma_${days}`, ({ sma }) => sma[days]]),
  ["hull_ma", ({ hullMa }) => hullMa],
  ["vwma", ({ vwma }) => vwma],
  ["ichimoku", ({ ichimoku }) => ichimoku],
  ...UNRATED_NAMES.filter((name) => name !== "supertrend").map((name): Signalled => [
    snakeCase(name),
    (indicators) => indicators[name],
  ]),
];

const SIGNAL_COLUMNS: Columns<ReadingIndicators> = Object.fromEntries(
  SIGNALLED.map(([name, valueOf]) => [
    `signal_${name}`,
    text(
      `what ${name} says: buy, neutral or sell; NULL in its warm-up`,
      (indicators: ReadingIndicators) => valueOf(indicators)?.signal ?? null,
    ),
  ]),
);

const VALUE_COLUMNS: Columns<SignalsRow["values"]> = Object.fromEntries(
  INDICATOR_COLUMNS.map(({ name, unit, description }) => [name, double(unit)(description, name)]),
);

function ratingColumns(name: string, title: string): Columns<Rating> {
  return columnsOf<Rating>()({
    [name]: text(`${title}: strong_sell, sell, neutral, buy or strong_buy`, "rating"),
    [`${name}_score`]: fraction(`score of ${title}, -1 all sell to 1 all buy`, "score"),
    [`${name}_buy`]: integer(`how many components of ${title} say buy`, "buy"),
    [`${name}_neutral`]: integer(`how many components of ${title} say neutral`, "neutral"),
    [`${name}_sell`]: integer(`how many components of ${title} say sell`, "sell"),
  });
}

const READING_COLUMNS = columnsOf<Reading>()({
  close: usd("close of the day"),
  change_1d_pct: percent("change of the close over a day"),
  change_7d_pct: percent("change of the close over 7 days"),
  change_30d_pct: percent("change of the close over 30 days"),
  ...within(({ summary }: Reading) => summary, ratingColumns("rating", "the technical rating")),
  ...within(
    ({ summary }: Reading) => summary.movingAverages,
    ratingColumns("moving_averages", "its moving averages"),
  ),
  ...within(
    ({ summary }: Reading) => summary.oscillators,
    ratingColumns("oscillators", "its oscillators"),
  ),
  ...within(({ indicators }: Reading) => indicators, SIGNAL_COLUMNS),
});

const COLUMNS = columnsOf<SignalsRow>()({
  coin: text("lower-case ticker"),
  name: text("the coin's name"),
  day: date("the coin's last day", ({ reading }) => reading.day),
  stale: flag("that day is more than 2 days before the snapshot's"),
  ...within(({ reading }: SignalsRow) => reading, READING_COLUMNS),
  ...within(({ values }: SignalsRow) => values, VALUE_COLUMNS),
});

export const SIGNALS: Table = {
  name: "signals",
  description:
    "The latest reading of every coin: its rating, what each indicator says, and the indicators' values on the coin's last day.",
  key: ["coin"],
  arrow: false,
  columns: listed(COLUMNS),
};

export function signalsBlock(rows: readonly SignalsRow[]): TableBlock {
  return rowsOf(COLUMNS, rows);
}
