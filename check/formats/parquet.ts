import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import { parquetMetadata, parquetReadObjects, type Compressors } from "hyparquet";
import { columnTable, pandasIndex } from "./column-table.ts";
import type { Table } from "./csv.ts";
import { FileRefused } from "./export.ts";

const CELLS_MAX = 30_000_000;
const PAGE_MAX = 200 * 1024 * 1024;

/** Beside Snappy, which hyparquet unpacks and pandas writes: Polars writes Zstandard unless told otherwise. */
const COMPRESSORS: Compressors = {
  GZIP: (page, size) => gunzipSync(page, { out: pageOf(size) }),
  ZSTD: (page, size) => decompress(page, pageOf(size)),
};

function pageOf(size: number): Uint8Array {
  if (size > PAGE_MAX) throw new RangeError("a page of it unpacks to more than 200 MiB");
  return new Uint8Array(size);
}

/** A Parquet file as a table. */
export async function readParquet(bytes: Uint8Array): Promise<Table> {
  const file = new Uint8Array(bytes).buffer; // a copy: a Buffer may be a part of another
  try {
    const metadata = parquetMetadata(file);
    const names = metadata.schema.slice(1).map(({ name }) => name);
    if (names.length * Number(metadata.num_rows) > CELLS_MAX) {
      throw new FileRefused("the Parquet file has too many cells");
    }
    const rows = await parquetReadObjects({ file, metadata, compressors: COMPRESSORS });
    const columns = names.map((name) => ({ name, cells: rows.map((row) => row[name]) }));
    const pandas = metadata.key_value_metadata?.find(({ key }) => key === "pandas")?.value;
    return columnTable(columns, pandasIndex(pandas));
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    const why = error instanceof Error ? error.message : "unreadable";
    const codec = /compression codec/.test(why) ? "; write it with Snappy or as CSV" : "";
    throw new FileRefused(`the Parquet file can't be read: ${why}${codec}`);
  }
}
