import { describe, expect, test } from "vitest";
import { searchOf, type Piece } from "../../../web/docs/search.ts";

const SECTIONS = [
  ["/a", "Methods", "Sharpe", "The Sharpe ratio of a run, and its error."],
  ["/b", "Methods", "Luck", "A deflated Sharpe ratio is below the plain one."],
  ["/c", "Data", "picks", "deflated_sharpe_ratio double fraction"],
  ["/d", "Run", "Back up", "Copy the file while it is open. ".repeat(40)],
  ["/e", "Run", "Upgrade", "Stop, back up, start."],
].map(([path = "", page = "", title = "", text = ""]) => ({ path, page, title, text }));
const search = searchOf(SECTIONS);
const paths = (query: string) => search(query).map(({ path }) => path);
const text = (pieces: readonly Piece[]) => pieces.map((piece) => piece.text).join("");

describe("the search of the documentation", () => {
  test("finds the sections that have all words, in text, title or name of the page", () => {
    expect(paths("deflated sharpe").toSorted()).toEqual(["/b", "/c"]);
    expect(paths("methods sharpe").toSorted()).toEqual(["/a", "/b"]);
  });

  test("finds names by their words, and words by their beginning, in any case", () => {
    expect(paths("deflated_sharpe_ratio").toSorted()).toEqual(["/b", "/c"]);
    expect(paths("DEFLA")).toEqual(paths("deflated"));
    expect(paths("flated")).toEqual([]);
  });

  test("puts a section whose title has the word before one whose text has", () => {
    expect(paths("back up")).toEqual(["/d", "/e"]);
    expect(paths("sharpe")[0]).toBe("/a");
  });

  test("ranks by BM25: of two texts that have a rare word once, the shorter comes first", () => {
    const long = { path: "/long", page: "P", title: "T", text: `rare ${"word ".repeat(100)}` };
    const short = { path: "/short", page: "P", title: "T", text: "rare word" };
    expect(searchOf([long, short])("rare").map(({ path }) => path)).toEqual(["/short", "/long"]);
  });

  test("without a section that has all words, shows those that have some", () => {
    expect(paths("deflated upgrade").toSorted()).toEqual(["/b", "/c", "/e"]);
    expect(paths("nothing of this")).not.toContain("/c");
    expect(paths("zzz")).toEqual([]);
    expect(paths(" -- ")).toEqual([]);
  });

  test("marks the words, and shows the text around them as it is", () => {
    const [hit] = search("deflated sharpe plain");
    expect(hit!.excerpt.filter(({ isWord }) => isWord).map((piece) => piece.text)).toEqual([
      "deflated",
      "Sharpe",
      "plain",
    ]);
    expect(text(hit!.excerpt)).toBe(SECTIONS[1]!.text);
    const [long] = search("copy open");
    expect(text(long!.excerpt)).toMatch(/^Copy the file .{100,190} …$/s);
  });

  test("looks at no more of a query than its first five words", () => {
    expect(paths(`${"sharpe ".repeat(5)} zzz`)).toEqual(paths("sharpe"));
  });
});
