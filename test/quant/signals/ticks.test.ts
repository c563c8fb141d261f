import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { Bars } from "../../../quant/bars.ts";
import { computeIndicators, type IndicatorColumns } from "../../../quant/indicators/columns.ts";
import { AVERAGES, EMA, SMA } from "../../../quant/signals/averages.ts";
import { dayOf, scoresOf } from "../../../quant/signals/indicator.ts";
import { OSCILLATORS } from "../../../quant/signals/oscillators.ts";
import { UNRATED } from "../../../quant/signals/unrated-indicators.ts";
import { madeUpBars, seededUniform } from "../../support/made-up-bars.ts";

/** A coin that moves by one tick at most, so that averages and changes of its price are often equal. */
function tickBars({ seed, days }: { seed: number; days: number }): Bars {
  const uniform = seededUniform(seed);
  const bars = madeUpBars({ seed, days });
  const pick = (...values: number[]) => values[Math.floor(uniform() * values.length)]!;
  let price = 100;
  for (let row = 0; row < days; row++) {
    bars.open[row] = price;
    price += pick(-1, 0, 0, 0, 1);
    bars.close[row] = price;
    bars.high[row] = Math.max(bars.open[row]!, price) + pick(0, 0, 1);
    bars.low[row] = Math.min(bars.open[row]!, price) - pick(0, 0, 1);
    bars.volume[row] = pick(0, 1, 5, 1e6);
  }
  return bars;
}

// In whole ticks sums and differences are exact, so there what ties is equal. The ADX is left out: as in TA-Lib,
// rounding decides which of two equal directional movements counts.
test.each([0.01, 1e-8, 1e6 / 3])(
  "scores are those of prices in whole ticks, with ticks of %d",
  (tick) => {
    const inTicks = tickBars({ seed: 6, days: 400 });
    const scaled = (column: Float64Array) => column.map((ticks) => ticks * tick);
    const { open, high, low, close } = inTicks;
    const bars = {
      ...inTicks,
      open: scaled(open),
      high: scaled(high),
      low: scaled(low),
      close: scaled(close),
    };
    const [columns, columnsInTicks] = [computeIndicators(bars), computeIndicators(inTicks)];
    const differing: number[] = [];
    for (let row = 0; row < close.length; row++) {
      const scores = (of: Bars, columnsOf: IndicatorColumns) => {
        const day = dayOf(of, columnsOf, row);
        const others = [EMA, SMA, AVERAGES, UNRATED].map((group) => scoresOf(group, day));
        return [...others, { ...scoresOf(OSCILLATORS, day), adx: 0 }];
      };
      if (!isDeepStrictEqual(scores(bars, columns), scores(inTicks, columnsInTicks))) {
        differing.push(row);
      }
    }
    expect(differing).toEqual([]);
  },
);
