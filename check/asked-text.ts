import type { AskedOption, Question } from "./formats/export.ts";

/** Longer lists of choices are cut: a file can have thousands of columns. */
const CHOICES_MAX = 8;

/** Questions in words, each with the ways to answer it: `answer` writes an option with a value, or without one. */
export function askedText(
  questions: readonly Question[],
  answer: (option: AskedOption, value?: string) => string,
): string {
  return questions
    .map(({ option, text, choices }) => {
      const shown = choices.slice(0, CHOICES_MAX).map(({ value }) => answer(option, value));
      const answers = shown.length === 0 ? answer(option) : shown.join(" or ");
      return `${text} (${answers})`;
    })
    .join(" ");
}
