/**
 * A column of `length` rows without values. `NaN` is a column's only "no value", so that a warm-up day
 * cannot be mistaken for a price, an oversold zero or a flat return.
 */
export function blankColumn(length: number): Float64Array {
  return new Float64Array(length).fill(NaN);
}

/** The mean of two columns, row by row: the middle between the highest and the lowest of a day or a window. */
export function middleOf(one: Float64Array, other: Float64Array): Float64Array {
  const out = new Float64Array(one.length);
  for (let row = 0; row < out.length; row++) out[row] = (one[row]! + other[row]!) / 2;
  return out;
}

/** One column less another, row by row. */
export function differenceOf(one: Float64Array, other: Float64Array): Float64Array {
  const out = new Float64Array(one.length);
  for (let row = 0; row < out.length; row++) out[row] = one[row]! - other[row]!;
  return out;
}

/**
 * First row on which every column has a number, or the length when there is none. A column that is derived from
 * another may begin with NaN, so a warm-up is counted from this row.
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
