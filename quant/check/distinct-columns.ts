/** Columns that differ by no more than this on every bar are the same variant. */
const SAME_WITHIN = 1e-12;
/** Returns that differ by no more than this differ by rounding. */
const FLAT_WITHIN = 1e-14;

/** The variants that move, each once, in the order of the file; the first of those that repeat one another stays. */
export function distinctColumns(names: readonly string[], columns: readonly Float64Array[]) {
  const tolerance = SAME_WITHIN * (columns[0]?.length ?? 0);
  const kept: { column: Float64Array; name: string; sum: number }[] = [];
  const keptNameOf = new Map<string, string>();
  let dropped = 0;
  for (const [index, column] of columns.entries()) {
    if (isFlat(column)) {
      dropped++;
      continue;
    }
    const own = { column, name: names[index]!, sum: sumOf(column) };
    // Columns that agree have sums within the tolerance, so only those are compared row by row.
    const twin = kept.find(
      ({ column: other, sum }) => Math.abs(sum - own.sum) <= tolerance && isSame(column, other),
    );
    if (twin === undefined) kept.push(own);
    keptNameOf.set(own.name, (twin ?? own).name);
  }
  return {
    names: kept.map(({ name }) => name),
    columns: kept.map(({ column }) => column),
    /** The kept variant of each name that moves. */
    keptNameOf,
    /** Variants that never move. */
    dropped,
    /** Variants that repeat another one. */
    duplicates: columns.length - dropped - kept.length,
  };
}

/** All variants, whether they move or not. */
export function allColumns(
  names: readonly string[],
  columns: readonly Float64Array[],
): ReturnType<typeof distinctColumns> {
  const keptNameOf = new Map(names.map((name) => [name, name]));
  return { names: [...names], columns: [...columns], keptNameOf, dropped: 0, duplicates: 0 };
}

function sumOf(column: Float64Array): number {
  let sum = 0;
  for (let row = 0; row < column.length; row++) sum += column[row]!;
  return sum;
}

function isFlat(column: Float64Array): boolean {
  return column.every((value) => Math.abs(value - column[0]!) <= FLAT_WITHIN);
}

function isSame(a: Float64Array, b: Float64Array): boolean {
  for (let row = 0; row < a.length; row++) {
    if (!(Math.abs(a[row]! - b[row]!) <= SAME_WITHIN)) return false;
  }
  return true;
}

/** The columns ordered by their returns, so that their order in the file changes no sum. */
export function byContent(columns: readonly Float64Array[]): Float64Array[] {
  return columns.toSorted((a, b) => {
    for (let row = 0; row < a.length; row++) if (a[row] !== b[row]) return a[row]! - b[row]!;
    return 0;
  });
}
