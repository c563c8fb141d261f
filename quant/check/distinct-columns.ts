/** Columns that differ by no more than this in any bar are the same variant. */
const SAME_WITHIN = 1e-12;
/** Returns this close together never move: rounding, not risk. */
const FLAT_WITHIN = 1e-14;

export interface DistinctColumns {
  readonly names: readonly string[];
  readonly columns: readonly Float64Array[];
  readonly keptNameOf: ReadonlyMap<string, string>;
  /** Variants that never move. */
  readonly dropped: number;
  /** Variants that repeat another one. */
  readonly duplicates: number;
}

/**
 * The variants that move, each once, ordered by their content. The file's order then decides nothing: not
 * the clusters, nor which of two equal picks comes first.
 */
export function distinctColumns(
  names: readonly string[],
  columns: readonly Float64Array[],
): DistinctColumns {
  const moving = columns
    .map((column, place) => ({ column, name: names[place]!, sum: sumOf(column) }))
    .filter(({ column }) => !isFlat(column));
  const keptNameOf = new Map<string, string>();
  const kept: typeof moving = [];
  const tolerance = SAME_WITHIN * (columns[0]?.length ?? 0);
  // Columns that agree within the tolerance have sums that do, too: only those neighbours are compared.
  moving.sort((a, b) => a.sum - b.sum || compare(a.column, b.column));
  for (const candidate of moving) {
    let twin: (typeof moving)[number] | undefined;
    for (let place = kept.length - 1; place >= 0 && twin === undefined; place--) {
      const other = kept[place]!;
      if (candidate.sum - other.sum > tolerance) break;
      if (isSame(candidate.column, other.column)) twin = other;
    }
    if (twin === undefined) kept.push(candidate);
    keptNameOf.set(candidate.name, (twin ?? candidate).name);
  }
  return {
    names: kept.map(({ name }) => name),
    columns: kept.map(({ column }) => column),
    keptNameOf,
    dropped: columns.length - moving.length,
    duplicates: moving.length - kept.length,
  };
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

function compare(a: Float64Array, b: Float64Array): number {
  for (let row = 0; row < a.length; row++) {
    const difference = a[row]! - b[row]!;
    if (difference !== 0) return difference;
  }
  return 0;
}
