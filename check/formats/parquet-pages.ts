import {
  parquetSchema,
  type Compressors,
  type DecodedArray,
  type FileMetaData,
  type RowGroup,
  type SchemaTree,
} from "hyparquet";
import { parquetHeader } from "hyparquet/src/column.js";
import { decompressPage } from "hyparquet/src/datapage.js";
import { deltaBinaryUnpack } from "hyparquet/src/delta.js";
import { readRleBitPackedHybrid } from "hyparquet/src/encoding.js";
import {
  getMaxDefinitionLevel,
  getMaxRepetitionLevel,
  getTreePath,
  isFlatColumn,
} from "hyparquet/src/schema.js";
import { CELLS_MAX } from "./csv.ts";
import { bounded, checkDelta, checkRuns, readerOf, type Reader } from "./parquet-runs.ts";

/** Of all pages together. */
const UNPACKED_MAX = 512 * 1024 * 1024;
/** Names and statistics of one page stand in its header. */
const HEADER_MAX = 64 * 1024;

type Column = Pick<NonNullable<RowGroup["columns"][number]["meta_data"]>, "codec" | "type"> & {
  readonly path: SchemaTree[];
  readonly compressors: Compressors;
};
type Header = ReturnType<typeof parquetHeader>;

/**
 * Walks the pages of a Parquet file before hyparquet reads them, and throws where it would take a size or a count from
 * damaged bytes: it fills arrays as long as a run says, up to 2^31, and reads on at places that don't exist. Nothing
 * behind the last page that was walked is left to read.
 */
export function checkPages(file: ArrayBuffer, metadata: FileMetaData, compressors: Compressors) {
  const tree = parquetSchema(metadata);
  const rest = { cells: CELLS_MAX, unpacked: UNPACKED_MAX };
  let rows = 0;
  for (const group of metadata.row_groups) {
    const groupRows = bounded(Number(group.num_rows), Number(metadata.num_rows) - rows);
    rows += groupRows;
    for (const { meta_data: of } of group.columns) {
      if (of === undefined) continue; // hyparquet says so itself
      const from = Number(of.dictionary_page_offset || of.data_page_offset);
      const size = bounded(Number(of.total_compressed_size), file.byteLength - from);
      const chunk = new Uint8Array(file, bounded(from, file.byteLength), size);
      const column = { ...of, path: getTreePath(tree, of.path_in_schema), compressors };
      if (groupRows > 0) of.total_compressed_size = BigInt(walk(chunk, groupRows, column, rest));
    }
  }
  if (rows !== Number(metadata.num_rows)) throw new RangeError("its groups lack rows");
}

/** Bytes up to which the pages of a column hold its rows. */
function walk(
  chunk: Uint8Array,
  rows: number,
  column: Column,
  rest: { cells: number; unpacked: number },
): number {
  const most = isFlatColumn(column.path) ? rows : Infinity; // a row may have many values of a list
  let [at, values] = [0, 0];
  while (at < chunk.length - 1 && values < most) {
    const reader = readerOf(chunk.subarray(at, at + HEADER_MAX));
    const header = parquetHeader(reader);
    const from = at + reader.offset;
    at = from + bounded(header.compressed_page_size, chunk.length - from);
    rest.unpacked -= bounded(header.uncompressed_page_size, Infinity);
    if (rest.unpacked < 0) throw new RangeError("its pages unpack to more than 512 MiB");
    const count = checkPage(header, chunk.subarray(from, at), column, rest.cells);
    values += count;
    rest.cells -= count;
  }
  if (most === rows && values !== rows)
    throw new RangeError("a column has not a value for each row");
  return at;
}

/** Number of values of a page, none for a dictionary. */
function checkPage(header: Header, bytes: Uint8Array, column: Column, most: number): number {
  const size = header.uncompressed_page_size;
  const { dictionary_page_header: dictionary, data_page_header: v1 } = header;
  if (header.type === "DICTIONARY_PAGE" && dictionary !== undefined) {
    bounded(dictionary.num_values, 8 * size); // a value has at least one bit
    return 0;
  }
  if (header.type === "DATA_PAGE_V2") return checkPageV2(header, bytes, column, most);
  if (header.type !== "DATA_PAGE" || v1 === undefined) throw new RangeError("no header");
  const count = bounded(v1.num_values, most);
  const reader = readerOf(decompressPage(bytes, size, column.codec, column.compressors));
  const [repetition, definition] = levelsOf(column.path);
  if (repetition > 0) levels(reader, repetition, count);
  const nulls = definition > 0 ? nullsOf(levels(reader, definition, count), definition) : 0;
  checkValues(reader, v1.encoding, column.type, count - nulls);
  return count;
}

function checkPageV2(header: Header, bytes: Uint8Array, column: Column, most: number): number {
  const v2 = header.data_page_header_v2;
  if (v2 === undefined) throw new RangeError("no header");
  const count = bounded(v2.num_values, most);
  const nulls = bounded(v2.num_nulls, count);
  const repetitionSize = bounded(v2.repetition_levels_byte_length, bytes.length);
  const definitionSize = bounded(v2.definition_levels_byte_length, bytes.length - repetitionSize);
  const [repetition, definition] = levelsOf(column.path);
  const reader = readerOf(bytes);
  if (repetition > 0) checkRuns(reader, widthOf(repetition), count);
  reader.offset = repetitionSize;
  if (definition > 0) checkRuns(reader, widthOf(definition), count);
  const from = repetitionSize + (definition > 0 ? definitionSize : 0);
  const size = header.uncompressed_page_size - repetitionSize - definitionSize;
  const values = bytes.subarray(from);
  const page =
    v2.is_compressed === false
      ? values
      : decompressPage(values, size, column.codec, column.compressors);
  const isBoolean = v2.encoding === "RLE";
  checkValues(readerOf(page), v2.encoding, isBoolean ? "BOOLEAN" : column.type, count - nulls);
  return count;
}

function levelsOf(path: SchemaTree[]): readonly [repetition: number, definition: number] {
  return [getMaxRepetitionLevel(path), getMaxDefinitionLevel(path)];
}

const widthOf = (level: number) => 32 - Math.clz32(level);

/** Levels of a page of the first version, which have their length before them. */
function levels(reader: Reader, level: number, count: number): DecodedArray {
  const { view, offset } = reader;
  checkRuns({ view, offset: offset + 4 }, widthOf(level), count);
  const found = Array.from<number>({ length: count });
  readRleBitPackedHybrid(reader, widthOf(level), found);
  return found;
}

/** As hyparquet counts them, so that both expect as many values. */
function nullsOf(found: DecodedArray, level: number): number {
  let nulls = found.length;
  for (const each of found) if (each === level) nulls--;
  return nulls;
}

function checkValues(reader: Reader, encoding: string, type: string, count: number): void {
  const { view } = reader;
  if (encoding === "DELTA_BYTE_ARRAY") checkPrefixes(reader, count);
  if (encoding.startsWith("DELTA_")) {
    checkDelta(reader, count);
  } else if (encoding === "RLE" && type === "BOOLEAN") {
    reader.offset += 4; // their length, which is not needed
    checkRuns(reader, 1, count);
  } else if (encoding === "RLE" || encoding.endsWith("_DICTIONARY")) {
    const width = view.getUint8(reader.offset++);
    if (width > 0 || view.byteLength > 1) checkRuns(reader, width, count);
  }
}

/** Numbers of bytes that texts share with the one before, which are copied for each. */
function checkPrefixes(reader: Reader, count: number): void {
  const again = { ...reader };
  checkDelta(reader, count);
  const prefixes = new Int32Array(count);
  deltaBinaryUnpack(again, count, prefixes);
  const most = reader.view.byteLength;
  bounded(
    prefixes.reduce((sum, prefix) => sum + bounded(prefix, most), 0),
    UNPACKED_MAX,
  );
}
