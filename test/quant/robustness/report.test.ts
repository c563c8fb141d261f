import { beforeAll, describe, expect, test } from "vitest";
import { coinRecord } from "../../../quant/dataset/coin-record.ts";
import { mean } from "../../../quant/sample-statistics.ts";
import { panelOf } from "../../../quant/overfitting/index-panel.ts";
import { coinPremiums, type CoinPremiums } from "../../../quant/robustness/coin-premiums.ts";
import { robustnessDraw } from "../../../quant/robustness/draw.ts";
import { robustnessRows } from "../../../quant/robustness/report.ts";
import type { RobustnessRow } from "../../../quant/robustness/report.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const BARS = [1, 2, 3].map((seed) => madeUpBars({ seed, days: 1500 + seed }));
const isLarge = [true, false, false];
const seed = 7;
let premiums: CoinPremiums[];
let rows: Map<string, RobustnessRow>;

const draws = (count: number, blockDays: 5 | 60) => {
  const coins = BARS.map((bars, coin) => {
    const panel = panelOf([bars], { lastDay: bars.day.at(-1)!, days: bars.day.length });
    return { firstDay: bars.day[0]!, panel, isLarge: isLarge[coin]! };
  });
  return Array.from({ length: count }, (_, draw) =>
    robustnessDraw({ coins, seed, draw, blockDays }),
  );
};

beforeAll(() => {
  premiums = BARS.map((bars) => coinPremiums({ bars, firstDay: bars.day[200]!, walks: true }));
  const made = robustnessRows(premiums, isLarge, {
    seed,
    draws: { 5: draws(3, 5), 60: draws(3, 60) },
  });
  rows = new Map(made.map((row) => [row.check, row]));
});

/** Mean premium of the dataset's own picks, from its records. */
function premiumOfRecords(segment: "inSample" | "outOfSample"): number {
  const cells = BARS.flatMap((bars, coin) => coinRecord({ coin: `coin-${coin}`, bars }).cells);
  return mean(
    cells.map(({ runs, pick }) => {
      const movers = runs.filter((run) => !Number.isNaN(run.segments.inSample.sharpe));
      const after = runs[pick]?.segments.outOfSample.sharpe ?? NaN;
      if (Number.isNaN(after)) return NaN;
      return (
        runs[pick]!.segments[segment].sharpe -
        mean(movers.map((run) => run.segments[segment].sharpe))
      );
    }),
  );
}

describe("the robustness of the dataset", () => {
  test("has a row for every way to ask", () => {
    expect([...rows.keys()]).toEqual([
      "split_50",
      "split_60",
      "split_70",
      "split_80",
      ...[...rows.keys()].filter((name) => name.startsWith("year_")),
      "years",
      "double_costs",
      "pick_by_calmar",
      "pick_by_return",
      "pick_default",
      "without_best_coin",
      "without_worst_coin",
      "without_trend",
      "without_momentum",
      "without_mean_reversion",
      "without_breakout",
      "without_volatility",
      "largest_coins",
      "other_coins",
      "walk_forward",
      "planted_0_05",
      "planted_0_10",
    ]);
  });

  test("is at 70/30 what the picks of the dataset were worth", () => {
    const { premiumInSample, premiumOutOfSample, shareKept, coins } = rows.get("split_70")!;
    expect(premiumInSample).toBeCloseTo(premiumOfRecords("inSample"), 9);
    expect(premiumOutOfSample).toBeCloseTo(premiumOfRecords("outOfSample"), 9);
    expect(shareKept).toBeCloseTo(premiumOutOfSample / premiumInSample, 12);
    expect(coins).toBe(3);
  });

  test("parts add up: coins, and years to their pool", () => {
    const sum = (names: string[]) =>
      names.reduce((total, name) => {
        const { premiumOutOfSample, picks } = rows.get(name)!;
        return total + premiumOutOfSample * picks;
      }, 0);
    const total = (name: string) => sum([name]);
    expect(sum(["largest_coins", "other_coins"])).toBeCloseTo(total("split_70"), 9);
    const years = [...rows.keys()].filter((name) => name.startsWith("year_"));
    expect(years.length).toBeGreaterThan(0);
    expect(sum(years)).toBeCloseTo(total("years"), 9);
  });

  test("the interval holds the value, and bands are of the draws", () => {
    const all = [...rows.values()];
    const outside = all.filter(
      ({ coins, low, high, premiumOutOfSample: value }) =>
        coins > 1 && (value < low || value > high),
    );
    expect(outside).toEqual([]);
    const hasNone = ({ low, high, p }: RobustnessRow["nulls"][5]) =>
      [low, high, p].every(Number.isNaN);
    const undrawn = all.filter(({ nulls }) => hasNone(nulls[5]) && hasNone(nulls[60]));
    expect(undrawn.map(({ check }) => check)).toEqual([
      "walk_forward",
      "planted_0_05",
      "planted_0_10",
    ]);
    const { nulls, premiumOutOfSample } = rows.get("split_70")!;
    const drawn = draws(3, 60).map((draw) => draw.get("split_70")!);
    const asHigh = drawn.filter((premium) => premium >= premiumOutOfSample).length;
    expect(nulls[60].p).toBe((1 + asHigh) / 4);
  });

  test("a spread that is planted shows", () => {
    const own = rows.get("split_70")!.premiumOutOfSample;
    const [some, more] = [rows.get("planted_0_05")!, rows.get("planted_0_10")!];
    expect(some.premiumOutOfSample).toBeGreaterThan(own);
    expect(more.premiumOutOfSample).toBeGreaterThan(some.premiumOutOfSample);
  });

  test("the walk forward has growths, and is never better than knowing", () => {
    const { growth } = rows.get("walk_forward")!;
    for (const value of Object.values(growth!)) expect(Number.isFinite(value)).toBe(true);
    expect(rows.get("split_70")!.growth).toBeUndefined();
  });

  test("the same seed gives the same rows", () => {
    const again = robustnessRows(premiums, isLarge, {
      seed,
      draws: { 5: draws(3, 5), 60: draws(3, 60) },
    });
    expect(again).toEqual([...rows.values()]);
  });
});
