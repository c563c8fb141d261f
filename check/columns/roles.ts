import { OF_STRATEGY, type NameRole } from "./name-role.ts";
import type { NamePart } from "./names.ts";
import { ROUGH, SMOOTH, shapeOf, type Series, type SeriesShape } from "./series.ts";
import type { TableColumn } from "./table-columns.ts";

/** What a column is: what its name says, as far as its values confirm it. */
export type Role = NameRole | "words" | "empty" | "left out";

export interface RoledColumn extends TableColumn, Series {
  readonly role: Role;
  /** Among the columns of its role: the only one, a variant of one another, or not to be told. */
  readonly standing: "single" | "variant" | "doubtful";
}

/** What an account is worth, the best role first. */
export const ACCOUNTS: readonly Role[] = ["value", "balance", "capital"];

/** Returns of single bars have a median below this. Cumulative returns hardly do. */
const RETURN_MEDIAN = 0.5;

/** A column with the role that it has by itself. Beside flows, an account may begin at 0. */
export function ownRole(column: TableColumn, hasFlows: boolean): RoledColumn {
  const shape = shapeOf(column.values);
  const isNewAccount = hasFlows && shape.first === 0 && shape.least === 0;
  const named = isNewAccount ? column.read.role : confirmed(column.read.role, shape);
  const isEmpty = column.cells.every((cell) => cell.trim() === "");
  const role = column.isNumeric ? named : isEmpty ? "empty" : "words";
  return { ...column, shape, role, standing: "single" };
}

function confirmed(role: NameRole, shape: SeriesShape): Role {
  const isAround0 = shape.least <= 0 && Math.abs(shape.median) <= RETURN_MEDIAN;
  const isReturn = isAround0 && !(shape.roughness < ROUGH);
  if (ACCOUNTS.includes(role)) {
    if (isReturn && shape.least < 0 && shape.most <= 1) return "return";
    return shape.first === 0 || shape.least < 0 ? "cumulative profit" : role;
  }
  if (role === "growth") return isReturn ? "return" : levelRole(shape);
  if (role === "strategy") return isReturn || !shape.moves ? "return" : levelRole(shape);
  if (role === "cumulative profit") return shape.roughness < ROUGH ? role : "profit";
  if (role === "profit")
    return shape.moves && shape.roughness < SMOOTH ? "cumulative profit" : role;
  return role === "time" ? "helper" : role; // another column has the table's dates
}

/** Where an account that buys and sells doesn't move on this share of the rows, a price with so many digits hardly would. */
const STILL_MIN = 0.02;

/**
 * Whether a column that is called a price or an asset can be one. vectorbt calls the account after the price: its returns
 * fall below 0, and its value begins at a round sum and stands still where nothing is held.
 */
export function mayBePrice({ role, read, values, shape }: RoledColumn): boolean {
  const isOfPrice = role === "close" || read.rest.some(({ kind }) => kind === "ticker");
  const still = values.filter((value, row) => value === values[row - 1]).length;
  const isRound = /^[1-9]0*$/.test(String(shape.first)) && shape.first >= 100;
  const isAccount = isRound && still >= STILL_MIN * values.length && shape.moves;
  return !isOfPrice || !(shape.least <= 0 || isAccount);
}

/** A growth begins near 1 or 0. Anything else that stays above 0 is a value. */
function levelRole({ first, least }: SeriesShape): Role {
  const isNear = Math.abs(first) <= RETURN_MEDIAN || Math.abs(first - 1) <= RETURN_MEDIAN;
  if (isNear) return "growth";
  return least > 0 ? "value" : "cumulative profit";
}

/**
 * Tells columns of one role apart whose names share a stem. They are helpers of the bare stem (`equity_sma_20` beside
 * `equity`), variants of one another (`equity_fast_5` and `equity_fast_10`), or doubtful.
 */
export function withStandings(columns: readonly RoledColumn[]): RoledColumn[] {
  return columns.map((column) => {
    if (!OF_STRATEGY.has(column.role as NameRole)) return column;
    const same = columns.filter(({ role }) => role === column.role);
    return { ...column, ...standingAmong(column, same) };
  });
}

const isModified = ({ read }: RoledColumn) => read.rest.some(({ kind }) => kind === "modifier");

function standingAmong(
  column: RoledColumn,
  same: readonly RoledColumn[],
): Partial<Pick<RoledColumn, "role" | "standing">> {
  const { rest } = column.read;
  const isHelper = isModified(column) || rest.some(({ kind }) => kind === "helper");
  if (same.some(({ read }) => read.rest.length === 0)) {
    if (rest.length === 0) return {};
    return isHelper ? { role: "helper" } : { standing: "doubtful" };
  }
  if (isModified(column)) return { role: "helper" };
  const siblings = same.filter((each) => !isModified(each));
  if (siblings.length === 1) return isHelper ? { role: "helper" } : {};
  const areVariants = areOneForm(siblings.map(({ read }) => read.rest));
  return { standing: areVariants ? "variant" : "doubtful" };
}

/** Whether names differ as those of variants do: by numbers, letters or words, or by the numbers of the same words. */
function areOneForm(rests: readonly (readonly NamePart[])[]): boolean {
  if (rests.flat().some(({ kind }) => kind === "side" || kind === "ticker")) return false;
  const forms = rests.map((rest) => {
    const words = rest.map(({ kind, text }) => {
      if (kind === "number") return "#";
      return text.length === 1 ? "letter" : "word";
    });
    const form = words.join(" ");
    return form.replace(/word( word)+/g, "word").replace(/#( #)+/g, "#");
  });
  return new Set(forms).size === 1;
}
