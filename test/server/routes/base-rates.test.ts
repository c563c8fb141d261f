import { expect, test } from "vitest";
import { quantile } from "../../../quant/sample-statistics.ts";
import { baseRates } from "../../../server/routes/base-rates.ts";
import type { RunColumns } from "../../../snapshots/tables/dataset-runs.ts";
import { askOn } from "../../support/ask-on.ts";
import { marketSnapshot } from "../../support/server-market.ts";

/** A coin whose runs all showed the same, and then what is given. */
function runs(coin: string, inSample: number, later: readonly number[]): RunColumns {
  return {
    coin,
    inSampleSharpe: new Float64Array(later.length).fill(inSample),
    inSampleDays: new Int32Array(later.length).fill(700),
    laterSharpe: Float64Array.from(later),
  };
}

const LATER = Array.from({ length: 25 }, (_, place) => place / 10 - 1);
const BOARD = [
  runs("btc", 1.1, LATER),
  ...Array.from({ length: 19 }, (_, coin) => runs(`c${coin}`, 1, [coin / 10, NaN])),
];
const ask = askOn({ ...marketSnapshot(), runs: () => BOARD });

test("ten runs of each coin at most, and all of the coin's own", () => {
  const data = ask(baseRates, "sharpe=1&length_days=600&coin=btc");
  const own = LATER.slice(0, 10);
  const all = [...own, ...Array.from({ length: 19 }, (_, coin) => coin / 10)];
  expect(data.afterwards).toMatchObject({ runs: 29, coins: 20 });
  expect(data.afterwards.median).toBeCloseTo(quantile(all, 0.5), 9);
  expect(data.afterwards.low).toBeCloseTo(quantile(all, 0.05), 9);
  expect(data.afterwards.high).toBeCloseTo(quantile(all, 0.95), 9);
  expect(data.afterwards.share_below_zero).toBeCloseTo(10 / 29, 9);
  expect(data.afterwards_note).toContain("20 coins, one shared market");
  expect(data.on_coin).toMatchObject({ runs: 25, share_below_zero: 0.4 });
  expect(data.on_coin.median).toBeCloseTo(0.2, 9);
});

test("too few coins or runs give no figures, and the reason", () => {
  const data = ask(baseRates, "sharpe=1.3&length_days=600&coin=eth");
  expect([data.afterwards, data.on_coin]).toEqual([null, null]);
  expect(data.afterwards_note).toContain("fewer than 20 coins");
  expect(ask(baseRates, "sharpe=1&length_days=1051").afterwards).toBeNull();
});

test.each([
  ["sharpe=1", 'parameter "length_days" is required'],
  ["sharpe=much&length_days=700", "must be a number above -100, at most 100"],
  ["sharpe=1&length_days=0", "must be a number above 0"],
  ["sharpe=1&length_days=700&coin=btx", 'nearest: "btc"'],
  ["sharpe=1&length_days=700&days=3", 'unknown parameter "days"'],
])("%s is refused", (query, message) => {
  expect(() => ask(baseRates, query)).toThrow(message);
});
