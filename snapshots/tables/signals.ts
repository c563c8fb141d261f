import { AVERAGE_PERIODS } from "../../quant/indicators/columns.ts";
import { UNRATED_NAMES } from "../../quant/signals/unrated-indicators.ts";
import type { Rating } from "../../quant/signals/rating.ts";
import type { Reading, ReadingIndicators } from "../../quant/signals/reading.ts";
import { snakeCase } from "../../quant/snake-case.ts";
import type { Signal } from "../../quant/signals/signal.ts";
import type { ComputedColumn } from "./computed-column.ts";
import { computed, definitionsOf, rowsOf } from "./computed-column.ts";
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

type SignalsColumn = ComputedColumn<SignalsRow>;

/** An indicator that has a signal, by its name in the table. */
type Signalled = readonly [
  name: string,
  of: (indicators: ReadingIndicators) => { readonly signal: Signal } | null,
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

function ratingColumns(
  name: string,
  title: string,
  of: (summary: Reading["summary"]) => Rating,
): SignalsColumn[] {
  const rating = ({ reading }: SignalsRow) => of(reading.summary);
  return [
    computed(
      [name, "text"],
      `${title}: strong_sell, sell, neutral, buy or strong_buy`,
      (row) => rating(row).rating,
    ),
    computed(
      [`${name}_score`, "double", "fraction"],
      `score of ${title}, -1 all sell to 1 all buy`,
      (row) => rating(row).score,
    ),
    ...(["buy", "neutral", "sell"] as const).map((signal) =>
      computed(
        [`${name}_${signal}`, "integer"],
        `how many components of ${title} say ${signal}`,
        (row: SignalsRow) => rating(row)[signal],
      ),
    ),
  ];
}

const COLUMNS: readonly SignalsColumn[] = [
  computed(["coin", "text"], "lower-case ticker", ({ coin }) => coin),
  computed(["name", "text"], "the coin's name", ({ name }) => name),
  computed(["day", "date"], "the coin's last day", ({ reading }) => reading.day),
  computed(
    ["stale", "boolean"],
    "that day is more than 2 days before the snapshot's",
    ({ stale }) => stale,
  ),
  computed(["close", "double", "usd"], "close of the day", ({ reading }) => reading.close),
  ...([1, 7, 30] as const).map((days): SignalsColumn =>
    computed(
      [`change_${days}d_pct`, "double", "percent"],
      `change of the close over ${days === 1 ? "a day" : `${days} days`}`,
      ({ reading }) => reading[`change${days}d`] * 100,
    ),
  ),
  ...ratingColumns("rating", "the technical rating", (summary) => summary),
  ...ratingColumns(
    "moving_averages",
    "its moving averages",
    ({ movingAverages }) => movingAverages,
  ),
  ...ratingColumns("oscillators", "its oscillators", ({ oscillators }) => oscillators),
  ...SIGNALLED.map(([name, of]): SignalsColumn =>
    computed(
      [`signal_${name}`, "text"],
      `what ${name} says: buy, neutral or sell; NULL in its warm-up`,
      ({ reading }) => of(reading.indicators)?.signal ?? null,
    ),
  ),
  ...INDICATOR_COLUMNS.map(({ name, unit, description }): SignalsColumn =>
    computed([name, "double", unit], description, ({ values }) => values[name]!),
  ),
];

export const SIGNALS: Table = {
  name: "signals",
  description:
    "The latest reading of every coin: its rating, what each indicator says, and the indicators' values on the coin's last day.",
  key: ["coin"],
  arrow: false,
  columns: definitionsOf(COLUMNS),
};

export function signalsBlock(rows: readonly SignalsRow[]): TableBlock {
  return { rows: rows.length, columns: rowsOf(COLUMNS, rows) };
}
