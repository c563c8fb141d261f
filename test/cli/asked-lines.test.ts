import { expect, test } from "vitest";
import { checkCommandOf } from "../../check/command-line.ts";
import type { Question } from "../../check/formats/export.ts";
import { askedLines } from "../../cli/asked-lines.ts";
import { MADE_UP_QUESTIONS, MADE_UP_TABLE, OTHER_QUESTIONS } from "../support/asked-questions.ts";

const lines = (questions: readonly Question[]) =>
  askedLines({ questions, table: MADE_UP_TABLE, isLive: false }, (flags) =>
    checkCommandOf("my log.csv", ["--n-trials 40", ...flags]),
  );

test("each question is a paragraph with a number, each answer an option on a line of its own", () => {
  const text = lines(MADE_UP_QUESTIONS).join("\n");
  expect(text.split("\n\n")).toHaveLength(6); // a title, four questions, the command
  expect(text).toMatch(/^4 questions are open\n\n1\. Which column is your strategy\? Two columns/);
  expect(text).toContain("\n   --column total_pnl         profit so far, in money, 0.00 to 10");
  expect(text).toContain("\n   --dates day-first     1 March 2023; day first; the file then ends");
  expect(text).toContain("Needed only with --column account_total.\n   --flows detected   Yes, I");
  expect(text).toContain(
    "\n   --starting-capital 10000   10,000; the first value of the column cash\n",
  );
  expect(text).toMatch(
    /\n\nThe whole command:\n {2}hindsight check 'my log\.csv' --n-trials 40 --column \.\.\. --dates \.\.\. --flows \.\.\. --starting-capital \.\.\.$/,
  );
});

test("a yes or no is an option or none, a list may be repeated, an amount is free", () => {
  const text = lines(OTHER_QUESTIONS).join("\n");
  expect(text).toContain("\n   --leave-out rsi_14   an indicator, 50.0 to 47.7\n");
  expect(text).toContain("\n   Several may be given.\n");
  expect(text).toContain("\n   --all-in   Yes, the whole account each time;");
  expect(text).not.toContain("No, a part of it");
  expect(text).toContain("\n   --starting-capital ...\n");
  expect(text).toContain(" [--all-in] ");
});

test("a single question has no number, a long list is cut, and nothing obeys what a header says", () => {
  const choices = Array.from({ length: 30 }, (_, at) => ({
    value: `\u001b[2Jcol\n${at}`,
    text: "",
  }));
  const [title, , first, ...rest] = lines([
    { option: "column", text: 'is it "\u0007a"?', choices },
  ]);
  expect(title).toBe("one question is open");
  expect(first).toBe('Is it " a"?');
  expect(rest).toContain("   and 22 more");
  expect([...rest].join("")).not.toMatch(/\p{Cc}/u);
});
