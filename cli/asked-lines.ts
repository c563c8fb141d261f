import { choicesOf } from "../check/choices.ts";
import { flagName, flagsOf } from "../check/command-line.ts";
import { ofLiveFile } from "../check/options.ts";
import type { MoreNeeded, Question, TablePreview } from "../check/formats/export.ts";
import { asSentence } from "../web/report/words.ts";

/** The name of an option for the file that the question is about: the live file has options of its own. */
type Named = (option: string) => string;

/** Writes an option with a value, or without one, as it is typed. */
export function asOption(isLive: boolean): (option: string, value?: string) => string {
  return (option, value) => {
    const name = isLive ? ofLiveFile(option) : option;
    return value === undefined ? flagName(name) : flagsOf({ [name]: value }).join(" ");
  };
}

/** Longer lists are cut: a file can have thousands of columns. */
const CHOICES_MAX = 8;

/**
 * The open questions about a file, for a terminal: each with the options that answer it on lines of their own, then
 * the whole command. `commandWith` adds options to the command that was typed.
 */
export function askedLines(
  { questions, table, isLive }: Pick<MoreNeeded, "questions" | "table" | "isLive">,
  commandWith: (flags: readonly string[]) => string,
): readonly string[] {
  const isOne = questions.length === 1;
  const named: Named = (option) => (isLive ? ofLiveFile(option) : option);
  const open = questions.map(({ option }) => `${flagName(named(option))} ...`);
  const lines = [
    isOne ? "one question is open" : `${questions.length} questions are open`,
    ...questions.flatMap((question, at) => {
      const { text, why = "", onlyFor = [] } = question;
      const only = onlyFor.flatMap((column) => flagsOf({ [named("column")]: column })).join(" or ");
      const words = [text, why, only && `Needed only with ${only}.`].map(asSentence).join(" ");
      return ["", `${isOne ? "" : `${at + 1}. `}${words}`, ...answerLines(question, table, named)];
    }),
    "",
    "The whole command:",
    `  ${commandWith(open).replace(/(--(?:live-)?all-in) \.\.\./, "[$1]")}`,
  ];
  // Words from the file may contain control characters.
  return lines.map((line) => line.replace(/\p{Cc}+/gu, " ").trimEnd());
}

/** The options that answer a question, and what each does. The answer no may have no option. */
function answerLines(
  question: Question,
  table: TablePreview | undefined,
  named: Named,
): readonly string[] {
  const { option } = question;
  const rows = choicesOf(question).flatMap(({ value, label = "", text }) => {
    const column = table?.columns.find(({ name }) => name === value);
    const ends = text === "" ? `, ${column?.first} to ${column?.last}` : "";
    const words = [label, column && `${column.role}${ends}`, text].filter(Boolean).join("; ");
    return flagsOf({ [named(option)]: value }).map((flag) => ({ flag, words }));
  });
  if (rows.length === 0) return [`   ${flagName(named(option))} ...`];
  const shown = rows.slice(0, CHOICES_MAX);
  const width = Math.max(...shown.map(({ flag }) => flag.length));
  return [
    ...shown.map(({ flag, words }) => `   ${flag.padEnd(width)}   ${words}`),
    ...(rows.length > CHOICES_MAX ? [`   and ${rows.length - CHOICES_MAX} more`] : []),
    ...(option === "leaveOut" ? ["   Several may be given."] : []),
    ...(option === "startingCapital" ? ["   or another amount"] : []),
  ];
}
