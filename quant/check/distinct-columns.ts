/** Columns that differ by no more than this in any bar are the same variant. */
const SAME_WITHIN = 1e-12;
/** Returns this close together never move: rounding, not risk. */
const FLAT_WITHIN = 1e-14;

interface DistinctColumns {
  readonly names: readonly string[];
  readonly columns: readonly Float64Array[];
  readonly keptNameOf: ReadonlyMap<string, string>;
  /** Variants that never move. */
  readonly dropped: number;
  /** Variants that repeat another one. */
  readonly duplicates: number;
}

interface Candidate {
  readonly column: Float64Array;
  readonly place: number;
  readonly sum: number;
}

/** The variants that move, each once, in the order of the file; the first of those that repeat one another stays. */
export function distinctColumns(
  names: readonly string[],
  columns: readonly Float64Array[],
): DistinctColumns {
  const moving = columns
    .map((column, place): Candidate => ({ column, place, sum: sumOf(column) }))
    .filter(({ column }) => !isFlat(column));
  const firstOf = firstTwins(moving, SAME_WITHIN * (columns[0]?.length ?? 0));
  const kept = moving.filter(({ place }) => firstOf.get(place) === place);
  return {
    names: kept.map(({ place }) => names[place]!),
    columns: kept.map(({ column }) => column),
    keptNameOf: new Map(moving.map(({ place }) => [names[place]!, names[firstOf.get(place)!]!])),
    dropped: columns.length - moving.length,
    duplicates: moving.length - kept.length,
  };
}

/** All of them, whether they move or not. */
export function allColumns(
  names: readonly string[],
  columns: readonly Float64Array[],
): DistinctColumns {
  const keptNameOf = new Map(names.map((name) => [name, name]));
  return { names, columns, keptNameOf, dropped: 0, duplicates: 0 };
}

/**
 * For each place that of the first variant with the same returns. Columns that agree have sums within the tolerance,
 * so only those are compared row by row.
 */
function firstTwins(moving: readonly Candidate[], tolerance: number): Map<number, number> {
  const bySum = moving.toSorted((a, b) => a.sum - b.sum || a.place - b.place);
  const groups: Candidate[][] = [];
  for (const candidate of bySum) {
    const twins = groups.findLast(([first]) => {
      return candidate.sum - first!.sum <= tolerance && isSame(candidate.column, first!.column);
    });
    if (twins === undefined) groups.push([candidate]);
    else twins.push(candidate);
  }
  return new Map(
    groups.flatMap((group) => {
      const first = Math.min(...group.map(({ place }) => place));
      return group.map(({ place }) => [place, first] as const);
    }),
  );
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

/** The columns ordered by their returns, so that the file's order changes no sum. */
export function byContent(columns: readonly Float64Array[]): Float64Array[] {
  return columns.toSorted((a, b) => {
    for (let row = 0; row < a.length; row++) if (a[row] !== b[row]) return a[row]! - b[row]!;
    return 0;
  });
}
