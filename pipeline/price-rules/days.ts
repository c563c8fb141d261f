import type { RawRow } from "./raw-row.ts";
import { rejectOf, type Reject } from "./screen.ts";

interface Settled {
  /** At most one row per day, days ascending. */
  readonly rows: readonly RawRow[];
  readonly rejects: readonly Reject[];
  readonly duplicatesDropped: number;
}

/** Decides which row is used for each day: first among repeated days, then among rows out of order. */
export function settleDays(rows: readonly RawRow[]): Settled {
  if (isAscending(rows)) return { rows, rejects: [], duplicatesDropped: 0 };
  const unique = withoutRepeats(rows);
  const kept = longestAscending(unique.rows);
  const keeps = new Set(kept);
  const misplaced = unique.rows.filter((row) => !keeps.has(row));
  return {
    rows: kept,
    rejects: [...unique.rejects, ...misplaced.map((row) => rejectOf(row, "out_of_order"))],
    duplicatesDropped: unique.duplicatesDropped,
  };
}

/**
 * Of equal rows, the first stays. If two rows of a day differ, all rows of that day are refused: any may be wrong.
 */
function withoutRepeats(rows: readonly RawRow[]): Settled {
  const firstOf = new Map<number, RawRow>();
  const disputed = new Set<number>();
  for (const row of rows) {
    const first = firstOf.get(row.day);
    if (first === undefined) firstOf.set(row.day, row);
    else if (!agree(first, row)) disputed.add(row.day);
  }
  const kept: RawRow[] = [];
  const rejects: Reject[] = [];
  let duplicatesDropped = 0;
  for (const row of rows) {
    if (disputed.has(row.day)) rejects.push(rejectOf(row, "conflicting_duplicate"));
    else if (firstOf.get(row.day) === row) kept.push(row);
    else duplicatesDropped++;
  }
  return { rows: kept, rejects, duplicatesDropped };
}

/**
 * The largest set of rows whose days ascend in the order read, so that one misplaced row costs only itself and not
 * all that follow. Of two equally large sets, the one with the earlier rows wins. Longest increasing subsequence by
 * patience sorting from the end, O(n log n); source: C. Schensted, "Longest increasing and decreasing subsequences"
 * (1961).
 */
function longestAscending(rows: readonly RawRow[]): RawRow[] {
  const lengthFrom = new Int32Array(rows.length);
  // Entry k: the latest day that begins an ascending run of k + 1 rows.
  const firstDays: number[] = [];
  for (let index = rows.length - 1; index >= 0; index--) {
    const { day } = rows[index]!; // index is in range
    let low = 0;
    let high = firstDays.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (firstDays[middle]! > day) low = middle + 1; // middle is in range
      else high = middle;
    }
    firstDays[low] = day;
    lengthFrom[index] = low + 1;
  }
  // The next row that begins a run of `wanted` rows is later than the one kept before it: otherwise it would begin a
  // run as long as that one's.
  let wanted = firstDays.length;
  return rows.filter((_, index) => {
    if (lengthFrom[index] !== wanted) return false;
    wanted--;
    return true;
  });
}

function isAscending(rows: readonly RawRow[]): boolean {
  return rows.every((row, index) => index === 0 || row.day > rows[index - 1]!.day); // index >= 1
}

function agree(one: RawRow, other: RawRow): boolean {
  return (
    one.open === other.open &&
    one.high === other.high &&
    one.low === other.low &&
    one.close === other.close &&
    one.volume === other.volume
  );
}
