import { describe, expect, test } from "vitest";
import { stepLine, terminalProgress, textProgress } from "../../pipeline/terminal-progress.ts";

/** Goes to the start of the line and clears it. */
const CLEAR = "\r\u001B[K";

/** A terminal that knows what the pipeline uses: text, line breaks, and clearing the line. */
function screen(columns: number) {
  const lines = [""];
  const write = (text: string) => {
    for (const [index, line] of text.split("\n").entries()) {
      if (index > 0) lines.push("");
      const [kept = "", ...cleared] = line.split(CLEAR);
      lines[lines.length - 1] = cleared.at(-1) ?? lines.at(-1) + kept;
    }
    return true;
  };
  const progress = terminalProgress({ columns, write } as unknown as NodeJS.WriteStream);
  return { lines, progress };
}

describe("at a terminal", () => {
  test("the current step is one line, which its report replaces", () => {
    const { lines, progress } = screen(80);
    progress.begin("ingest");
    expect(lines).toEqual(["  ingest ..."]);
    progress.advance(7, 50);
    progress.advance(8, 50);
    expect(lines).toEqual(["  ingest ... 8 of 50"]);
    progress.end({ name: "ingest", seconds: 1.234, facts: { coins: 50 } });
    progress.begin("prices");
    expect(lines).toEqual(["  ingest         1.23 s  coins 50", "  prices ..."]);
  });

  test("a notice is shown above the step, and alone between two", () => {
    const { lines, progress } = screen(80);
    progress.begin("ingest");
    progress.notice("aaa: the source withdrew 2 published days");
    expect(lines).toEqual(["! aaa: the source withdrew 2 published days", "  ingest ..."]);
    progress.end({ name: "ingest", seconds: 0, facts: {} });
    progress.notice("later");
    expect(lines.slice(1)).toEqual(["  ingest         0.00 s  ", "! later", ""]);
  });

  test.each([
    [20, "  overfitting_index"],
    [0, "  overfitting_index ... 1 of 250"],
  ])("a step never fills a line of %d columns, which could not be cleared", (columns, shown) => {
    const { lines, progress } = screen(columns);
    progress.begin("overfitting_index");
    progress.advance(1, 250);
    expect(lines).toEqual([shown]);
  });
});

test("a step's line has its figures in words, and large ones in groups", () => {
  const facts = { days: 95_012, other_files: 0, continued: true };
  expect(stepLine({ name: "ingest", seconds: 12.345, facts })).toBe(
    "ingest        12.35 s  days 95,012, other files 0, continued true",
  );
});

test("where the output is no terminal, lines tell each step and the quarters of long ones", () => {
  let text = "";
  const write = (line: string) => {
    text += line;
    return true;
  };
  const progress = textProgress({ write, isTTY: false } as unknown as NodeJS.WriteStream);
  progress.begin("index");
  for (let done = 1; done <= 8; done++) progress.advance(done, 8);
  progress.notice("late: a coin");
  progress.end({ name: "index", seconds: 1.5, facts: { rows: 1000 } });
  expect(text.split("\n")).toEqual([
    "  index ... 2 of 8",
    "  index ... 4 of 8",
    "  index ... 6 of 8",
    "! late: a coin",
    "  index          1.50 s  rows 1,000",
    "",
  ]);
});
