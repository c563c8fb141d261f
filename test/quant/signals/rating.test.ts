import { describe, expect, test } from "vitest";
import { sliceBars, type Bars } from "../../../quant/bars.ts";
import { computeIndicators, type IndicatorColumns } from "../../../quant/indicators/columns.ts";
import { nameOfScore, summarize, type Rating } from "../../../quant/signals/rating.ts";
import { readingAt } from "../../../quant/signals/reading.ts";
import { AVERAGES, EMA, SMA } from "../../../quant/signals/averages.ts";
import { dayOf, scoresOf } from "../../../quant/signals/indicator.ts";
import { OSCILLATORS } from "../../../quant/signals/oscillators.ts";
import { flatBars, madeUpBars } from "../../support/made-up-bars.ts";
import { testBars, testTickers } from "../../support/real-prices.ts";

const rateDay = (bars: Bars, columns: IndicatorColumns, row: number) =>
  readingAt(bars, columns, row).summary;

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const countsOf = (votes: readonly number[]) =>
  [1, 0, -1].map((vote) => votes.filter((each) => each === vote).length);
const tallyOf = ({ score, buy, neutral, sell }: Rating) => [score, buy, neutral, sell];

const SEVERAL = testTickers().filter((_, index) => index % 6 === 0);

describe("the rating of a day", () => {
  test.each(SEVERAL)("is the mean of what its components say, on every day of %s", (ticker) => {
    const bars = testBars(ticker);
    const columns = computeIndicators(bars);
    for (const row of bars.close.keys()) {
      const of = (group: Parameters<typeof scoresOf>[0]) =>
        Object.values(scoresOf(group, dayOf(bars, columns, row)));
      const halves = [[EMA, SMA, AVERAGES].flatMap(of), of(OSCILLATORS)].map((scores) =>
        scores.filter((score) => !Number.isNaN(score)),
      );
      const { movingAverages, oscillators, ...summary } = rateDay(bars, columns, row);
      const means = halves.map((votes) => sum(votes) / votes.length); // 0 / 0 without one
      const known = means.filter((mean) => !Number.isNaN(mean));
      expect([movingAverages, oscillators, summary].map(tallyOf)).toEqual([
        [means[0], ...countsOf(halves[0]!)],
        [means[1], ...countsOf(halves[1]!)],
        [sum(known) / known.length, ...countsOf(halves.flat())],
      ]);
    }
  });

  test("has 15 and 11 components once the history is long enough", () => {
    const bars = madeUpBars({ seed: 1, days: 300 });
    const { movingAverages, oscillators } = rateDay(bars, computeIndicators(bars), 299);
    const count = ({ buy, neutral, sell }: typeof movingAverages) => buy + neutral + sell;
    expect([count(movingAverages), count(oscillators)]).toEqual([15, 11]);
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
  const averages = (score: number) => Array<number>(15).fill(score);
  const oscillators = (score: number) => [score, ...Array<number>(10).fill(NaN)];

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
