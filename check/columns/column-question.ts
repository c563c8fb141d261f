import type { Choice, Question } from "../formats/export.ts";
import { shortened } from "../formats/numbers.ts";
import type { RoledColumn } from "./roles.ts";

/** More candidates would be no help. */
const CANDIDATES_MAX = 5;

/** How the sender names columns: by their headers, or by their places where those are empty or not the only ones. */
export function columnNames(
  columns: readonly RoledColumn[],
): (column: Pick<RoledColumn, "name" | "place">) => string {
  const [once, twice] = [new Set(), new Set([""])];
  for (const { name } of columns) (once.has(name) ? twice : once).add(name);
  return ({ name, place }) => (twice.has(name.trim()) || twice.has(name) ? `#${place + 1}` : name);
}

/** Which column is the strategy, with the first and last value of each candidate. */
export function columnQuestion(
  text: string,
  candidates: readonly RoledColumn[],
  columns: readonly RoledColumn[],
): Question {
  const numeric = columns.filter(({ role }) => role !== "words" && role !== "empty");
  const offered = (candidates.length > 0 ? candidates : numeric).slice(0, CANDIDATES_MAX);
  const nameOf = columnNames(columns);
  const choices = offered.map((column) => choiceOf(column, nameOf(column)));
  const shown = choices.map((choice) => `"${shortened(choice.value)}" goes ${choice.text}`);
  return { option: "column", text: `${text}: ${shown.join(", ")}`, choices };
}

function choiceOf({ cells }: RoledColumn, value: string): Choice {
  const filled = cells.filter((cell) => cell.trim() !== "");
  const [first, last] = [filled[0] ?? "", filled.at(-1) ?? ""];
  const text = `from ${shortened(first.trim())} to ${shortened(last.trim())}`;
  return { value, text };
}
