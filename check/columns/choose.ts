import { FileRefused } from "../../files/refused.ts";
import { instantText } from "../../quant/check/ordered-rows.ts";
import { type Question } from "../formats/export.ts";
import { columnQuestion } from "./columns-shown.ts";
import { costsOf, withoutGross } from "./costs.ts";
import { columnFlows, withoutFlows } from "./flows.ts";
import { INDICATORS } from "./names.ts";
import { areSame, differenceOf, levelMoves, type Moves } from "./moves.ts";
import type { Judged, Reading } from "./reading.ts";
import { ACCOUNTS, type Role, type RoledColumn } from "./roles.ts";
import { stepsOf } from "./series.ts";
import { sumOfOthers } from "./sum-column.ts";

const NO_STRATEGY =
  "the columns are of prices, forecasts, weights or indicators, and none says what a strategy earned: send its returns or " +
  "equity. If one does, name it (column)";

/** Refuses an account in parts: money and a coin, which are worth one sum at the price beside them. */
function refuseParts(columns: readonly RoledColumn[]): void {
  const balances = columns.filter(({ read, isNumeric }) => read.role === "balance" && isNumeric);
  const coin = balances.find(
    ({ read: { rest } }) => rest.length === 1 && rest[0]!.kind === "ticker",
  );
  const money = balances.find(({ name, read }) => read.rest.length === 0 && MONEY.test(name));
  const price = columns.find(({ role }) => role === "close");
  if (coin === undefined || money === undefined || price === undefined) return;
  const [one, other, at] = [money, coin, price].map(({ name }) => `df["${name}"]`);
  throw new FileRefused(
    `"${money.name}" and "${coin.name}" are parts of the account: add a column of what both are worth, with pandas by ` +
      `df["equity"] = ${one!} + ${other!} * ${at!}`,
  );
}

const MONEY = /usd|busd|eur|gbp|jpy|krw|quote/i;

/** The column of the strategy, or the question which one it is. The first rule that applies decides. */
export function choose(reading: Reading): Judged | Question {
  const { columns } = reading;
  const columnsOf = (role: Role) => columns.filter((column) => column.role === role);
  const named = ACCOUNTS.map(columnsOf).find((each) => each.length > 0) ?? [];
  // Beside a named account, other sums don't count: a peak is the sum of equity and drawdown.
  const mayBe = named[0]?.role === "value" ? named : [...named, ...columnsOf("unknown")];
  const sum = sumOfOthers(mayBe, columns);
  const values = sum === undefined ? named : [sum];
  if (values[0]?.role !== "value" && sum === undefined) refuseParts(columns);
  if (values.length > 0) return chosenValue(values, reading);
  const [growths, returns] = [columnsOf("growth"), columnsOf("return")];
  if (returns.length > 0) return chosenReturn(returns, growths, reading);
  const others = [growths, columnsOf("cumulative profit"), columnsOf("profit")].find(
    (each) => each.length > 0,
  );
  if (others !== undefined) return oneOrVariants(others, reading);
  // A strategy may be called after its indicator, and none after a weight, an exposure or a ratio.
  const isOfMarket = columns.some(({ role }) => role === "close" || role === "market");
  const isOfIndicator = ({ isNumeric, read }: RoledColumn) =>
    isNumeric && read.rest.some(({ text }) => INDICATORS.has(text));
  const open = columnsOf("unknown").length > 0 || (!isOfMarket && columns.some(isOfIndicator));
  if (!open) throw new FileRefused(NO_STRATEGY);
  return columnQuestion("None is known by its name", columnsOf("unknown"), columns);
}

/** A single column, variants, or the question which of several counts. */
function oneOrVariants(all: readonly RoledColumn[], { columns }: Reading): Judged | Question {
  const found = withoutGross(all, columns);
  const isOne = found.length === 1 || found.every((column) => column.standing === "variant");
  if (isOne) return { columns: found, role: found[0]!.role };
  const names = found.slice(0, 3).map(({ name }) => `"${name}"`);
  return columnQuestion(`${names.join(", ")} could each be`, found, columns);
}

/** The only column of a choice. Undefined for variants and for a question. */
function singleOf(choice: Judged | Question): RoledColumn | undefined {
  return "option" in choice || choice.columns.length > 1 ? undefined : choice.columns[0];
}

function chosenValue(values: readonly RoledColumn[], reading: Reading): Judged | Question {
  const [first, ...others] = values;
  const areEqual =
    others.length > 0 &&
    values.every(({ standing }) => standing === "single") &&
    others.every((other) => areSame(differenceOf(levelMoves(first!), levelMoves(other))));
  const choice = oneOrVariants(areEqual ? [first!] : values, reading);
  const value = singleOf(choice);
  return (value && disagreement(value, reading)) ?? choice;
}

/** A larger difference isn't rounding, however few the rows. */
const DIFFERENCE_MAX = 0.001;

function agree(difference: ReturnType<typeof differenceOf>): boolean {
  return difference.rows === 0 || areSame(difference) || !(difference.worst > DIFFERENCE_MAX);
}

/** The question where a return or a growth beside an account says something else than the account. */
function disagreement(value: RoledColumn, reading: Reading): Question | undefined {
  const { columns, units, instants } = reading;
  const moves = movesOfAccount(value, reading);
  for (const other of columns) {
    const isCompared = other.role === "return" || other.role === "growth";
    if (!isCompared || other.standing !== "single" || !other.shape.moves) continue;
    const own = units.movesOf(other, moves);
    const difference = differenceOf(moves, own);
    if (agree(difference) || agree(differenceOf(moves, lessCosts(own, columns)))) continue;
    const row = difference.worstRow;
    const [one, two] = [moves, units.movesOf(other)].map(({ steps }) => percent(steps[row]!));
    return columnQuestion(
      `"${value.name}" and "${other.name}" disagree: on ${instantText(instants[row]!)} ` +
        `"${value.name}" says ${one} and "${other.name}" ${two}`,
      [value, other],
      columns,
    );
  }
  return undefined;
}

/** Moves before costs, less the costs in a column beside them. */
function lessCosts(moves: Moves, columns: readonly RoledColumn[]): Moves {
  const { paid } = costsOf(columns);
  const steps = moves.steps.map((step, row) =>
    paid.reduce((rest, cost) => rest - cost[row]!, step),
  );
  return { ...moves, steps };
}

/** The moves of an account without what was paid in or taken out. */
function movesOfAccount(value: RoledColumn, { columns, options }: Reading): Moves {
  const flows = options.flows === "none" ? undefined : columnFlows(value, columns);
  const values = flows === undefined ? value.values : withoutFlows(value, flows.paidIn);
  return { ...levelMoves(value), steps: stepsOf(values) };
}

const percent = (value: number) =>
  `${value < 0 ? "" : "+"}${Number((100 * value).toPrecision(3))} %`;

/** Returns count before growths that agree with them. */
function chosenReturn(
  returns: readonly RoledColumn[],
  growths: readonly RoledColumn[],
  reading: Reading,
): Judged | Question {
  const { columns, units } = reading;
  const choice = oneOrVariants(returns, reading);
  const single = singleOf(choice);
  if (single === undefined) return choice;
  const moves = units.movesOf(single);
  const other = growths.find(
    (growth) => growth.shape.moves && !agree(differenceOf(moves, units.movesOf(growth))),
  );
  if (other === undefined) return choice;
  return columnQuestion(`"${single.name}" and "${other.name}" disagree`, [single, other], columns);
}
