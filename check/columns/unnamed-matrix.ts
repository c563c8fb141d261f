import { median } from "../../quant/sample-statistics.ts";
import type { Question } from "../formats/export.ts";
import { shortened } from "../../files/numbers.ts";
import { columnNames } from "./columns-shown.ts";
import { OF_STRATEGY, type NameRole } from "./name-role.ts";
import type { RoledColumn } from "./roles.ts";
import { ROUGH } from "./series.ts";
import { areReturns, isAround0 } from "./units.ts";

/** How many variants make a matrix, and how many where their names differ by numbers alone. */
const [VARIANTS_MIN, NUMBERED_MIN] = [3, 2];
/** Where so many numbered columns are surely returns, the rest may be returns of positions that overlap for long. */
const SURE_SHARE = 0.25;
/** Curves begin within this share of one another. */
const BEGIN_SPREAD = 0.01;
/** Deviations of returns lie within this factor of their median. */
const DEVIATION_FACTOR = 30;

/**
 * Columns whose names say nothing, as variants: three or more of one kind, or two whose names differ by numbers alone.
 * A question where some columns are not like the others. Undefined where there is no matrix.
 */
export function unnamedMatrix(
  columns: readonly RoledColumn[],
): readonly RoledColumn[] | Question | undefined {
  const isNumbered = areNumbered(columns);
  const least = isNumbered ? NUMBERED_MIN : VARIANTS_MIN;
  const isGrid = columns.every((column) => isOfGrid(column, columns[0]!));
  if (columns.length < least || !(isGrid || columns.every(isUnnamed))) return undefined;
  const curves = curvesAmong(columns);
  const moves = returnsAmong(columns, isNumbered);
  const alike = curves.length > moves.length ? curves : moves;
  if (alike.length === columns.length) return columns;
  return alike.length < least ? undefined : oddQuestion(columns, alike);
}

/**
 * Columns that all begin at one number, whatever their names: what was made of it by each strategy and by the market,
 * which is left out. Undefined where a column is called as the account is, and where indicators may begin at one price.
 */
export function wealthAmong(columns: readonly RoledColumn[]): readonly RoledColumn[] | undefined {
  const [begin = 0] = columns.map(({ shape }) => shape.first);
  const areCurves = columns.every(
    ({ shape, role }) =>
      shape.first === begin && shape.least > 0 && shape.moves && role !== "close" && role !== "bar",
  );
  const isBare = ({ role, read }: RoledColumn) =>
    OF_STRATEGY.has(role as NameRole) && read.rest.length === 0;
  const isNamed = ({ role, read }: RoledColumn) =>
    role === "market" || read.rest.some(({ kind }) => kind === "other");
  if (columns.length < 2 || !areCurves || columns.some(isBare)) return undefined;
  const strategies = columns.filter(({ role }) => role !== "market");
  return strategies.length > 0 && columns.some(isNamed) ? strategies : undefined;
}

function curvesAmong(columns: readonly RoledColumn[]): readonly RoledColumn[] {
  const positive = columns.filter(({ shape }) => shape.least > 0);
  const begin = median(positive.map(({ shape }) => shape.first));
  return positive.filter(({ shape }) => Math.abs(shape.first - begin) <= BEGIN_SPREAD * begin);
}

function returnsAmong(
  columns: readonly RoledColumn[],
  isNumbered: boolean,
): readonly RoledColumn[] {
  const isFlat = ({ shape }: RoledColumn) => shape.first === 0 && !shape.moves;
  const sure = columns.filter((column) => areReturns(column) && !isFlat(column));
  const flat = columns.filter(isFlat);
  const usual = median(sure.map(({ shape }) => shape.deviation));
  const mayOverlap = isNumbered && sure.length + flat.length >= SURE_SHARE * columns.length;
  return columns.filter((column) => {
    const { deviation } = column.shape;
    const isUsual = deviation >= usual / DEVIATION_FACTOR && deviation <= usual * DEVIATION_FACTOR;
    return isFlat(column) || (isUsual && (mayOverlap ? isAround0(column) : areReturns(column)));
  });
}

/** Asks whether the columns that are not like the others are variants, too. */
function oddQuestion(columns: readonly RoledColumn[], alike: readonly RoledColumn[]): Question {
  const odd = columns.filter((column) => !alike.includes(column));
  const names = odd.map(({ name }) => `"${shortened(name)}"`).slice(0, 5);
  const nameOf = columnNames(columns);
  const [is, does] = odd.length === 1 ? ["is it a variant", "does"] : ["are they variants", "do"];
  return {
    option: "leaveOut",
    text: `${names.join(", ")} ${does} not look like the other ${alike.length} columns: ${is}, too? Leave out what is none`,
    choices: odd.map((column) => ({ value: nameOf(column), text: "it isn't a variant" })),
  };
}

/** `SmaCross(n1=4)` is a variant's name, `sma_4` an indicator's. */
function isUnnamed({ role, read }: RoledColumn): boolean {
  if (role === "unknown") return true;
  return role === "helper" && read.rest.some(({ kind }) => kind === "other");
}

/** A run such as `sma_5_20`. Indicators of two numbers don't all begin at one value, nor are they as rough as returns. */
function isOfGrid({ role, read, shape }: RoledColumn, first: RoledColumn): boolean {
  const areWords = read.rest.every(({ kind }) => kind === "helper" || kind === "number");
  const numbers = read.rest.filter(({ kind }) => kind === "number");
  const isLikeFirst = shape.first === first.shape.first || shape.roughness > ROUGH;
  return role === "helper" && areWords && numbers.length > 1 && shape.moves && isLikeFirst;
}

/** Whether names are the same words with other numbers. One number alone is a place. */
function areNumbered(columns: readonly RoledColumn[]): boolean {
  const forms = columns.map(({ read }) =>
    read.rest.map(({ kind, text }) => (kind === "number" ? "#" : text)).join(" "),
  );
  return new Set(forms).size === 1 && /# .*#|[^# ].*#|#.*[^# ]/.test(forms[0]!);
}
