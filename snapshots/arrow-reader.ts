import { Footer } from "apache-arrow/ipc/metadata/file";
import type { FileBlock } from "apache-arrow/ipc/metadata/file";
import { Message } from "apache-arrow/ipc/metadata/message";
import type { RecordBatch } from "apache-arrow/ipc/metadata/message";
import { Dictionary } from "apache-arrow/type";
import type { ColumnData, Table, TableBlock, TableColumn } from "./tables/table.ts";

/** `ARROW1` behind the footer's length, four bytes. */
const MAGIC = "ARROW1";
const TAIL_BYTES = MAGIC.length + 4;
/** A message begins with a marker and the length of its metadata, four bytes each. */
const MESSAGE_PREFIX_BYTES = 8;

/** Where a run of memory lies in its batch's body. */
interface Region {
  readonly offset: number;
  readonly length: number;
}

/** One batch as the file describes it: rows, nulls of each column, and the columns' buffers one behind the other. */
interface Batch {
  readonly rows: number;
  readonly nullCounts: readonly number[];
  readonly buffers: readonly Region[];
  /** Begins at a multiple of eight bytes, so that doubles can be read where they are. */
  readonly body: Uint8Array;
}

/**
 * The blocks of an Arrow file that `encodeArrow` wrote. Columns of doubles, dates and integers are views into `bytes`;
 * booleans are unpacked; columns that hold a null and texts that differ by row become plain arrays.
 *
 * It reads the file's own description of its buffers and nothing else. The library's table reader makes several objects
 * for each of thousands of columns, a tenth of a second in which a server answers nobody.
 * Layout: Apache Arrow, "Arrow Columnar Format", sections "IPC File Format" and "Buffer Listing for Each Layout".
 */
export function decodeArrow(table: Table, bytes: Uint8Array): TableBlock[] {
  const footer = footerOf(bytes);
  const fields = footer.schema.fields;
  if (!hasColumns(table, bytes)) {
    const names = fields.map(({ name }) => name);
    throw new Error(`the file of table "${table.name}" has other columns: ${names.join(", ")}`);
  }
  const texts = new Map<number, string[]>();
  for (const block of footer.dictionaryBatches()) {
    const message = messageAt(bytes, block);
    if (!message.isDictionaryBatch()) throw new Error("a dictionary is expected");
    const { id, data } = message.header();
    texts.set(id, textsOf(batchOf(data, bodyAt(bytes, block)), 0));
  }
  const dictionaries = fields.map(({ type }) =>
    type instanceof Dictionary ? texts.get(type.id) : undefined,
  );
  return Array.from(footer.recordBatches(), (block) => {
    const message = messageAt(bytes, block);
    if (!message.isRecordBatch()) throw new Error("a record batch is expected");
    const batch = batchOf(message.header(), bodyAt(bytes, block));
    return { rows: batch.rows, columns: columnsOf(table, batch, dictionaries) };
  });
}

/** Whether an Arrow file has just the columns of a table, in their order. */
export function hasColumns(table: Table, bytes: Uint8Array): boolean {
  const names = footerOf(bytes).schema.fields.map(({ name }) => name);
  return names.join() === table.columns.map(({ name }) => name).join();
}

function footerOf(bytes: Uint8Array): Footer {
  const end = bytes.length - TAIL_BYTES;
  const magic = String.fromCharCode(...bytes.subarray(bytes.length - MAGIC.length));
  if (end < 0 || magic !== MAGIC) throw new Error("this is no Arrow file");
  const length = new DataView(bytes.buffer, bytes.byteOffset + end).getInt32(0, true);
  return Footer.decode(bytes.subarray(end - length, end));
}

function messageAt(bytes: Uint8Array, { offset, metaDataLength }: FileBlock): Message {
  return Message.decode(bytes.subarray(offset + MESSAGE_PREFIX_BYTES, offset + metaDataLength));
}

function bodyAt(bytes: Uint8Array, { offset, metaDataLength, bodyLength }: FileBlock): Uint8Array {
  const start = offset + metaDataLength;
  return bytes.subarray(start, start + bodyLength);
}

function batchOf(header: RecordBatch, body: Uint8Array): Batch {
  if (header.compression !== null) throw new Error("the file is compressed");
  const nullCounts = header.nodes.map(({ nullCount }) => nullCount);
  return { rows: header.length, nullCounts, buffers: header.buffers, body };
}

function columnsOf(
  table: Table,
  batch: Batch,
  dictionaries: readonly (readonly string[] | undefined)[],
): Record<string, ColumnData> {
  const columns: Record<string, ColumnData> = {};
  let buffer = 0;
  for (const [index, column] of table.columns.entries()) {
    const dictionary = dictionaries[index];
    const isPlainText = column.type === "text" && dictionary === undefined;
    columns[column.name] =
      dictionary === undefined
        ? columnOf(column, batch, { buffer, nulls: batch.nullCounts[index] ?? 0 })
        : (dictionary[int32s(batch, buffer + 1)[0] ?? 0] ?? "");
    buffer += isPlainText ? 3 : 2; // validity and values, and offsets between them for texts
  }
  return columns;
}

function columnOf(
  { type }: TableColumn,
  batch: Batch,
  { buffer, nulls }: { buffer: number; nulls: number },
): ColumnData {
  if (type === "text") return textsOf(batch, buffer);
  if (type === "boolean") return unpackBits(regionOf(batch, buffer + 1), batch.rows);
  if (type === "double") {
    const { buffer: memory, byteOffset } = regionOf(batch, buffer + 1);
    return new Float64Array(memory, byteOffset, batch.rows);
  }
  const values = int32s(batch, buffer + 1);
  if (nulls === 0) return values;
  const present = unpackBits(regionOf(batch, buffer), batch.rows);
  return Array.from(values, (value, row) => (present[row] === 1 ? value : null));
}

function regionOf({ body, buffers }: Batch, index: number): Uint8Array {
  const region = buffers[index];
  if (region === undefined) throw new Error("the file has too few buffers");
  return body.subarray(region.offset, region.offset + region.length);
}

function int32s(batch: Batch, buffer: number): Int32Array {
  const { buffer: memory, byteOffset } = regionOf(batch, buffer);
  return new Int32Array(memory, byteOffset, batch.rows);
}

/** The texts of a column from its offsets and its bytes. */
function textsOf(batch: Batch, buffer: number): string[] {
  const { buffer: memory, byteOffset } = regionOf(batch, buffer + 1);
  const offsets = new Int32Array(memory, byteOffset, batch.rows + 1);
  const utf8 = new TextDecoder();
  const bytes = regionOf(batch, buffer + 2);
  return Array.from({ length: batch.rows }, (_, row) =>
    utf8.decode(bytes.slice(offsets[row], offsets[row + 1])),
  );
}

/** Eight booleans a byte, the first in the lowest bit. */
function unpackBits(packed: Uint8Array, rows: number): Uint8Array {
  const bits = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) bits[row] = (packed[row >> 3]! >> (row & 7)) & 1;
  return bits;
}
