import type { Question } from "../formats/export.ts";
import { areSame, differenceOf, levelMoves, type Difference, type Moves } from "./moves.ts";
import { ACCOUNTS, type Role, type RoledColumn } from "./roles.ts";
import { columnQuestion } from "./column-question.ts";
import { sumOfOthers } from "./sum-column.ts";

/** What is judged: one column, or several as variants of one another. */
export interface Choice {
  readonly columns: readonly RoledColumn[];
  readonly role: Role;
}

export interface Chooser {
  readonly columns: readonly RoledColumn[];
  /** The moves of a return or a growth, in the unit in which they are those beside it, or else in its own. */
  readonly movesOf: (column: RoledColumn, beside?: Moves) => Moves;
  /** The moves of a value without what was paid in. */
  readonly valueMoves: (column: RoledColumn) => Moves;
  readonly dateOf: (row: number) => string;
}

/** The strategy's column, or the question which it is. The first rule that applies decides. */
export function choose(table: Chooser): Choice | Question {
  const { columns } = table;
  const of = (role: Role) => columns.filter((column) => column.role === role);
  const named = ACCOUNTS.map(of).find((each) => each.length > 0) ?? [];
  const mayBe = named[0]?.role === "value" ? named : [...named, ...of("unknown")];
  const sum = sumOfOthers(mayBe, columns);
  if (sum !== undefined || named.length > 0)
    return chosenValue(sum === undefined ? named : [sum], table);
  const growths = of("growth");
  const returns = of("return");
  if (growths.length > 0 || returns.length > 0) return chosenReturn(returns, growths, table);
  for (const role of ["cumulative profit", "profit"] as const) {
    if (of(role).length > 0) return oneOrVariants(of(role), table);
  }
  return columnQuestion(
    "which column is your strategy? None is told by its name",
    columns.filter(({ role }) => role === "unknown"),
    columns,
  );
}

function isQuestion(found: Choice | Question): found is Question {
  return "option" in found;
}

/** A single column, variants, or the question which of several counts. */
function oneOrVariants(found: readonly RoledColumn[], { columns }: Chooser): Choice | Question {
  const [first] = found;
  const isOne = found.length === 1 || found.every((column) => column.standing === "variant");
  if (first !== undefined && isOne) return { columns: found, role: first.role };
  const names = found.slice(0, 3).map(({ name }) => `"${name}"`);
  const text = `which column is your strategy? ${names.join(", ")} could each be`;
  return columnQuestion(text, found, columns);
}

function chosenValue(values: readonly RoledColumn[], table: Chooser): Choice | Question {
  const [first, ...others] = values;
  const areEqual =
    others.length > 0 &&
    values.every(({ standing }) => standing === "single") &&
    others.every((other) => areSame(differenceOf(levelMoves(first!), levelMoves(other))));
  const choice = oneOrVariants(areEqual ? [first!] : values, table);
  if (isQuestion(choice) || choice.columns.length > 1) return choice;
  return disagreement(choice.columns[0]!, table) ?? choice;
}

/** A larger difference is no rounding, of however few rows. */
const DIFFERENCE_MAX = 0.001;

/** The question that a return or growth beside the account raises where it says something else. */
function disagreement(value: RoledColumn, table: Chooser): Question | undefined {
  const moves = table.valueMoves(value);
  for (const other of table.columns) {
    const isCompared = other.role === "return" || other.role === "growth";
    if (!isCompared || other.standing !== "single" || !other.shape.moves) continue;
    const difference = differenceOf(moves, table.movesOf(other, moves));
    if (agree(difference)) continue;
    const row = difference.worstRow;
    const [one, two] = [moves, table.movesOf(other)].map(({ steps }) => percent(steps[row]!));
    return columnQuestion(
      `which column is your strategy? "${value.name}" and "${other.name}" disagree: on ${table.dateOf(row)} ` +
        `"${value.name}" says ${one} and "${other.name}" ${two}`,
      [value, other],
      table.columns,
    );
  }
  return undefined;
}

function agree(difference: Difference): boolean {
  return difference.rows === 0 || areSame(difference) || !(difference.worst > DIFFERENCE_MAX);
}

const percent = (value: number) =>
  `${value < 0 ? "" : "+"}${Number((100 * value).toPrecision(3))} %`;

function chosenReturn(
  returns: readonly RoledColumn[],
  growths: readonly RoledColumn[],
  table: Chooser,
): Choice | Question {
  if (growths.length === 0) return oneOrVariants(returns, table);
  if (returns.length === 0) return oneOrVariants(growths, table);
  const choice = oneOrVariants(returns, table);
  if (isQuestion(choice) || choice.columns.length > 1) return choice;
  const moves = table.movesOf(choice.columns[0]!);
  const other = growths.find(
    (growth) => growth.shape.moves && !agree(differenceOf(moves, table.movesOf(growth))),
  );
  if (other === undefined) return choice;
  const { name } = choice.columns[0]!;
  const text = `which column is your strategy? "${name}" and "${other.name}" disagree`;
  return columnQuestion(text, [choice.columns[0]!, other], table.columns);
}
