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
import { checkCells, columnTable } from "./column-table.ts";
import { COLUMNS_MAX, type Table } from "./csv.ts";
import { FileRefused } from "./export.ts";
import { checkPages } from "./parquet-pages.ts";

const PAGE_MAX = 200 * 1024 * 1024;
const GROUPS_MAX = 1000;
/** Bytes that each say that their number goes on. hyparquet takes the square of their count in time. */
const CONTINUED_MAX = 16 * 1024;

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
    const metadata = metadataOf(file);
    const nested = metadata.schema.filter(({ num_children: children }) => children).length;
    const cells = (metadata.schema.length - nested) * Number(metadata.num_rows);
    if (metadata.schema.length > COLUMNS_MAX + 1 || nested > GROUPS_MAX)
      throw new FileRefused(`the Parquet file has more than ${COLUMNS_MAX} columns`);
    checkCells(cells, bytes);
    checkColumns(metadata);
    checkPages(file, metadata, COMPRESSORS);
    const names = parquetSchema(metadata).children.map(({ element: { name } }) => name);
    const rows = await parquetReadObjects({ file, metadata, compressors: COMPRESSORS });
    const columns = names.map((name) => ({ name, cells: rows.map((row) => row[name]) }));
    const pandas = metadata.key_value_metadata?.find(({ key }) => key === "pandas")?.value;
    return columnTable(columns, pandas);
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    throw new FileRefused(`the Parquet file can't be read: ${reasonOf(error)}`);
  }
}

/** What this file's own errors and hyparquet's say that helps; others are of bytes that make no sense. */
function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : "";
  if (/footer != PAR1/.test(message)) return "its end is missing; write or load it anew";
  if (/compression codec: (?!undefined)/.test(message))
    return `${message}; write it with Snappy or as CSV`;
  const helps =
    /^(a page|its columns|its pages|parquet \w+ not supported|parquet unsupported encoding: (?!undefined))/;
  return helps.test(message) ? message : "it is damaged; write or load it anew";
}

/** The footer, unless one of its numbers has no end in sight. */
function metadataOf(file: ArrayBuffer): FileMetaData {
  const view = new DataView(file);
  const end = file.byteLength - 8;
  let continued = 0;
  for (let at = Math.max(0, end - view.getUint32(end, true)); at < end; at++) {
    continued = view.getUint8(at) >= 0x80 ? continued + 1 : 0;
    if (continued > CONTINUED_MAX) throw new RangeError("a number without an end");
  }
  return parquetMetadata(file, { geoparquet: false });
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
