/**
 * A column of `length` rows that holds no value yet. `NaN` is the only "no value" of a column, so
 * that a warm-up day cannot be read as a price, an oversold zero or a flat return.
 */
export function blankColumn(length: number): Float64Array {
  return new Float64Array(length).fill(NaN);
}

/**
 * First row on which every column holds a number; the length when there is none. Inputs may begin
 * with NaN (a column derived from another): the warm-up then counts from that row.
 */
export function firstNumberRow(...columns: readonly Float64Array[]): number {
  let first = 0;
  for (const column of columns) {
    let row = 0;
    while (row < column.length && Number.isNaN(column[row])) row++;
    if (row > first) first = row;
  }
  return first;
}
