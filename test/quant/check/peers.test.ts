import { describe, expect, test } from "vitest";
import { sliceBars } from "../../../quant/bars.ts";
import { afterwardsOf, type KnownRun } from "../../../quant/check/afterwards.ts";
import { gridSharpes, permutedLuckBar } from "../../../quant/check/permuted-luck-bar.ts";
import { peersFigures } from "../../../quant/check/peers.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { sharpeRatio } from "../../../quant/engine/statistics.ts";
import { CATALOGUE, WARM_UP_DAYS } from "../../../quant/strategies/catalogue.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { madeUpBars, withPrices } from "../../support/made-up-bars.ts";
import { DAY } from "./panels.ts";

const BARS = madeUpBars({ seed: 5, days: WARM_UP_DAYS + 400 });
const FROM = WARM_UP_DAYS + 1;

describe("gridSharpes", () => {
  test("are those of single backtests over the same days", () => {
    const window = { from: FROM - 1, to: BARS.day.length };
    const sharpes = gridSharpes(BARS, window);
    expect(sharpes).toHaveLength(286);
    const template = CATALOGUE[0]!;
    const flags = flagsOf(template, createMarket(BARS), template.variants[0]!);
    const { returns } = runBacktest({ bars: BARS, flags, window, startingCash: 1 });
    expect(sharpes[0]).toBe(sharpeRatio(returns, 1, returns.length));
  });
});

describe("permutedLuckBar", () => {
  test("rises with the number of runs, and is the same each time", () => {
    const window = { from: FROM - 1, to: BARS.day.length };
    const bar = permutedLuckBar(BARS, window, 6);
    expect(bar.n1.median).toBeLessThan(bar.n13.median);
    expect(bar.n13.median).toBeLessThan(bar.n286.median);
    expect(bar.n286.median).toBeLessThanOrEqual(bar.n286.p95);
    expect(permutedLuckBar(BARS, window, 6)).toEqual(bar);
  });

  test("is of the same days: what was earned before them doesn't count", () => {
    const window = { from: FROM - 1, to: BARS.day.length };
    const rising = withPrices(BARS, (column) =>
      column.map((price, row) => price * 1.01 ** Math.min(row, FROM - 1)),
    );
    const [bar, afterARise] = [BARS, rising].map(
      (bars) => permutedLuckBar(bars, window, 6).n1.median,
    );
    expect(Math.abs(afterARise! - bar!)).toBeLessThan(0.2);
  });
});

describe("afterwardsOf", () => {
  const runs = (coins: number, each: number): KnownRun[] =>
    Array.from({ length: coins * each }, (_, place) => ({
      coin: `c${place % coins}`,
      inSampleSharpe: 1 + 0.001 * Math.floor(place / coins),
      inSampleDays: 700,
      laterSharpe: place % coins < 15 ? -0.5 : 0.5,
    }));

  test("takes at most ten runs of a coin, the nearest", () => {
    const found = afterwardsOf(runs(30, 12), { sharpe: 1, days: 600 })!;
    expect([found.runs, found.coins, found.shareBelowZero]).toEqual([300, 30, 0.5]);
    expect([found.low, found.median, found.high]).toEqual([-0.5, 0, 0.5]);
  });

  test("needs 20 coins, a similar Sharpe ratio and a similar length", () => {
    expect(afterwardsOf(runs(19, 5), { sharpe: 1, days: 700 })).toBeUndefined();
    expect(afterwardsOf(runs(30, 5), { sharpe: 1.3, days: 700 })).toBeUndefined();
    expect(afterwardsOf(runs(30, 5), { sharpe: 1, days: 466 })).toBeUndefined();
    expect(afterwardsOf(runs(30, 5), { sharpe: 1, days: 467 })).toBeDefined();
  });
});

describe("peersFigures", () => {
  const bars = BARS;
  const rows = Array.from({ length: 399 }, (_, row) => FROM + row);
  const coin = Float64Array.from(rows, (row) => bars.close[row]! / bars.close[row - 1]! - 1);
  const input = {
    instants: Float64Array.from(rows, (row) => bars.day[row]! * DAY),
    barSeconds: DAY,
    returns: coin.map((value, row) => (row % 3 === 0 ? value : 0)),
    coin,
  };
  const data = { coin: "btc", bars, known: [], shift: 0, draws: 2 };

  test("rank a run among ours on the same days, beside holding the coin", () => {
    const ofGains = { ...input, returns: coin.map((value) => Math.max(value, 0)) };
    const { peers, reason } = peersFigures(ofGains, data);
    expect(reason).toBeNull();
    expect(peers!.sameDays.rank).toBe(1);
    expect(peers!.sameDays.hold.sharpe).toBe(sharpeRatio(coin, 0, coin.length));
    const ofLosses = { ...input, returns: coin.map((value) => Math.min(value, 0)) };
    expect(peersFigures(ofLosses, data).peers!.sameDays.rank).toBe(peers!.sameDays.runs + 1);
    expect(peers!.afterwards).toBeNull();
  });

  test.each([
    [
      "shorts",
      { returns: coin.map((value, row) => (row % 2 === 0 ? value : -value)) },
      "went the other way",
    ],
    [
      "gaps",
      { instants: input.instants.map((at, row) => at + (row > 9 ? DAY : 0)) },
      "a bar for each day",
    ],
    ["weeks", { barSeconds: 7 * DAY }, "a bar for each day"],
    ["cash", { returns: new Float64Array(399) }, "never moves with btc"],
  ])("%s are not comparable", (_, over, reason) => {
    const found = peersFigures({ ...input, ...over }, data);
    expect(found.peers).toBeNull();
    expect(found.reason).toContain(reason);
  });

  test("several coins are not comparable", () => {
    const reason = "not comparable: it traded eth, SOL/USDT as well";
    expect(peersFigures(input, { ...data, others: ["eth", "SOL/USDT"] }).reason).toBe(reason);
  });

  test("a young coin is not comparable", () => {
    const young = { ...data, bars: sliceBars(bars, 5) };
    expect(peersFigures(input, young).reason).toContain("need 200 days of btc");
  });
});
