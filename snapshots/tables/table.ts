/** What a column holds. Dates and integers have 32 bits; a date is a UTC day since 1970-01-01. */
export type ColumnType = "text" | "date" | "double" | "integer" | "boolean";

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** `usd`, `days`, `fraction`, `coins`, ... or empty where there is none. */
  readonly unit: string;
  readonly description: string;
}

/**
 * One table of a snapshot: in `hindsight.duckdb`, in a Parquet file of its name, and in an Arrow file if `arrow` is
 * set.
 */
export interface Table {
  readonly name: string;
  readonly description: string;
  /** The columns that identify a row. Rows are sorted by them, coins in board order. */
  readonly key: readonly string[];
  readonly columns: readonly TableColumn[];
  /** Whether it is also written as an uncompressed Arrow IPC file, one record batch per block. */
  readonly arrow: boolean;
}

/** Name of the Arrow file of a table. */
export function arrowFileOf(table: Table): string {
  return `${table.name}.arrow`;
}

/**
 * The values of one column of a block. In a Float64Array NaN is "no value": it becomes NULL in DuckDB and Parquet and
 * stays NaN in Arrow. A Uint8Array holds booleans as 0 and 1. A plain array serves small tables and columns with
 * nulls. A single text means the same text in every row.
 */
export type ColumnData =
  | Float64Array
  | Int32Array
  | Uint8Array
  | readonly (string | number | boolean | null)[]
  | string;

/** Consecutive rows of a table, column by column. The large tables have one block per coin. */
export interface TableBlock {
  readonly rows: number;
  readonly columns: Readonly<Record<string, ColumnData>>;
}

/** The rows of a table: all at once, or for large tables block by block, so that the whole is never in memory. */
export type TableRows = readonly TableBlock[] | TableStream;

interface TableStream {
  /**
   * For each text column with a single text per block: those texts, each once, in order of appearance. Arrow files
   * name them before the first row.
   */
  readonly texts: ConstantTexts;
  readonly blocks: AsyncIterable<TableBlock>;
}

export type ConstantTexts = Readonly<Record<string, readonly string[]>>;

/** The rows as a stream, even if they are a whole table. */
export function streamOf(table: Table, rows: TableRows): TableStream {
  if ("blocks" in rows) return rows;
  const filled = rows.filter((block) => block.rows > 0);
  const texts = table.columns
    .filter(({ type }) => type === "text")
    .map(({ name }) => [name, filled.map(({ columns }) => columns[name])] as const)
    .filter((entry): entry is [string, string[]] =>
      entry[1].every((text) => typeof text === "string"),
    );
  return {
    texts: Object.fromEntries(texts.map(([name, all]) => [name, [...new Set(all)]])),
    blocks: oneByOne(rows),
  };
}

async function* oneByOne(blocks: readonly TableBlock[]): AsyncGenerator<TableBlock> {
  yield* blocks;
}

/**
 * Moves a block's typed columns into one piece of shared memory. The thread that writes them reads them there, so
 * large tables are not in memory twice.
 */
export function inSharedMemory({ rows, columns }: TableBlock): TableBlock {
  const typed = Object.entries(columns).filter(([, data]) => ArrayBuffer.isView(data));
  const stride = rows * Float64Array.BYTES_PER_ELEMENT; // the widest type, so that all columns are aligned
  const memory = new SharedArrayBuffer(typed.length * stride);
  const shared = typed.map(([name, data], index): [string, ColumnData] => {
    const Kind = TYPED_ARRAYS.find((kind) => data instanceof kind)!; // by the filter
    const copy = new Kind(memory, index * stride, rows);
    copy.set(data as TypedArray);
    return [name, copy];
  });
  return { rows, columns: { ...columns, ...Object.fromEntries(shared) } };
}

type TypedArray = Float64Array | Int32Array | Uint8Array;
const TYPED_ARRAYS: readonly (new (
  memory: ArrayBufferLike,
  at: number,
  rows: number,
) => TypedArray)[] = [Float64Array, Int32Array, Uint8Array];

/** The typed array of a column. Anything else in the column is a defect. */
function typedColumn<Typed>(Kind: abstract new (...args: never[]) => Typed, values: string) {
  return ({ columns }: TableBlock, name: string): Typed => {
    const data: unknown = columns[name];
    if (!(data instanceof Kind)) throw new Error(`column "${name}" is not of ${values}`);
    return data;
  };
}

export const doubles = typedColumn<Float64Array>(Float64Array, "doubles");
export const integers = typedColumn<Int32Array>(Int32Array, "integers");
/** A column of booleans as 0 and 1. */
export const flags = typedColumn<Uint8Array>(Uint8Array, "booleans");

/** The single text of a column that is the same in every row, for example the coin. */
export function constantText(block: TableBlock, name: string): string {
  const data = block.columns[name];
  if (typeof data !== "string") throw new Error(`column "${name}" is not one text`);
  return data;
}

/** One value of a column, null if it has none. Slow: for small tables. */
export function valueAt(
  block: TableBlock,
  name: string,
  row: number,
): string | number | boolean | null {
  const data = block.columns[name];
  if (data === undefined) throw new Error(`no column "${name}"`);
  if (typeof data === "string") return data;
  const value = data[row];
  if (value === undefined || value === null || Number.isNaN(value)) return null;
  return data instanceof Uint8Array ? value === 1 : value;
}

/** Throws when a block does not fit its table: other columns or another length. Both are defects. */
export function checkBlock(table: Table, block: TableBlock): void {
  const names = table.columns.map((column) => column.name);
  const unknown = Object.keys(block.columns).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`table "${table.name}" has no column "${unknown}"`);
  for (const name of names) {
    const data = block.columns[name];
    if (data === undefined) throw new Error(`table "${table.name}": column "${name}" is missing`);
    if (typeof data !== "string" && data.length !== block.rows) {
      throw new Error(
        `table "${table.name}": column "${name}" has ${data.length} rows, not ${block.rows}`,
      );
    }
  }
}
