import type { RoledColumn } from "./roles.ts";

/** The subsets of more columns would take too long. */
const COLUMNS_MAX = 12;
/** A sum has to be right in this share of the rows. */
const SHARE = 0.999;

/** The candidate that is in every row the sum of two or more other columns, such as cash and what was held. */
export function sumOfOthers(
  candidates: readonly RoledColumn[],
  columns: readonly RoledColumn[],
): RoledColumn | undefined {
  const addends = columns.filter(({ shape, role }) => shape.moves && role !== "words");
  if (addends.length > COLUMNS_MAX) return undefined;
  const sums = candidates.filter(
    (column) =>
      column.shape.least > 0 &&
      isSum(
        column,
        addends.filter((other) => other !== column),
      ),
  );
  // A part of the total may be a sum itself, and is smaller.
  return sums.toSorted((a, b) => b.shape.median - a.shape.median)[0];
}

/** A close that is what was put in and what it earned so far is the account's, and no price. */
export function withAccountCloses(columns: readonly RoledColumn[]): readonly RoledColumn[] {
  if (columns.some(({ role }) => role === "bar")) return columns;
  const profits = columns.filter(({ role }) => role === "profit" || role === "cumulative profit");
  return columns.map((close) => {
    const others = columns.filter((column) => column !== close && column.isNumeric);
    const isOfAccount = () =>
      profits.some((profit) =>
        others.some((paid) => paid !== profit && isSum(close, [paid, profit])),
      );
    return close.role === "close" && isOfAccount() ? { ...close, role: "value" } : close;
  });
}

function isSum(sum: RoledColumn, others: readonly RoledColumn[]): boolean {
  const rows = [...sum.values.keys()].filter((row) => !Number.isNaN(sum.values[row]!));
  for (let chosen = 1; chosen < 2 ** others.length; chosen++) {
    const parts = others.filter((_, index) => (chosen & (1 << index)) !== 0);
    if (parts.length > 1 && addUp(sum, parts, rows)) return true;
  }
  return false;
}

function addUp(sum: RoledColumn, parts: readonly RoledColumn[], rows: readonly number[]): boolean {
  const allowed = (1 - SHARE) * rows.length;
  let wrong = 0;
  for (const row of rows) {
    let rest = sum.values[row]!;
    let slack = sum.halfUnits()[row]! + 1e-9 * Math.abs(rest);
    for (const part of parts) {
      rest -= part.values[row]!;
      slack += part.halfUnits()[row]!;
    }
    if (!(Math.abs(rest) <= slack) && ++wrong > allowed) return false;
  }
  return true;
}
