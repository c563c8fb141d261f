import { describe, expect, test } from "vitest";
import { CheckReport } from "../../api/check-report.ts";
import { reportText } from "../../cli/report-text.ts";
import { checkOf, dailyRowsOf, normalColumns } from "../quant/check/panels.ts";

const COLUMNS = normalColumns(3, 300, [4, 0, 0, 0, 0, 0]);
const REPORT = CheckReport.from(checkOf(COLUMNS));
const SERIES = {
  name: "v0",
  instants: dailyRowsOf(COLUMNS).instants,
  returns: COLUMNS[0]!,
  periodsPerYear: 365,
};

/** The text of a report whose tests of the variants together are these. */
function textOf(family: Partial<NonNullable<CheckReport["family"]>>): string {
  const report = { ...REPORT, family: { ...REPORT.family!, ...family } };
  const shown = { report, series: SERIES, fileName: "file.csv", isSynthetic: false };
  return reportText(shown).join("\n");
}

describe("the text of a report", () => {
  test("says how long the blocks are and for which variant", () => {
    const blocks = (setBy: "selected" | "median") =>
      textOf({ block_length: 12, block_length_set_by: setBy });
    expect(blocks("selected")).toMatch(
      /^length of the blocks, bars +12\nthat long for +the variant that is judged$/m,
    );
    expect(blocks("median")).toMatch(
      /^length of the blocks, bars +12\nthat long for +most variants$/m,
    );
  });

  test("names the variants that no p-value was computed for, the first twenty of them", () => {
    const untested = Array.from({ length: 22 }, (_, at) => `u${at}`);
    const text = textOf({ untested, untested_reason: "it depends too much" });
    expect(text.replaceAll("\n", " ")).toContain(
      `22 are not tested, because it depends too much: ${untested.slice(0, 20).join("; ")} and 2 more.`,
    );
    expect(textOf({ untested: [] })).not.toContain("not tested, because");
  });

  test("begins with the verdict's sentence, says nothing twice in a row, and fits 80 columns outside of tables", () => {
    const lines = textOf({}).split("\n");
    expect(lines.join(" ").startsWith(REPORT.verdict.sentence)).toBe(true);
    expect(lines.filter((line, at) => line !== "" && line === lines[at - 1])).toEqual([]);
    const words = lines.filter((line) => !line.includes("  "));
    expect(Math.max(...words.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(lines.join("\n")).not.toMatch(/[\u2212\u202f\u2019→]/u);
  });
});
