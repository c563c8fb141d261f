import { FileRefused, TooLarge } from "./refused.ts";
import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import {
  parquetMetadata,
  parquetRead,
  parquetSchema,
  type Compressors,
  type FileMetaData,
} from "hyparquet";
import { checkCells, columnTable } from "./column-table.ts";
import type { Table } from "./csv.ts";

/** Beside Snappy, which pandas writes and hyparquet reads itself. Polars writes Zstandard by default. */
const COMPRESSORS: Compressors = {
  GZIP: (page, size) => gunzipSync(page, { out: new Uint8Array(size) }),
  ZSTD: (page, size) => decompress(page, new Uint8Array(size)),
};

/** A Parquet file as a table of at most `cellsMax` cells. */
export async function readParquet(bytes: Uint8Array, cellsMax: number): Promise<Table> {
  const file = new Uint8Array(bytes).buffer; // a Buffer may be a part of another, so this is a copy
  try {
    const metadata = parquetMetadata(file, { geoparquet: false });
    const leaves = metadata.schema.filter(({ num_children: children }) => !children).length;
    checkCells(leaves, Number(metadata.num_rows), bytes, cellsMax);
    const pandas = metadata.key_value_metadata?.find(({ key }) => key === "pandas")?.value;
    return columnTable(await columnsOf(file, metadata), pandas);
  } catch (error) {
    if (error instanceof FileRefused || error instanceof TooLarge) throw error;
    throw new FileRefused(`the Parquet file can't be read: ${reasonOf(error)}`);
  }
}

/** The columns, each with a cell for every row that the footer counts. */
async function columnsOf(file: ArrayBuffer, metadata: FileMetaData) {
  const columns = parquetSchema(metadata).children.map(({ element: { name } }) => {
    return { name, cells: [] as unknown[] };
  });
  const byName = new Map(columns.map((column) => [column.name, column.cells]));
  await parquetRead({
    file,
    metadata,
    compressors: COMPRESSORS,
    onChunk: ({ columnName, columnData, rowStart }) => {
      const cells = byName.get(columnName)!; // hyparquet reads columns of the schema only
      if (cells.length !== rowStart) return; // an earlier page has too few or too many rows
      for (const cell of columnData) cells.push(cell);
    },
  });
  if (columns.some(({ cells }) => cells.length !== Number(metadata.num_rows)))
    throw new RangeError("a column has not a value for each row");
  return columns;
}

/** The reason of an error of hyparquet's where it helps. Other errors are about damaged bytes. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/footer != PAR1/.test(message)) return "its end is missing; write or load it anew";
  if (/compression codec: (?!undefined)/.test(message))
    return `${message}; write it with Snappy or as CSV`;
  const helps = /^parquet (\w+ not supported|unsupported encoding: (?!undefined))/;
  return helps.test(message) ? message : "it is damaged; write or load it anew";
}
