import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { expect, test } from "vitest";
import {
  chance,
  count,
  decimal,
  dollars,
  monthName,
  share,
  signedDecimal,
  signedPercent,
  templateWords,
} from "../../web/format.ts";

test("figures have a true minus, separated thousands, and no sign at zero", () => {
  expect(decimal(-1234.5, 1)).toBe("−1,234.5");
  expect(signedDecimal(0.126, 2)).toBe("+0.13");
  expect(signedDecimal(-0.001, 2)).toBe("0.00");
});

test("percentages have a sign and a thin space", () => {
  expect(signedPercent(12.34)).toBe("+12.3\u202f%");
  expect(signedPercent(-0.5)).toBe("−0.5\u202f%");
  expect(share(0.456)).toBe("46\u202f%");
});

test("chances are never certain, and counts are readable", () => {
  expect([1.6e-10, 0.04567, 0.99999].map(chance)).toEqual(["< 0.0001", "0.04567", "> 0.9999"]);
  expect([1234, 327_172_841].map(count)).toEqual(["1,234", "327 million"]);
});

test("what does not exist is a dash", () => {
  for (const missing of [null, undefined, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(decimal(missing, 2)).toBe("–");
    expect(signedPercent(missing)).toBe("–");
    expect(dollars(missing)).toBe("–");
  }
});

test("prices keep the digits that matter", () => {
  expect(dollars(89_901.6)).toBe("$89,902");
  expect(dollars(12.345)).toBe("$12.35");
  expect(dollars(0.000_012_34)).toBe("$0.00001234");
});

test("months are named", () => {
  expect(monthName("2025-06")).toBe("June 2025");
});

test("rules are named as people say them", () => {
  expect(
    ["macd_cross", "ma_cross", "donchian_breakout", "zscore_reversion"].map(templateWords),
  ).toEqual([
    "MACD cross",
    "Moving-average cross",
    "Donchian breakout (turtle)",
    "Z-score reversion",
  ]);
  for (const { name, title } of CATALOGUE) expect(templateWords(name)).toBe(title);
});
