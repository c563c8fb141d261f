import { describe, expect, test } from "vitest";
import { docTextOf } from "../../../server/pages/doc-text.ts";

describe("a file of the documentation", () => {
  test("is taken apart at its second-level headings, not at comments in code", () => {
    const { title, intro, sections } = docTextOf(
      "# The `x`\n\nBefore.\n\n## One `a_b`\n\n```sh\n# no title\n## no section\n```\n\n### Deep\n\n## Two\nEnd.",
    );
    expect(title).toBe("The x");
    expect(intro.trim()).toBe("Before.");
    expect(sections.map(({ id }) => id)).toEqual(["one-a_b", "two"]);
    expect(sections[0]).toMatchObject({ title: "One a_b", heading: "One `a_b`" });
    expect(sections[0]!.text).toContain("## no section");
    expect(sections[0]!.headings).toEqual([{ id: "deep", title: "Deep" }]);
    expect(sections[1]!.text).toBe("End.");
  });
});
