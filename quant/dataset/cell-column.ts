import { concatenated } from "../sample-statistics.ts";

/**
 * Numbers of all cells of the dataset in one column, cell by cell. The headline asks every cell the same
 * sixty or so questions in each of five scopes. Each answer is stored here once, and a scope of
 * neighbouring cells is a view of the column.
 */
export interface CellColumn {
  readonly values: Float64Array;
  /** Where the numbers of each cell begin, followed by where the last cell's end. */
  readonly begins: Int32Array;
}

export function cellColumnOf<Cell>(
  cells: readonly Cell[],
  numbersOf: (cell: Cell) => readonly number[],
): CellColumn {
  const values: number[] = [];
  const begins = new Int32Array(cells.length + 1);
  for (let place = 0; place < cells.length; place++) {
    for (const value of numbersOf(cells[place]!)) values.push(value);
    begins[place + 1] = values.length;
  }
  return { values: new Float64Array(values), begins };
}

/**
 * The numbers of some cells, one cell after the other. `places` must ascend. Do not write into the result:
 * it may be a view.
 */
export function numbersOfCells(
  { values, begins }: CellColumn,
  places: readonly number[],
): Float64Array {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return new Float64Array();
  const pieceOf = (from: number, to: number) => values.subarray(begins[from], begins[to]);
  if (last - first + 1 === places.length) return pieceOf(first, last + 1);
  return concatenated(places.map((place) => pieceOf(place, place + 1)));
}
