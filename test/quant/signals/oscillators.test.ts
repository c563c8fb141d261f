import { describe, expect, test } from "vitest";
import { computeIndicators, type IndicatorColumn } from "../../../quant/indicators/columns.ts";
import { dayOf } from "../../../quant/signals/indicator.ts";
import { OSCILLATORS } from "../../../quant/signals/oscillators.ts";
import { madeUpBars } from "../../support/made-up-bars.ts";

const LAST = 59;
const CLOSE = 100;
const MADE_UP = madeUpBars({ seed: 4, days: 60 });
const BARS = { ...MADE_UP, close: MADE_UP.close.with(LAST, CLOSE) };

/** The values of a column on the last days, the last one's last. */
type Days = Partial<Record<IndicatorColumn, readonly number[]>>;

function score(name: keyof typeof OSCILLATORS, days: Days): number {
  const columns = computeIndicators(BARS);
  for (const [column, values] of Object.entries(days)) {
    columns[column as IndicatorColumn].set(values, LAST + 1 - values.length);
  }
  return OSCILLATORS[name].score(dayOf(BARS, columns, LAST));
}

/** The rating tests compare with the contract's table on whole markets, whose values hardly ever meet a limit. */
describe("a value on a limit of the rule is not beyond it", () => {
  test.each<[keyof typeof OSCILLATORS, IndicatorColumn, low: number, high: number]>([
    ["rsi", "rsi14", 30, 70],
    ["cci", "cci20", -100, 100],
    ["williamsR", "williamsR14", -80, -20],
  ])("%s", (name, column, low, high) => {
    const days = (before: number, now: number) => score(name, { [column]: [before, now] });
    expect([days(low - 2, low - 1), days(low - 2, low)]).toEqual([1, 0]);
    expect([days(low - 1, low - 1), days(low - 1, low - 2)]).toEqual([0, 0]);
    expect([days(high + 2, high + 1), days(high + 2, high)]).toEqual([-1, 0]);
    expect([days(high + 1, high + 1), days(high + 1, high + 2)]).toEqual([0, 0]);
  });

  test("stochastic", () => {
    const days = (k: number, d: number) => score("stochastic", { stochK: [k], stochD: [d] });
    expect([days(19, 18), days(20, 19), days(19, 19), days(18, 19)]).toEqual([1, 0, 0, 0]);
    expect([days(81, 82), days(80, 81), days(81, 81), days(82, 81)]).toEqual([-1, 0, 0, 0]);
  });

  test("stochRsi, which also asks for the trend", () => {
    const days = (k: number, d: number, average: number) =>
      score("stochRsi", { stochRsiK: [k], stochRsiD: [d], ema50: [average] });
    const [down, even, up] = [CLOSE + 1, CLOSE, CLOSE - 1];
    expect([days(19, 18, down), days(19, 18, even), days(19, 18, up)]).toEqual([1, 0, 0]);
    expect([days(81, 82, up), days(81, 82, even), days(81, 82, down)]).toEqual([-1, 0, 0]);
    expect([days(20, 19, down), days(19, 19, down), days(80, 81, up), days(81, 81, up)]).toEqual([
      0, 0, 0, 0,
    ]);
  });

  test("adx", () => {
    const days = (adx: readonly number[], plus: number, minus: number) =>
      score("adx", { adx14: adx, plusDi14: [plus], minusDi14: [minus] });
    expect([days([20, 21], 2, 1), days([20, 21], 1, 2), days([20, 21], 1, 1)]).toEqual([1, -1, 0]);
    expect([days([19, 20], 1, 2), days([21, 21], 1, 2)], "and for the sellers").toEqual([0, 0]);
    expect([days([19, 20], 2, 1), days([21, 21], 2, 1), days([22, 21], 2, 1)]).toEqual([0, 0, 0]);
  });

  test("awesomeOscillator", () => {
    const days = (...values: number[]) => score("awesomeOscillator", { awesomeOscillator: values });
    expect([days(-1, 0, 1), days(1, 0, 1), days(0, -1, 0), days(0, 0, 0)]).toEqual([1, 1, 0, 0]);
    expect([days(1, 0, -1), days(-1, 0, -1), days(0, 1, 0)]).toEqual([-1, -1, 0]);
    expect([days(0.6, 0.5, 0.6), days(0.4, 0.5, 0.6)], "however small").toEqual([1, 0]);
    expect([days(-0.6, -0.5, -0.6), days(-0.4, -0.5, -0.6)], "however small").toEqual([-1, 0]);
    expect([days(3, 2, 3), days(2, 2, 3), days(3, 2, 2)], "a saucer above 0").toEqual([1, 0, 0]);
    expect([days(-3, -2, -3), days(-2, -2, -3), days(-3, -2, -2)], "and below").toEqual([-1, 0, 0]);
  });

  test("awesomeOscillator's crossing counts from the second day, as the published script has it", () => {
    // The script asks for `not (na(ao) or na(ao[1]))`; `ao[2]` is only looked at by the saucer.
    const days = (...values: number[]) =>
      score("awesomeOscillator", { awesomeOscillator: [NaN, ...values] });
    expect([days(-1, 1), days(0, 1), days(1, -1), days(0, -1)]).toEqual([1, 1, -1, -1]);
    expect([days(1, 2), days(2, 1), days(-1, -2), days(-2, -1)]).toEqual([0, 0, 0, 0]);
    expect(days(1)).toBeNaN();
  });

  test("momentum and macd", () => {
    const momentum = (...values: number[]) => score("momentum", { momentum10: values });
    expect([momentum(-2, -1), momentum(2, 1), momentum(1, 1)]).toEqual([1, -1, 0]);
    const macd = (line: number, signal: number) =>
      score("macd", { macdLine: [line], macdSignal: [signal] });
    expect([macd(2, 1), macd(1, 2), macd(1, 1)]).toEqual([1, -1, 0]);
  });

  test("bullBearPower", () => {
    const days = (average: number, bear: readonly number[], bull: readonly number[]) =>
      score("bullBearPower", { ema50: [average], bearPower13: bear, bullPower13: bull });
    const [up, even, down] = [CLOSE - 1, CLOSE, CLOSE + 1];
    const [weaker, weakerBulls] = [
      [-2, -1],
      [2, 1],
    ];
    const buys = [days(up, weaker, [1, 1]), days(even, weaker, [1, 1]), days(up, [-1, 0], [1, 1])];
    expect([...buys, days(up, [-1, -1], [1, 1]), days(up, [-1, -2], [1, 1])]).toEqual([
      1, 0, 0, 0, 0,
    ]);
    const sells = [days(down, [1, 1], weakerBulls), days(even, [1, 1], weakerBulls)];
    expect([...sells, days(down, [1, 1], [1, 0]), days(down, [1, 1], [1, 1])]).toEqual([
      -1, 0, 0, 0,
    ]);
  });

  test("ultimateOscillator", () => {
    const value = (now: number) => score("ultimateOscillator", { ultimateOscillator: [now] });
    expect([value(71), value(70), value(30), value(29)]).toEqual([1, 0, 0, -1]);
  });
});
