import { choicesOf } from "./choices.ts";
import type { AskedOption, Question } from "./formats/export.ts";

/** Longer lists of choices are cut: a file can have thousands of columns. */
const CHOICES_MAX = 8;

/** Questions in one line, each with the ways to answer it: `answer` writes an option with a value, or without one. */
export function askedText(
  questions: readonly Question[],
  answer: (option: AskedOption, value?: string) => string,
): string {
  return questions
    .map((question) => {
      const { option, text, why } = question;
      const shown = choicesOf(question).slice(0, CHOICES_MAX);
      const ways = shown.map(({ value }) => answer(option, value));
      const answers = ways.length === 0 ? answer(option) : ways.join(" or ");
      return [text, ...(why === undefined ? [] : [why]), `(${answers})`].join(" ");
    })
    .join(" ");
}
