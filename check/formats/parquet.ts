import { gunzipSync } from "fflate";
import { decompress } from "fzstd";
import {
  parquetMetadata,
  parquetReadObjects,
  parquetSchema,
  snappyUncompress,
  type Compressors,
  type FileMetaData,
  type SchemaTree,
} from "hyparquet";
import { columnTable } from "./column-table.ts";
import { CELLS_MAX, COLUMNS_MAX, type Table } from "./csv.ts";
import { FileRefused } from "./export.ts";

const PAGE_MAX = 200 * 1024 * 1024;

/** Beside Snappy, which hyparquet unpacks and pandas writes: Polars writes Zstandard unless told otherwise. */
const COMPRESSORS: Compressors = {
  SNAPPY: (page, size) => {
    const out = pageOf(size);
    snappyUncompress(page, out);
    return out;
  },
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
    const cells = names.length * Number(metadata.num_rows);
    if (names.length > COLUMNS_MAX || cells > CELLS_MAX) {
      throw new FileRefused("the Parquet file has too many cells");
    }
    checkColumns(metadata);
    const rows = await parquetReadObjects({ file, metadata, compressors: COMPRESSORS });
    const columns = names.map((name) => ({ name, cells: rows.map((row) => row[name]) }));
    const pandas = metadata.key_value_metadata?.find(({ key }) => key === "pandas")?.value;
    return columnTable(columns, pandas);
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused(`the Parquet file can't be read: ${reasonOf(error)}`);
  }
}

/** hyparquet's own words begin with "parquet"; others are of JavaScript, which met bytes that make no sense. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/compression codec/.test(message)) return `${message}; write it with Snappy or as CSV`;
  return /^(a page|its columns|parquet (?!.*undefined))/.test(message) ? message : "it is damaged";
}

/**
 * Refuses columns that the schema lacks, or that occur twice in a group: hyparquet begins to read those and awaits
 * only one, so that a failure of another would end the process.
 */
function checkColumns(metadata: FileMetaData): void {
  const known = new Set(leavesOf(parquetSchema(metadata)));
  for (const { columns } of metadata.row_groups) {
    const paths = columns.map(({ meta_data: of }) => of?.path_in_schema.join("\0") ?? "");
    if (new Set(paths).size === paths.length && paths.every((path) => known.has(path))) continue;
    throw new RangeError("its columns are not those of its schema");
  }
}

function leavesOf({ children, path }: SchemaTree): string[] {
  return children.length === 0 ? [path.join("\0")] : children.flatMap(leavesOf);
}
