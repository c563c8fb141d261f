import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { sliceBars, type Bars } from "../../../quant/bars.ts";
import type { IndicatorColumn, IndicatorColumns } from "../../../quant/indicators/columns.ts";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { nameOfScore, summarize, type Rating } from "../../../quant/signals/rating.ts";
import { readingAt } from "../../../quant/signals/reading.ts";
import { averageScores } from "../../../quant/signals/average-scores.ts";
import { oscillatorScores } from "../../../quant/signals/oscillator-scores.ts";
import { flatBars, madeUpBars } from "../../support/made-up-bars.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";

/**
 * A second implementation of the rating, straight from the contract's table and as plain as possible: a
 * component is a list of the values it needs, today's or earlier ones, and two conditions on them.
 */
type Component = {
  needs: (readonly [IndicatorColumn, number])[];
  /** How many of those, from the end, may be missing. A comparison with a missing value does not hold. */
  mayMiss?: number;
  buy: (values: number[], close: number) => boolean;
  sell: (values: number[], close: number) => boolean;
};

const AVERAGES: IndicatorColumn[] = [
  "sma_10",
  "sma_20",
  "sma_30",
  "sma_50",
  "sma_100",
  "sma_200",
  "ema_10",
  "ema_20",
  "ema_30",
  "ema_50",
  "ema_100",
  "ema_200",
  "hull_ma_9",
  "vwma_20",
];

const MOVING_AVERAGES: Component[] = [
  ...AVERAGES.map((name): Component => ({
    needs: [[name, 0]],
    buy: ([average], close) => average! < close,
    sell: ([average], close) => average! > close,
  })),
  {
    needs: [
      ["ichimoku_lead1", 26],
      ["ichimoku_lead2", 26],
      ["ichimoku_base", 0],
      ["ichimoku_conversion", 0],
    ],
    buy: ([l1, l2, base, conv], close) =>
      l1! > l2! && base! > l1! && conv! > base! && close > conv!,
    sell: ([l1, l2, base, conv], close) =>
      l1! < l2! && base! < l1! && conv! < base! && close < conv!,
  },
];

const OSCILLATORS: Component[] = [
  {
    needs: [
      ["rsi_14", 0],
      ["rsi_14", 1],
    ],
    buy: ([rsi, before]) => rsi! < 30 && rsi! > before!,
    sell: ([rsi, before]) => rsi! > 70 && rsi! < before!,
  },
  {
    needs: [
      ["stoch_k", 0],
      ["stoch_d", 0],
    ],
    buy: ([k, d]) => k! < 20 && d! < 20 && k! > d!,
    sell: ([k, d]) => k! > 80 && d! > 80 && k! < d!,
  },
  {
    needs: [
      ["cci_20", 0],
      ["cci_20", 1],
    ],
    buy: ([cci, before]) => cci! < -100 && cci! > before!,
    sell: ([cci, before]) => cci! > 100 && cci! < before!,
  },
  {
    needs: [
      ["adx_14", 0],
      ["adx_14", 1],
      ["plus_di_14", 0],
      ["minus_di_14", 0],
    ],
    buy: ([adx, before, plus, minus]) => adx! > 20 && adx! > before! && plus! > minus!,
    sell: ([adx, before, plus, minus]) => adx! > 20 && adx! > before! && plus! < minus!,
  },
  {
    needs: [0, 1, 2].map((back) => ["awesome_oscillator", back] as const),
    mayMiss: 1,
    buy: ([ao, ao1, ao2]) =>
      (ao! > 0 && ao1! <= 0) || (ao! > 0 && ao1! > 0 && ao! > ao1! && ao2! > ao1!),
    sell: ([ao, ao1, ao2]) =>
      (ao! < 0 && ao1! >= 0) || (ao! < 0 && ao1! < 0 && ao! < ao1! && ao2! < ao1!),
  },
  {
    needs: [
      ["momentum_10", 0],
      ["momentum_10", 1],
    ],
    buy: ([momentum, before]) => momentum! > before!,
    sell: ([momentum, before]) => momentum! < before!,
  },
  {
    needs: [
      ["macd_line", 0],
      ["macd_signal", 0],
    ],
    buy: ([line, signal]) => line! > signal!,
    sell: ([line, signal]) => line! < signal!,
  },
  {
    needs: [
      ["stoch_rsi_k", 0],
      ["stoch_rsi_d", 0],
      ["ema_50", 0],
    ],
    buy: ([k, d, ema50], close) => close < ema50! && k! < 20 && d! < 20 && k! > d!,
    sell: ([k, d, ema50], close) => close > ema50! && k! > 80 && d! > 80 && k! < d!,
  },
  {
    needs: [
      ["williams_r_14", 0],
      ["williams_r_14", 1],
    ],
    buy: ([r, before]) => r! < -80 && r! > before!,
    sell: ([r, before]) => r! > -20 && r! < before!,
  },
  {
    needs: [
      ["bear_power_13", 0],
      ["bear_power_13", 1],
      ["bull_power_13", 0],
      ["bull_power_13", 1],
      ["ema_50", 0],
    ],
    buy: ([bear, bearBefore, , , ema50], close) =>
      close > ema50! && bear! < 0 && bear! > bearBefore!,
    sell: ([, , bull, bullBefore, ema50], close) =>
      close < ema50! && bull! > 0 && bull! < bullBefore!,
  },
  {
    needs: [["ultimate_oscillator", 0]],
    buy: ([value]) => value! > 70,
    sell: ([value]) => value! < 30,
  },
];

/** The values, where one that differs from a limit, the close or an earlier value by rounding is set to that. */
function tied(values: number[], needs: Component["needs"], close: number): number[] {
  const known = [0, 20, 30, 70, 80, -20, -80, 100, -100, close];
  return values.map((value, index) => {
    const isPoints = /rsi|stoch|cci|adx|_di_|williams|ultimate/.test(needs[index]![0]);
    const unit = 1e-11 * (isPoints ? 100 : close);
    known.push(value);
    return known.find((other) => Math.abs(value - other) <= unit) ?? NaN;
  });
}

function naiveRating(bars: Bars, columns: IndicatorColumns, row: number) {
  const close = bars.close[row]!;
  const half = (components: Component[]) => {
    const votes = components.flatMap(({ needs, mayMiss = 0, buy, sell }) => {
      const values = needs.map(([name, back]) => (row < back ? NaN : columns[name][row - back]!));
      if (values.slice(0, needs.length - mayMiss).some(Number.isNaN)) return [];
      const now = tied(values, needs, close);
      return [buy(now, close) ? 1 : sell(now, close) ? -1 : 0];
    });
    const score = votes.reduce<number>((sum, vote) => sum + vote, 0) / votes.length; // 0 / 0 without one
    const tally = [1, 0, -1].map((wanted) => votes.filter((vote) => vote === wanted).length);
    return { score, tally };
  };
  const averages = half(MOVING_AVERAGES);
  const oscillators = half(OSCILLATORS);
  let score = (averages.score + oscillators.score) / 2;
  if (Number.isNaN(averages.score)) score = oscillators.score;
  if (Number.isNaN(oscillators.score)) score = averages.score;
  const tally = averages.tally.map((count, index) => count + oscillators.tally[index]!);
  return { averages, oscillators, score, tally };
}

const rateDay = (bars: Bars, columns: IndicatorColumns, row: number) =>
  readingAt(bars, columns, row).summary;

const SEVERAL = testTickers().filter((_, index) => index % 6 === 0);

describe("the rating of a day", () => {
  test.each(SEVERAL)("follows the table on every day of %s", (ticker) => {
    const bars = testBars(ticker);
    const columns = computeIndicators(bars);
    const differing: number[] = [];
    for (let row = 0; row < bars.day.length; row++) {
      const { movingAverages, oscillators, ...summary } = rateDay(bars, columns, row);
      const half = ({ score, buy, neutral, sell }: Rating) => ({
        score,
        tally: [buy, neutral, sell],
      });
      const ours = {
        averages: half(movingAverages),
        oscillators: half(oscillators),
        ...half(summary),
      };
      if (!isDeepStrictEqual(ours, naiveRating(bars, columns, row))) differing.push(row);
    }
    expect(differing).toEqual([]);
  });

  test("has 15 and 11 components once the history is long enough", () => {
    const bars = madeUpBars({ seed: 1, days: 300 });
    const { movingAverages, oscillators } = rateDay(bars, computeIndicators(bars), 299);
    const count = ({ buy, neutral, sell }: typeof movingAverages) => buy + neutral + sell;
    expect([count(movingAverages), count(oscillators)]).toEqual([15, 11]);
  });

  test("sees every answer of every component on some day of these coins", () => {
    const seen = new Map<string, Set<number>>();
    const note = (name: string, score: number) =>
      seen.set(name, (seen.get(name) ?? new Set<number>()).add(score));
    for (const ticker of SEVERAL) {
      const bars = testBars(ticker);
      const columns = computeIndicators(bars);
      for (let row = 199; row < bars.day.length; row++) {
        const { ema, sma, ...rest } = averageScores(columns, row, bars.close[row]!);
        const oscillators = oscillatorScores(columns, row, bars.close[row]!);
        const scores = { ...rest, ...oscillators, ema: ema[50], sma: sma[50] };
        for (const [name, score] of Object.entries(scores)) note(name, score);
      }
    }
    const missing = [...seen].filter(([, scores]) => !scores.has(1) || !scores.has(-1));
    expect({ components: seen.size, missing }).toEqual({ components: 16, missing: [] });
  });

  test("is unknown until the tenth day, and the averages' alone on that day", () => {
    const bars = madeUpBars({ seed: 2, days: 20 });
    const columns = computeIndicators(bars);
    const ninth = rateDay(bars, columns, 8);
    expect([ninth.rating, ninth.score, ninth.buy + ninth.neutral + ninth.sell]).toEqual([
      null,
      NaN,
      0,
    ]);
    const tenth = rateDay(bars, columns, 9);
    expect(tenth.oscillators.rating).toBeNull();
    expect(tenth.score).toBe(tenth.movingAverages.score);
  });

  test("of a market that does not move is neutral", () => {
    const bars = flatBars({ price: 100 / 3, volume: 10, days: 260 });
    const summary = rateDay(bars, computeIndicators(bars), 259);
    // An ultimate oscillator of 0 is below 30, so this component alone gives a signal.
    expect([summary.buy, summary.neutral, summary.sell]).toEqual([0, 25, 1]);
    expect(summary.rating).toBe("neutral");
  });

  test("on a past day is what it was on that day", () => {
    const bars = madeUpBars({ seed: 3, days: 300 });
    const past = sliceBars(bars, 0, 251);
    const then = rateDay(past, computeIndicators(past), 250);
    expect(rateDay(bars, computeIndicators(bars), 250)).toEqual(then);
  });
});

describe("summarize", () => {
  const averages = (score: number) => {
    const each = { 10: score, 20: score, 30: score, 50: score, 100: score, 200: score };
    return { ema: each, sma: each, hullMa: score, vwma: score, ichimoku: score };
  };
  const oscillators = (score: number) => ({
    rsi: score,
    stochastic: NaN,
    cci: NaN,
    adx: NaN,
    awesomeOscillator: NaN,
    momentum: NaN,
    macd: NaN,
    stochRsi: NaN,
    williamsR: NaN,
    bullBearPower: NaN,
    ultimateOscillator: NaN,
  });

  test("weighs the halves alike, however many components they have", () => {
    expect(summarize(averages(1), oscillators(-1)).score).toBe(0);
  });

  test("is that of one half when the other has no component", () => {
    expect(summarize(averages(1), oscillators(NaN))).toMatchObject({
      rating: "strong_buy",
      score: 1,
    });
    expect(summarize(averages(NaN), oscillators(-1))).toMatchObject({ rating: "strong_sell" });
    expect(summarize(averages(NaN), oscillators(NaN))).toMatchObject({ rating: null, score: NaN });
  });
});

describe("nameOfScore", () => {
  test.each([
    [-1, "strong_sell"],
    [-0.51, "strong_sell"],
    [-0.5, "sell"],
    [-0.11, "sell"],
    [-0.1, "neutral"],
    [0, "neutral"],
    [0.1, "neutral"],
    [0.11, "buy"],
    [0.5, "buy"],
    [0.51, "strong_buy"],
    [1, "strong_buy"],
    [NaN, null],
  ])("of %d is %s", (score, name) => {
    expect(nameOfScore(score)).toBe(name);
  });
});
