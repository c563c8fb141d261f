import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { oneBarLater, scoreNeeded } from "../../../quant/check/one-bar-later.ts";
import { sharpeOf } from "../../../quant/check/selected-variant.ts";
import { totalReturn } from "../../../quant/engine/statistics.ts";
import { normalQuantile } from "../../../quant/overfitting/normal-quantile.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { LATER_CASES, returnsOfCase, type LaterAnswers } from "../../support/foresight.ts";

type Probe = typeof oneBarLater;

const growth = (returns: Float64Array) => totalReturn(returns, 0, returns.length);
const sharpe = (returns: Float64Array) => Math.sqrt(365) * sharpeOf(returns) || 0;

/** What a probe says of a case, under the names of its answers. */
function figuresOf(probe: Probe, name: string): Partial<LaterAnswers> {
  const { returns, market } = returnsOfCase(name);
  const later = probe(returns, market);
  if (later === undefined) return { status: "not_tested" };
  const { fault, one, two, size, told, asked, cash, score1, score2 } = later;
  const isFound = Math.max(score1, score2) >= scoreNeeded(1);
  return {
    probe: "later",
    status: fault !== null ? "not_tested" : isFound ? "found" : "passed",
    ...(fault === null ? {} : { reason: fault }),
    size,
    told,
    asked,
    cash,
    changes_1: later.changes1,
    changes_2: later.changes2,
    s_1: score1,
    s_2: score2,
    sharpe: sharpe(returns),
    sharpe_1: sharpe(one),
    sharpe_2: sharpe(two),
    total: growth(returns),
    total_1: growth(one),
    total_2: growth(two),
  };
}

/** The figures that miss the answers by more than a billionth. */
function missed(probe: Probe, { name, answers }: (typeof LATER_CASES)[number]): string[] {
  const figures = figuresOf(probe, name);
  const expected = Object.entries(answers).filter(([figure]) => figure !== "what");
  return expected.flatMap(([figure, value]) => {
    const got = figures[figure as keyof LaterAnswers];
    const isNear =
      typeof value === "number" && typeof got === "number"
        ? Math.abs(got - value) <= 1e-9 * Math.max(1e-3, Math.abs(value))
        : got === value;
    return isNear ? [] : [`${name}: ${figure} is ${String(got)}, not ${String(value)}`];
  });
}

test.each(LATER_CASES)("$name: every figure", (each) => {
  expect(missed(oneBarLater, each)).toEqual([]);
});

/** The probe with a part of its source replaced. */
async function changed(from: string | RegExp, to: string): Promise<Probe> {
  const file = new URL("../../../quant/check/one-bar-later.ts", import.meta.url);
  const source = readFileSync(file, "utf8");
  const other = source.replace(from, to);
  expect(other).not.toBe(source);
  const copy = join(temporaryFolder("probe"), "one-bar-later.ts");
  writeFileSync(copy, other.replaceAll('from "..', `from "${new URL("..", file).pathname}.`));
  const made = (await import(pathToFileURL(copy).href)) as { readonly oneBarLater: Probe };
  return made.oneBarLater;
}

describe("the vectors miss nothing that the probe rests on", () => {
  const constants = ["BIG", "TOLD_BIG", "NEAR", "STILL", "MIN", "TOLD_MIN"];
  const changes = constants.flatMap((name) =>
    [0.8, 1.2].map((by): [string, RegExp, string] => {
      return [
        `${name} x ${by}`,
        new RegExp(`^const ${name} = (.*);`, "m"),
        `const ${name} = ${by} * $1;`,
      ];
    }),
  );
  test.each([
    ...changes,
    ["the position of the bar itself", "held[bar - by]!", "held[bar + 1 - by]!"],
    ["no interest", "usual <= CASH_MAX ? usual : 0", "usual <= CASH_MAX ? 0 : 0"],
    ["no return is small", /^const STILL = (.*);/m, "const STILL = 0;"],
  ])("%s", async (_, from, to) => {
    const probe = await changed(from, to);
    expect(LATER_CASES.flatMap((each) => missed(probe, each))).not.toEqual([]);
  });
});

test("the score is enough for one false alarm in 10,000 records, of both delays and all trials", () => {
  expect(scoreNeeded(1)).toBe(5);
  expect(scoreNeeded(174)).toBe(5);
  expect(scoreNeeded(200)).toBeCloseTo(5.026, 3);
  expect(scoreNeeded(1_000)).toBeCloseTo(5.327, 3);
  expect(scoreNeeded(10_000)).toBeCloseTo(5.731, 3);
  expect(scoreNeeded(500)).toBe(-normalQuantile(1e-7));
});

test.each([
  "a01_honest_average",
  "a02_same_bar_average",
  "a08_honest_breakout",
  "a15_same_bar_volatility",
])("%s: twice the stake is twice the position and hardly another score", (name) => {
  const { returns, market } = returnsOfCase(name);
  const [once, twice] = [returns, returns.map((own) => 2 * own)].map((own) =>
    oneBarLater(own, market)!,
  );
  expect(twice!.size / once!.size).toBeCloseTo(2, 9);
  expect(Math.abs(twice!.score1 - once!.score1)).toBeLessThan(0.2);
  expect(Math.abs(twice!.score2 - once!.score2)).toBeLessThan(0.2);
});

test("too few moves of the market tell no position", () => {
  const { returns, market } = returnsOfCase("a02_same_bar_average");
  expect(oneBarLater(returns.subarray(0, 15), market.subarray(0, 15))).toBeUndefined();
});
