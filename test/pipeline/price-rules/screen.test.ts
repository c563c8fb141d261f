import { describe, expect, test } from "vitest";
import { refusalOf } from "../../../pipeline/price-rules/screen.ts";
import type { RawRow, RuleReason } from "../../../pipeline/price-rules/raw-row.ts";
import { rawRow } from "../../support/prices-file-rows.ts";

describe("refusalOf", () => {
  test.each<[RuleReason | undefined, Partial<RawRow>]>([
    [undefined, {}],
    [undefined, { volume: 0 }],
    [undefined, { open: 7, high: 7, low: 7, close: 7 }],
    [undefined, { open: 1e-30, high: 1e-30, low: 1e-30, close: 1e-30 }],
    [undefined, { open: 1e30, high: 1e30, low: 1e30, close: 1e30, volume: 1e30 }],
    ["price_out_of_range", { open: 3e-320, high: 3e-320, low: 3e-320, close: 3e-320 }],
    ["price_out_of_range", { open: 1.7e308, high: 1.7e308, low: 1.7e308, close: 1.7e308 }],
    ["price_out_of_range", { low: 9e-31, volume: NaN }],
    ["price_out_of_range", { open: 9e-31 }],
    ["price_out_of_range", { high: 9e-31 }],
    ["price_out_of_range", { close: 9e-31 }],
    ["price_out_of_range", { open: 1.1e30 }],
    ["price_out_of_range", { high: 1.1e30 }],
    ["price_out_of_range", { low: 1.1e30 }],
    ["price_out_of_range", { close: 1.1e30 }],
    ["volume_out_of_range", { volume: 1.1e30, high: 1, low: 2 }],
    ["price_not_finite", { open: NaN }],
    ["price_not_finite", { high: Infinity }],
    ["price_not_finite", { low: -Infinity }],
    ["price_not_finite", { close: NaN, volume: NaN }],
    ["price_not_finite", { high: Infinity, low: -Infinity }],
    ["price_not_positive", { open: 0 }],
    ["price_not_positive", { high: 0 }],
    ["price_not_positive", { low: 0 }],
    ["price_not_positive", { close: 0 }],
    ["price_not_positive", { low: -0 }],
    ["price_not_positive", { open: -99.5, high: -99, low: -101, close: -100 }],
    ["volume_not_finite", { volume: NaN }],
    ["volume_not_finite", { volume: Infinity }],
    ["volume_negative", { volume: -1e-9 }],
    ["high_below_low", { high: 98.999, low: 99 }],
    ["open_outside_range", { open: 101.11 }],
    ["open_outside_range", { open: 98.9 }],
    ["close_outside_range", { close: 101.2, open: 100 }],
    ["close_outside_range", { close: 98.9, open: 100 }],
  ])("says %s of %o", (reason, values) => {
    expect(refusalOf({ ...rawRow(990, 100), ...values })).toBe(reason);
  });

  test("lets open and close lie outside by exactly 0.1 % of the bound and no more", () => {
    const row = { ...rawRow(990, 1500), high: 2000, low: 1000 };
    for (const column of ["open", "close"] as const) {
      expect(refusalOf({ ...row, [column]: 2002 })).toBeUndefined();
      expect(refusalOf({ ...row, [column]: 999 })).toBeUndefined();
      expect(refusalOf({ ...row, [column]: 2002.01 })).toBe(`${column}_outside_range`);
      expect(refusalOf({ ...row, [column]: 998.99 })).toBe(`${column}_outside_range`);
    }
  });

  test("recognises exactly 0.1 % at any price, though few such decimals are binary fractions", () => {
    for (let cents = 1; cents <= 2_000; cents++) {
      const [bound, above, below] = [cents / 100, (cents * 1001) / 1e5, (cents * 999) / 1e5];
      const row = { ...rawRow(990, bound), open: bound, high: bound, low: bound };
      expect(refusalOf({ ...row, open: above }), `${above} above ${bound}`).toBeUndefined();
      expect(refusalOf({ ...row, close: below }), `${below} below ${bound}`).toBeUndefined();
    }
  });
});
