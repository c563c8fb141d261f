/** What a column holds. Dates and integers are 32 bit; a date is a UTC day since 1970-01-01. */
export type ColumnType = "text" | "date" | "double" | "integer" | "boolean";

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** `usd`, `days`, `fraction`, `coins`, ... or empty where there is none. */
  readonly unit: string;
  readonly description: string;
}

/** One table of a snapshot: in `hindsight.duckdb`, in a Parquet file of its name, and maybe in an Arrow file. */
export interface Table {
  readonly name: string;
  readonly description: string;
  /** The columns that name a row; rows are sorted by them, coins in board order. */
  readonly key: readonly string[];
  readonly columns: readonly TableColumn[];
  /** It also stands as an uncompressed Arrow IPC file, one record batch a block. */
  readonly arrow: boolean;
}

/** Name of the Arrow file of a table. */
export function arrowFileOf(table: Table): string {
  return `${table.name}.arrow`;
}

/**
 * The values of one column of a block. In a Float64Array NaN is "no value": it becomes NULL in DuckDB and Parquet and
 * stays NaN in Arrow. A Uint8Array holds booleans as 0 and 1. A plain array is for small tables and for columns with
 * nulls. One text stands for the same text in every row.
 */
export type ColumnData =
  | Float64Array
  | Int32Array
  | Uint8Array
  | readonly (string | number | boolean | null)[]
  | string;

/** Consecutive rows of a table, column by column. The large tables have a block for each coin. */
export interface TableBlock {
  readonly rows: number;
  readonly columns: Readonly<Record<string, ColumnData>>;
}

/**
 * A table on its way into a snapshot: whole, or, where it is large, block by block, so that it never stands in memory whole.
 */
export type TableRows = readonly TableBlock[] | TableStream;

export interface TableStream {
  /**
   * For each column of text in which every block has one text: those texts, each once, in the order in which they come.
   * Arrow files say them before the first row.
   */
  readonly texts: ConstantTexts;
  readonly blocks: AsyncIterable<TableBlock>;
}

export type ConstantTexts = Readonly<Record<string, readonly string[]>>;

/** The rows as a stream, also where they are a whole table. */
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
 * The block with its typed columns in one piece of shared memory: the thread that writes it reads them where they lie, and the
 * large tables do not stand in memory twice.
 */
export function inSharedMemory({ rows, columns }: TableBlock): TableBlock {
  const typed = Object.entries(columns).filter(([, data]) => ArrayBuffer.isView(data));
  const stride = rows * Float64Array.BYTES_PER_ELEMENT; // the widest, so that all are aligned
  const memory = new SharedArrayBuffer(typed.length * stride);
  const shared = typed.map(([name, data], index): [string, ColumnData] => {
    const at = index * stride;
    if (data instanceof Float64Array)
      return [name, copied(new Float64Array(memory, at, rows), data)];
    if (data instanceof Int32Array) return [name, copied(new Int32Array(memory, at, rows), data)];
    return [name, copied(new Uint8Array(memory, at, rows), data as Uint8Array)];
  });
  return { rows, columns: { ...columns, ...Object.fromEntries(shared) } };
}

function copied<Numbers extends Float64Array | Int32Array | Uint8Array>(
  into: Numbers,
  from: Numbers,
): Numbers {
  into.set(from);
  return into;
}

/** The typed array of a column. A block that holds something else there is a defect. */
export function doubles(block: TableBlock, name: string): Float64Array {
  const data = block.columns[name];
  if (!(data instanceof Float64Array)) throw new Error(`column "${name}" is not of doubles`);
  return data;
}

export function integers(block: TableBlock, name: string): Int32Array {
  const data = block.columns[name];
  if (!(data instanceof Int32Array)) throw new Error(`column "${name}" is not of integers`);
  return data;
}

/** A column of booleans as 0 and 1. */
export function flags(block: TableBlock, name: string): Uint8Array {
  const data = block.columns[name];
  if (!(data instanceof Uint8Array)) throw new Error(`column "${name}" is not of booleans`);
  return data;
}

/** The one text of a column that is the same in every row, for example the coin. */
export function constantText(block: TableBlock, name: string): string {
  const data = block.columns[name];
  if (typeof data !== "string") throw new Error(`column "${name}" is not one text`);
  return data;
}

/** One value of a column, null where it has none. Slow: for small tables. */
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

/** Throws when a block is not of its table: another set of columns, another length. Both are defects. */
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
