import { describe, expect, test } from "vitest";
import { correlation } from "../../../quant/check/coin-returns.ts";
import { coinResiduals, portfoliosOf, uncorrelated } from "../../../quant/check/coin-residuals.ts";
import { checkOf, normalColumns } from "./panels.ts";

/** Three coins that move together, the last of which drifts, and a strategy that holds two of them. */
function market() {
  const [first, other, drifting, own] = normalColumns(41, 800, [0, 0, 4, 0]) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const second = first.map((value, row) => 0.6 * value + other[row]!);
  const third = second.map((value, row) => 0.5 * value + drifting[row]!);
  const strategy = own.map((value, row) => 0.3 * value + 0.5 * second[row]! + 0.5 * third[row]!);
  return { coins: [first, second, third], strategy };
}

describe("a basket", () => {
  const { coins, strategy } = market();
  const coin = { name: "a + b + c", returns: coins[0]!, basket: coins };

  test("leaves what none of its coins explains", () => {
    const left = coinResiduals(strategy, portfoliosOf(coin))!;
    for (const one of coins) expect(Math.abs(correlation(left, one))).toBeLessThan(1e-10);
  });

  test("takes the drift of each coin out, where one coin alone leaves it in", () => {
    const verdictWith = (held: typeof coin | Omit<typeof coin, "basket">) =>
      checkOf([strategy], { nTrials: 1, coin: held }).verdict;
    const alone = { name: "a", returns: coins[0]! };
    expect(verdictWith(alone).value).toBe("skill");
    expect(verdictWith(coin).value).not.toBe("skill");
  });

  test("leaves out a coin that is nearly another", () => {
    const twin = coins[0]!.map((value, row) => value + coins[1]![row]! / 100);
    expect(uncorrelated([coins[0]!, twin, coins[2]!]).alike).toEqual([1]);
  });
});

test("a verdict of skill says what is not taken out", () => {
  const { verdict } = checkOf(normalColumns(3, 900, [4]), { nTrials: 1, notTakenOut: ["ATOM"] });
  expect(verdict.value).toBe("skill");
  expect(verdict.sentence).toContain("; the rise of ATOM is not taken out.");
});
