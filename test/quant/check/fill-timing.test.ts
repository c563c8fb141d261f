import { describe, expect, test } from "vitest";
import { fillTiming, levelTiming } from "../../../quant/check/fill-timing.ts";
import { TRADE_CASES, tradesOfCase } from "../../support/foresight.ts";

/** A p-value below the threshold counts by its side alone. */
const chance = (p: number) => (p <= 1e-6 ? "rare" : p.toPrecision(9));

describe.each(TRADE_CASES)("$name", ({ name, answers }) => {
  const trades = tradesOfCase(name);

  test.each(["entry", "exit"] as const)("its %s prices", (at) => {
    const { status, tested, near, other, pValue, fills } = fillTiming(trades, at);
    const { n, p, ...expected } = answers.fills[at];
    expect({ status, tested, near, other, p: chance(pValue) }).toEqual({
      ...expected,
      tested: n,
      p: chance(p),
    });
    expect(fills).toBe(answers.trades);
  });

  test("its stop and its profit", () => {
    const { status, tested, profitFirst, take, stop, pValue } = levelTiming(trades);
    const { levels } = answers;
    expect(status).toBe(levels.status);
    const { n = 0, first_profit: first = 0, p = 1 } = levels;
    expect([tested, profitFirst, chance(pValue)]).toEqual([n, first, chance(p)]);
    if (levels.reason === "levels") return;
    expect(take).toBeCloseTo(levels.take!, 12);
    expect(stop).toBeCloseTo(levels.stop!, 12);
  });
});

describe("fills at the day's low", () => {
  const trades = tradesOfCase("b01_at_the_low");

  test("are not tested where a fifth lies outside the range, as in another market", () => {
    const moved = trades.map((trade, row) => {
      const { position } = trade;
      return row % 5 === 0 ? { ...trade, position: { ...position, entryPrice: 1e6 } } : trade;
    });
    expect(fillTiming(moved, "entry")).toMatchObject({
      status: "not_tested",
      other: 59,
      fills: 292,
    });
    expect(fillTiming(moved.slice(1), "entry")).toMatchObject({ status: "found", other: 58 });
  });

  test("are found in lists of many thousands, too", () => {
    const many = Array.from({ length: 40 }, () => trades).flat();
    expect(fillTiming(many, "entry")).toMatchObject({ status: "found", tested: 40 * 285 });
  });

  test("count on days that have prices, with an exit whose price is known", () => {
    const late = trades.map((trade) => ({ ...trade, entry: 4e9, exit: 4e9 }));
    expect(fillTiming(late, "entry")).toMatchObject({ status: "not_tested", fills: 0 });
    const open = trades.map((trade) => ({
      ...trade,
      position: { ...trade.position, exitPrice: undefined },
    }));
    expect(fillTiming(open, "exit")).toMatchObject({ status: "not_tested", fills: 0 });
    expect(levelTiming(open)).toMatchObject({ status: "not_tested", tested: 0 });
  });
});
