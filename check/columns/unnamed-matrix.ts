import { median } from "../../quant/sample-statistics.ts";
import type { Question } from "../formats/export.ts";
import { shortened } from "../formats/numbers.ts";
import { columnNames } from "./column-question.ts";
import type { RoledColumn } from "./roles.ts";
import { ROUGH } from "./series.ts";
import { areReturns, isAround0 } from "./units.ts";

const VARIANTS_MIN = 3;
/** Of those whose names differ by numbers alone. */
const NUMBERED_MIN = 2;
/** Of those, this share are surely returns: the others may be returns of positions that overlap for long. */
const SURE_SHARE = 0.25;
/** Curves begin within this share of one another. */
const BEGIN_SPREAD = 0.01;
/** Deviations of returns lie within this factor. */
const DEVIATION_FACTOR = 30;

/**
 * Columns of which no name says anything: variants, if there are three or more of one kind, or two whose names differ by
 * numbers alone, else undefined. One that is not as the others are is asked about.
 */
export function unnamedMatrix(
  columns: readonly RoledColumn[],
): readonly RoledColumn[] | Question | undefined {
  const isNumbered = areNumbered(columns);
  const least = isNumbered ? NUMBERED_MIN : VARIANTS_MIN;
  const isGrid = columns.every((column) => isOfGrid(column, columns[0]!));
  if (columns.length < least || !(isGrid || columns.every(isUnnamed))) return undefined;
  const begins = columns.filter(({ shape }) => shape.least > 0).map(({ shape }) => shape.first);
  const begin = begins.length === 0 ? NaN : median(begins);
  const isCurve = ({ shape }: RoledColumn) =>
    shape.least > 0 && Math.abs(shape.first - begin) <= BEGIN_SPREAD * begin;
  const returns = columns.filter((column) => areReturns(column) || isFlat(column));
  const deviations = returns
    .filter((column) => !isFlat(column))
    .map(({ shape }) => shape.deviation);
  const usual = deviations.length === 0 ? NaN : median(deviations);
  const mayOverlap = isNumbered && returns.length >= SURE_SHARE * columns.length;
  const isReturn = (column: RoledColumn) =>
    isFlat(column) ||
    ((areReturns(column) || (mayOverlap && isAround0(column))) &&
      isWithin(column.shape.deviation, usual));
  const [curves, moves] = [columns.filter(isCurve), columns.filter(isReturn)];
  const alike = curves.length > moves.length ? curves : moves;
  if (alike.length === columns.length) return columns;
  if (alike.length < least) return undefined;
  const odd = columns.filter((column) => !alike.includes(column));
  const names = odd.map(({ name }) => `"${shortened(name)}"`).slice(0, 5);
  const nameOf = columnNames(columns);
  const [is, does] = odd.length === 1 ? ["is it a variant", "does"] : ["are they variants", "do"];
  return {
    option: "leaveOut",
    text: `${names.join(", ")} ${does} not look like the other ${alike.length} columns: ${is}, too? Leave out what is none`,
    choices: odd.map((column) => ({
      value: nameOf(column),
      text: "it is no variant",
    })),
  };
}

/** `SmaCross(n1=4)` is a variant's name where `sma_4` is an indicator's. */
function isUnnamed({ role, read }: RoledColumn): boolean {
  if (role === "unknown") return true;
  return role === "helper" && read.rest.some(({ kind }) => kind === "other");
}

/** A run of `sma_5_20`: no indicator of two numbers begins where the others do, or is as rough as returns. */
function isOfGrid({ role, read, shape }: RoledColumn, first: RoledColumn): boolean {
  const areWords = read.rest.every(({ kind }) => kind === "helper" || kind === "number");
  const numbers = read.rest.filter(({ kind }) => kind === "number");
  const isLikeFirst = shape.first === first.shape.first || shape.roughness > ROUGH;
  return role === "helper" && areWords && numbers.length > 1 && shape.moves && isLikeFirst;
}

/** Whether names are the same words with other numbers; one number alone is a place. */
function areNumbered(columns: readonly RoledColumn[]): boolean {
  const forms = columns.map(({ read }) =>
    read.rest.map(({ kind, text }) => (kind === "number" ? "#" : text)).join(" "),
  );
  return new Set(forms).size === 1 && /# .*#|[^# ].*#|#.*[^# ]/.test(forms[0]!);
}

function isFlat({ shape }: RoledColumn): boolean {
  return shape.first === 0 && !shape.moves;
}

function isWithin(value: number, usual: number): boolean {
  return value >= usual / DEVIATION_FACTOR && value <= usual * DEVIATION_FACTOR;
}
