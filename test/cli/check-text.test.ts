import { describe, expect, test } from "vitest";
import { CheckReport } from "../../api/check-report.ts";
import { checkText } from "../../cli/check-text.ts";
import { checkOf, normalColumns } from "../quant/check/panels.ts";

const REPORT = CheckReport.from(checkOf(normalColumns(3, 300, [4, 0, 0, 0, 0, 0])));

describe("checkText", () => {
  test("says how long the blocks are and for which variant", () => {
    const family = { ...REPORT.family!, block_length: 12 };
    const text = (setBy: "selected" | "median") =>
      checkText({ ...REPORT, family: { ...family, block_length_set_by: setBy } }).join("\n");
    expect(text("selected")).toMatch(/bars in a block +12, as the one that is judged needs/);
    expect(text("median")).toMatch(/bars in a block +12, as the median needs/);
  });

  test("names the variants that no p-value was computed for, the first five of them", () => {
    const untested = ["a", "b", "c", "d", "e", "f"];
    const lines = checkText({ ...REPORT, family: { ...REPORT.family!, untested } });
    expect(lines.join("\n")).toMatch(/not tested, too dependent +6: a, b, c, d, e, \.\.\./);
    const none = checkText({ ...REPORT, family: { ...REPORT.family!, untested: [] } });
    expect(none.join("\n")).not.toContain("not tested");
  });
});
