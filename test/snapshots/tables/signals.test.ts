import { describe, expect, test } from "vitest";
import { snakeCase } from "../../../quant/letter-case.ts";
import { AVERAGE_PERIODS, computeIndicators } from "../../../quant/indicators/columns.ts";
import { readingAt, type ReadingIndicators } from "../../../quant/signals/reading.ts";
import { indicatorValuesAt } from "../../../snapshots/tables/indicators.ts";
import { SIGNALS, signalsBlock } from "../../../snapshots/tables/signals.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const BARS = madeUpBars({ seed: 1, days: 300 });
const COLUMNS = computeIndicators(BARS);
/** A coin for each day of one history, young ones too. */
const ROWS = Array.from(BARS.day, (_, row) => ({
  coin: `coin-${row}`,
  name: `Coin ${row}`,
  stale: row % 2 === 1,
  reading: readingAt(BARS, COLUMNS, row),
  values: indicatorValuesAt(COLUMNS, row),
}));
const { rows, columns } = signalsBlock(ROWS);
const READINGS = ROWS.map(({ reading }) => reading);

describe("signalsBlock", () => {
  test("has a row for each coin and the columns of the table, no others", () => {
    expect(rows).toBe(300);
    const named = SIGNALS.columns.map(({ name }) => name);
    expect(Object.keys(columns).sort()).toEqual(named.sort());
    expect(columns).toMatchObject({
      coin: ROWS.map(({ coin }) => coin),
      name: ROWS.map(({ name }) => name),
      day: [...BARS.day],
      stale: ROWS.map(({ stale }) => stale),
      close: BARS.close,
      change_1d_pct: Float64Array.from(READINGS, ({ change1d }) => change1d * 100),
      change_7d_pct: Float64Array.from(READINGS, ({ change7d }) => change7d * 100),
      change_30d_pct: Float64Array.from(READINGS, ({ change30d }) => change30d * 100),
      atr_14: COLUMNS.atr14,
    });
  });

  test("says of each indicator what the reading says, under the same name", () => {
    const names = Object.keys(READINGS[0]!.indicators) as (keyof ReadingIndicators)[];
    const others = names.filter((name) => name !== "ema" && name !== "sma");
    for (const name of others) {
      const column = `signal_${snakeCase(name)}`;
      const said = READINGS.map(({ indicators }) => indicators[name]?.signal ?? null);
      expect({ column, says: columns[column] }).toEqual({ column, says: said });
    }
    for (const days of AVERAGE_PERIODS) {
      const said = (kind: "ema" | "sma") =>
        READINGS.map(({ indicators }) => indicators[kind][days]?.signal ?? null);
      expect(columns[`signal_ema_${days}`]).toEqual(said("ema"));
      expect(columns[`signal_sma_${days}`]).toEqual(said("sma"));
    }
    const signals = Object.keys(columns).filter((name) => name.startsWith("signal_"));
    expect(signals).toHaveLength(others.length + 2 * AVERAGE_PERIODS.length);
  });

  test("rates as the reading does, whole and by halves", () => {
    const halves = {
      rating: READINGS.map(({ summary }) => summary),
      moving_averages: READINGS.map(({ summary }) => summary.movingAverages),
      oscillators: READINGS.map(({ summary }) => summary.oscillators),
    };
    for (const [name, ratings] of Object.entries(halves)) {
      expect(columns[name]).toEqual(ratings.map(({ rating }) => rating));
      expect(columns[`${name}_score`]).toEqual(Float64Array.from(ratings, ({ score }) => score));
      for (const signal of ["buy", "neutral", "sell"] as const)
        expect(columns[`${name}_${signal}`]).toEqual(ratings.map((rating) => rating[signal]));
    }
  });
});
