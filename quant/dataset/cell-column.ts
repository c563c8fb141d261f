/**
 * Numbers of all cells of the dataset in one column, cell by cell. The headline asks every cell the same some sixty
 * questions for each of five scopes: what is asked once is kept here, and a scope of neighbouring cells is a view of it.
 */
export interface CellColumn {
  readonly values: Float64Array;
  /** Where each cell's begin, and where the last one's end. */
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

/** The numbers of some cells, one after the other; `places` ascend. Not to be written into. */
export function numbersOfCells(
  { values, begins }: CellColumn,
  places: readonly number[],
): Float64Array {
  const [first, last] = [places[0], places.at(-1)];
  if (first === undefined || last === undefined) return new Float64Array();
  const pieceOf = (from: number, to: number) => values.subarray(begins[from], begins[to]);
  if (last - first + 1 === places.length) return pieceOf(first, last + 1);
  const pieces = places.map((place) => pieceOf(place, place + 1));
  const all = new Float64Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let end = 0;
  for (const piece of pieces) {
    all.set(piece, end);
    end += piece.length;
  }
  return all;
}
