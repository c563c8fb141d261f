import { describe, expect, test } from "vitest";
import { CATALOGUE } from "../../../quant/strategies/catalogue.ts";
import { templateOf } from "../../../server/routes/template-name.ts";

describe("the name of a template", () => {
  test("is that of the catalogue, as it is written there", () => {
    for (const { name } of CATALOGUE) expect(templateOf(name, "strategy").name).toBe(name);
    expect(() => templateOf("MACD_cross", "strategy")).toThrow('nearest: "macd_cross"');
  });

  test.each([
    ["macd", "is a part of a name", 'nearest: "macd_cross", '],
    ["donchian", "is the beginning of a long name", 'nearest: "donchian_breakout", '],
    ["Momentum", "is a part in other letters", 'nearest: "time_series_momentum", '],
    ["bollinger", "is a part of two", 'nearest: "bollinger_reversion", "bollinger_breakout", '],
    ["ma-cross", "is one edit away", 'nearest: "ma_cross", '],
  ])("%j %s, and the message offers it first", (name, _, expected) => {
    const fault = `template "${name}" is not in the catalogue; `;
    expect(() => templateOf(name, "template")).toThrow(fault + expected);
    expect(() => templateOf(name, "template")).toThrow(
      expect.objectContaining({ code: "unknown_strategy" }),
    );
  });
});
