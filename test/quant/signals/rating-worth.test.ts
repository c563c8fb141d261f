import { describe, expect, test } from "vitest";
import { computeIndicators } from "../../../quant/indicators/columns.ts";
import { ratingScores } from "../../../quant/signals/rating.ts";
import { ratingWorth, returnsAfter, type RatedCoin } from "../../../quant/signals/rating-worth.ts";
import { readingAt } from "../../../quant/signals/reading.ts";
import { madeUpBars, seededUniform } from "../../support/made-up-bars.ts";

const DAYS = 700;

/** Coins of random walks, listed one after the other; `rate` makes their scores from what follows. */
function coinsOf(rate: (after: number, uniform: () => number) => number, seed = 1): RatedCoin[] {
  const uniform = seededUniform(seed);
  return Array.from({ length: 8 }, (_, coin) => {
    const { close } = madeUpBars({ seed: seed * 100 + coin, days: DAYS - 40 * coin });
    const returns = returnsAfter(close);
    const scores = returns.map((after) => rate(Number.isNaN(after) ? 0 : after, uniform));
    return { coin: `c${coin}`, firstDay: 100 + 40 * coin, scores, returns };
  });
}

/** A score that stays for two weeks, whatever follows. */
function lazily() {
  let [days, score] = [0, 0];
  return (_: number, uniform: () => number) => {
    if (days-- <= 0) [days, score] = [14, 2 * uniform() - 1];
    return score;
  };
}

const CLASS = (score: number) =>
  score < -0.5 ? 0 : score < -0.1 ? 1 : score > 0.5 ? 4 : score > 0.1 ? 3 : 2;

/** The mean excess of each class when ratings are `shift` days late, by maps instead of columns. */
function naive(coins: readonly RatedCoin[], shift: number): number[] {
  const first = Math.min(...coins.map(({ firstDay }) => firstDay));
  const days = Math.max(...coins.map((coin) => coin.firstDay + coin.scores.length)) - first;
  const sums = Array.from({ length: 5 }, () => [0, 0]);
  for (let day = 0; day < days; day++) {
    const at = (coin: RatedCoin, of: ArrayLike<number>, on: number) =>
      of[on + first - coin.firstDay] ?? NaN;
    const after = coins.map((coin) => at(coin, coin.returns, day));
    const known = after.filter((value) => !Number.isNaN(value));
    const board = known.reduce((sum, value) => sum + value, 0) / known.length;
    const before = (day - shift + days) % days;
    for (const [place, coin] of coins.entries()) {
      const score = at(coin, coin.scores, before);
      if (Number.isNaN(score) || Number.isNaN(after[place]!)) continue;
      const sum = sums[CLASS(score)]!;
      sum[0]! += after[place]! - board;
      sum[1]!++;
    }
  }
  return sums.map(([sum, count]) => sum! / count!);
}

describe("ratingWorth", () => {
  const coins = coinsOf(lazily());
  const worth = ratingWorth(coins)!;

  test("is the return of the 30 days after less the board's, by class, as a second computation has it", () => {
    const expected = naive(coins, 0);
    for (const [place, { meanExcess }] of worth.classes.entries())
      expect(meanExcess).toBeCloseTo(expected[place]!, 12);
    expect(worth).toMatchObject({ coins: 8, firstDay: 100, lastDay: 100 + DAYS - 1 });
  });

  test("judges by the maxima of shifts from 90 days to 90 days before the whole", () => {
    const all = Array.from({ length: 1000 }, (_, k) => 90 + Math.round((k * (DAYS - 180)) / 999));
    const offsets = [...new Set(all)];
    const own = naive(coins, 0);
    const judged = [2, 4, 1].map((step) => {
      const shifts = offsets.filter((_, at) => at % step === 0);
      const means = shifts.map((shift) => naive(coins, shift));
      const of = (place: number) => {
        const values = means.map((each) => each[place]!);
        const centre = values.reduce((sum, value) => sum + value, 0) / values.length;
        const square = values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
        return { centre, deviation: Math.sqrt(square / (values.length - 1)) };
      };
      const nulls = [0, 1, 2, 3, 4].map(of);
      const largest = (each: readonly number[]) =>
        Math.max(
          ...each.map((value, k) => Math.abs(value - nulls[k]!.centre) / nulls[k]!.deviation),
        );
      const maxima = means.map(largest).sort((a, b) => a - b);
      const reached = maxima.filter((value) => value >= largest(own)).length;
      return { shifts, maxima, p: (1 + reached) / (1 + shifts.length) };
    });
    expect([worth.p, worth.pHalf, worth.pTwice]).toEqual(
      judged.map(({ p }) => expect.closeTo(p, 12)),
    );
    const [{ shifts, maxima }] = judged as [(typeof judged)[number]];
    expect(worth.shifts).toBe(shifts.length);
    const place = 0.95 * (maxima.length - 1);
    expect(worth.bar).toBeGreaterThanOrEqual(maxima[Math.floor(place)]!);
    expect(worth.bar).toBeLessThanOrEqual(maxima[Math.ceil(place)]!);
  });

  test("says what is left without the coin and without the year that carry it", () => {
    const mean = (rows: readonly number[]) =>
      rows.reduce((sum, value) => sum + value, 0) / rows.length;
    const first = Math.min(...coins.map(({ firstDay }) => firstDay));
    const rows = coins.flatMap((coin) =>
      Array.from(coin.scores).flatMap((score, row) => {
        const day = coin.firstDay + row;
        const after = coins.map((other) => other.returns[day - other.firstDay] ?? NaN);
        const known = after.filter((value) => !Number.isNaN(value));
        const excess = coin.returns[row]! - mean(known);
        const year = new Date(day * 864e5).getUTCFullYear();
        return Number.isNaN(excess) ? [] : [{ coin: coin.coin, year, place: CLASS(score), excess }];
      }),
    );
    expect(first).toBe(100);
    for (const [place, of] of worth.classes.entries()) {
      const own = rows.filter((row) => row.place === place);
      const side = Math.sign(of.meanExcess);
      const least = (key: "coin" | "year") =>
        [...new Set(own.map((row) => row[key]))]
          .map((left) => ({
            left,
            mean: mean(own.filter((row) => row[key] !== left).map(({ excess }) => excess)),
          }))
          .toSorted((a, b) => side * (a.mean - b.mean))[0]!;
      const [coin, year] = [least("coin"), least("year")];
      expect([of.coin, of.year]).toEqual([coin.left, year.left]);
      expect(of.meanExcessWithoutCoin).toBeCloseTo(coin.mean, 12);
      expect(of.meanExcessWithoutYear).toBeCloseTo(year.mean, 12);
      const sorted = own.map(({ excess }) => excess).sort((a, b) => a - b);
      const half = (sorted.length - 1) / 2;
      const median = (sorted[Math.floor(half)]! + sorted[Math.ceil(half)]!) / 2;
      expect(of.medianExcess).toBeCloseTo(median, 12);
    }
  });

  test("sees a rating that knows what follows", () => {
    const knowing = ratingWorth(coinsOf((after, uniform) => 3 * after + 0.4 * (uniform() - 0.5)))!;
    expect(knowing.classes[4]!.deviations).toBeGreaterThan(knowing.bar);
    expect(knowing.p).toBeLessThan(0.01);
  });

  test("seldom claims a worth where there is none", () => {
    const claims = Array.from({ length: 30 }, (_, market) => {
      const { bar, classes } = ratingWorth(coinsOf(lazily(), market + 2))!;
      return classes.some(({ deviations }) => Math.abs(deviations) > bar);
    });
    expect(claims.filter(Boolean).length, "of 30 markets; 1.5 expected").toBeLessThan(6);
  });

  test("is undefined where ratings cannot be shifted", () => {
    expect(ratingWorth([])).toBeUndefined();
    const [coin] = coins;
    const short = { ...coin!, scores: coin!.scores, returns: coin!.returns };
    const cut = (values: ArrayLike<number>) => Array.from(values).slice(0, 180);
    expect(
      ratingWorth([{ ...short, scores: cut(short.scores), returns: cut(short.returns) }]),
    ).toBeUndefined();
  });
});

describe("ratingScores", () => {
  test("are the scores of the readings of each day", () => {
    const bars = madeUpBars({ seed: 3, days: 260 });
    const columns = computeIndicators(bars);
    const scores = ratingScores(bars);
    for (const row of [0, 5, 30, 120, 259])
      expect(scores[row]).toBe(readingAt(bars, columns, row).summary.score);
  });
});
