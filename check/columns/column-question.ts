import type { Choice, Question } from "../formats/export.ts";
import { shortened } from "../formats/numbers.ts";
import type { RoledColumn } from "./roles.ts";

/** More candidates would be no help. */
const CANDIDATES_MAX = 5;

/** How the sender names a column: by its header, or by its place where that is empty or not the only one. */
export function columnName(column: RoledColumn, columns: readonly RoledColumn[]): string {
  const isOnly = columns.filter(({ name }) => name === column.name).length === 1;
  return column.name.trim() !== "" && isOnly ? column.name : `#${column.place + 1}`;
}

/** Which column is the strategy, with the first and last value of each candidate. */
export function columnQuestion(
  text: string,
  candidates: readonly RoledColumn[],
  columns: readonly RoledColumn[],
): Question {
  const numeric = columns.filter(({ role }) => role !== "words" && role !== "empty");
  const offered = (candidates.length > 0 ? candidates : numeric).slice(0, CANDIDATES_MAX);
  const choices = offered.map((column) => choiceOf(column, columns));
  const shown = choices.map((choice) => `"${shortened(choice.value)}" goes ${choice.text}`);
  return { option: "column", text: `${text}: ${shown.join(", ")}`, choices };
}

function choiceOf(column: RoledColumn, columns: readonly RoledColumn[]): Choice {
  const filled = column.cells.filter((cell) => cell.trim() !== "");
  const [first, last] = [filled[0] ?? "", filled.at(-1) ?? ""];
  const text = `from ${shortened(first.trim())} to ${shortened(last.trim())}`;
  return { value: columnName(column, columns), text };
}
