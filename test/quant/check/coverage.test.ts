import { expect, test } from "vitest";
import type { KnownRun } from "../../../quant/check/afterwards.ts";
import { coverageOf, runsByYear } from "../../../quant/check/coverage.ts";
import { runBacktest } from "../../../quant/engine/backtest.ts";
import { sharpeRatio } from "../../../quant/engine/statistics.ts";
import { WARM_UP_DAYS } from "../../../quant/strategies/catalogue.ts";
import { createMarket } from "../../../quant/strategies/market.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { flagsOf } from "../../../quant/strategies/template.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

/** A run on each of some coins, which all showed the same. */
const runs = (coins: number, later: (coin: number) => number): KnownRun[] =>
  Array.from({ length: coins }, (_, coin) => ({
    coin: `c${coin}`,
    inSampleSharpe: 1,
    inSampleDays: 365,
    laterSharpe: later(coin),
  }));

test("a year's runs are held against the year before, on other coins", () => {
  const byYear = new Map([
    [2022, runs(21, (coin) => coin / 20)], // for c0 the others have 0.05 to 1, and 0.0975 to 0.9525 within
    [2023, runs(21, (coin) => (coin < 10 ? 0.5 : 2))],
    [2024, runs(21, () => 2)], // all of the year before lie at 0.5 and 2
    [2026, runs(21, () => 0.5)], // nothing is known of the year before
  ]);
  expect(coverageOf(byYear)).toEqual([
    { year: 2023, runs: 21, inside: 10 },
    { year: 2024, runs: 21, inside: 21 },
  ]);
});

test("runs are those of the engine, cut at the new year", () => {
  const bars = madeUpBars({ seed: 5, days: 1100 }); // from 2020-01-01 on
  const found = runsByYear("btc", bars, 365);
  expect([...found.keys()]).toEqual([2022]);
  const window = { from: WARM_UP_DAYS, to: 1100 };
  const flags = flagsOf(STUDIED[0]!, createMarket(bars), STUDIED[0]!.variants[0]!);
  const { returns } = runBacktest({ bars, flags, window, startingCash: 1 });
  const split = 731 - WARM_UP_DAYS; // 2020 was a leap year
  expect(found.get(2022)).toHaveLength(286);
  expect(found.get(2022)![0]).toEqual({
    coin: "btc",
    inSampleSharpe: sharpeRatio(returns, split - 365, split),
    inSampleDays: 365,
    laterSharpe: sharpeRatio(returns, split, split + 365),
  });
});
