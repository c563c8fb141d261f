import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { columnTable, pandasIndex } from "./column-table.ts";
import type { Table } from "./csv.ts";
import { FileRefused } from "./export.ts";

const CELLS_MAX = 30_000_000;

/** A Parquet file as a table. hyparquet unpacks Snappy, which pandas writes unless told otherwise. */
export async function readParquet(bytes: Uint8Array): Promise<Table> {
  const file = bytes.slice().buffer;
  try {
    const metadata = parquetMetadata(file);
    const names = metadata.schema.slice(1).map(({ name }) => name);
    if (names.length * Number(metadata.num_rows) > CELLS_MAX) {
      throw new FileRefused("the Parquet file has too many cells");
    }
    const rows = await parquetReadObjects({ file, metadata });
    const columns = names.map((name) => ({ name, cells: rows.map((row) => row[name]) }));
    const pandas = metadata.key_value_metadata?.find(({ key }) => key === "pandas")?.value;
    return columnTable(columns, pandasIndex(pandas));
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    const why = error instanceof Error ? error.message : "unreadable";
    throw new FileRefused(`the Parquet file can't be read: ${why}`);
  }
}
