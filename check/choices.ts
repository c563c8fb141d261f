import type { AskedOption, Choice, Question } from "./formats/export.ts";

/** Answers that are the same for every file: the value, its name, and what choosing it does. */
const KNOWN: Partial<
  Readonly<Record<AskedOption, readonly (readonly [string, string, string])[]>>
> = {
  dates: [
    ["day-first", "Day first", "01/03/2024 is 1 March"],
    ["month-first", "Month first", "01/03/2024 is 3 January"],
  ],
  flows: [
    ["detected", "Yes, I paid money in", "it is taken out of these days; the rest of each counts"],
    ["none", "No, the strategy earned it", "the jumps count as profit"],
  ],
  unit: [
    ["fraction", "Fractions", "0.01 is a gain of 1 %"],
    ["percent", "Percent", "1 is a gain of 1 %"],
    ["log", "Logarithms", "0.00995 is a gain of 1 %"],
  ],
  allIn: [
    ["true", "Yes, the whole account each time", "the percents are multiplied, trade after trade"],
    ["false", "No, a part of it", "then the percents don’t say what the account earned"],
  ],
  benchmark: [["none", "None of them", "holding is not compared with the strategy"]],
  leaveOut: [["none", "None of them", "every column is a variant"]],
};

/** The answers that a question offers. Where it gives only values, the usual words are added. */
export function choicesOf({ option, choices }: Question): readonly Choice[] {
  const known = (KNOWN[option] ?? []).map(([value, label, text]) => ({ value, label, text }));
  if (choices.length === 0) return known.length > 1 ? known : [];
  return choices.map((choice) => {
    const usual = known.find(({ value }) => value === choice.value);
    return { ...usual, ...choice, text: choice.text || (usual?.text ?? "") };
  });
}

/** Longer lists of choices are cut, since a file can have thousands of columns. */
const CHOICES_MAX = 8;

/** Questions in one line, each with the ways to answer it. `answer` writes an option, with a value or without. */
export function askedText(
  questions: readonly Question[],
  answer: (option: AskedOption, value?: string) => string,
): string {
  const texts = questions.map((question) => {
    const { option, text, why } = question;
    const ways = choicesOf(question)
      .slice(0, CHOICES_MAX)
      .map(({ value }) => answer(option, value));
    const answers = `(${ways.join(" or ") || answer(option)})`;
    return (why === undefined ? [text, answers] : [text, why, answers]).join(" ");
  });
  return texts.join(" ");
}
