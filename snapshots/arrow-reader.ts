import { DictionaryBatch } from "apache-arrow/fb/dictionary-batch";
import { Footer } from "apache-arrow/fb/footer";
import { Message } from "apache-arrow/fb/message";
import { RecordBatch } from "apache-arrow/fb/record-batch";
import { ByteBuffer } from "flatbuffers";
import type { ColumnData, Table, TableBlock, TableColumn } from "./tables/table.ts";

/** The file ends with the footer's length in four bytes and then `ARROW1`. */
const MAGIC = "ARROW1";
const TAIL_BYTES = MAGIC.length + 4;
/** A message begins with a marker and the length of its metadata, each of four bytes. */
const MESSAGE_PREFIX_BYTES = 8;

/** A batch of rows: its description, and the buffers of its columns. */
interface Batch {
  readonly rows: number;
  readonly header: RecordBatch;
  /** Begins at a multiple of eight bytes, so doubles can be read in place. */
  readonly body: Uint8Array;
}

/** The texts of a column's dictionary; undefined for a column that holds its own values. */
type Dictionary = readonly string[] | undefined;

/** A block of a file whose columns are located on first use. */
export interface UnreadBlock extends TableBlock {
  /** The single text of a column that is the same in every row, without looking at the other columns. */
  text(column: string): string;
}

/** All blocks of an Arrow file, with their columns located. */
export function decodeArrow(table: Table, bytes: Uint8Array): TableBlock[] {
  return Array.from(arrowBlocks(table, bytes), ({ rows, columns }) => ({ rows, columns }));
}

/**
 * The blocks of an Arrow file that `ArrowEncoder` wrote. Columns of doubles, dates and integers are views into
 * `bytes`. Booleans are unpacked. Columns with nulls, and texts that differ by row, become plain arrays.
 *
 * Blocks are found one by one as they are taken, and a block's columns on first use: locating thousands of columns at
 * once would block a server for a tenth of a second. Of the library, only the accessors of an Arrow file's
 * description are loaded, which read each field in place.
 *
 * Layout: Apache Arrow, "Arrow Columnar Format", sections "IPC File Format" and "Buffer Listing for Each Layout".
 */
export function* arrowBlocks(table: Table, bytes: Uint8Array): Iterable<UnreadBlock> {
  const footer = footerOf(bytes);
  const names = columnNames(footer);
  if (!areOf(table, names)) {
    throw new Error(`the file of table "${table.name}" has other columns: ${names.join(", ")}`);
  }
  const texts = new Map<bigint, string[]>();
  for (let index = 0; index < footer.dictionariesLength(); index++) {
    const { message, body } = messageAt(bytes, footer.dictionaries(index)!);
    const header: DictionaryBatch | null = message.header(new DictionaryBatch());
    texts.set(header!.id(), textsOf(batchOf(header!.data()!, body), 0));
  }
  const dictionaries = names.map((_, index): Dictionary => {
    const encoding = footer.schema()!.fields(index)!.dictionary();
    return encoding === null ? undefined : texts.get(encoding.id());
  });
  for (let index = 0; index < footer.recordBatchesLength(); index++) {
    const { message, body } = messageAt(bytes, footer.recordBatches(index)!);
    yield blockOf(table, batchOf(message.header(new RecordBatch()), body), dictionaries);
  }
}

/** Whether an Arrow file has exactly the columns of a table, in their order. */
export function hasColumns(table: Table, bytes: Uint8Array): boolean {
  return areOf(table, columnNames(footerOf(bytes)));
}

function areOf(table: Table, names: readonly string[]): boolean {
  return names.join() === table.columns.map(({ name }) => name).join();
}

function blockOf(table: Table, batch: Batch, dictionaries: readonly Dictionary[]): UnreadBlock {
  let columns: Readonly<Record<string, ColumnData>> | undefined;
  return {
    rows: batch.rows,
    get columns() {
      return (columns ??= columnsOf(table, batch, dictionaries));
    },
    text(column) {
      let buffer = 0;
      for (const [index, { name, type }] of table.columns.entries()) {
        const dictionary = dictionaries[index];
        if (name === column && dictionary !== undefined) {
          return constantOf(batch, buffer, dictionary);
        }
        buffer += buffersOf(type, dictionary);
      }
      throw new Error(`column "${column}" is not one text`);
    },
  };
}

function footerOf(bytes: Uint8Array): Footer {
  const end = bytes.length - TAIL_BYTES;
  const magic = String.fromCharCode(...bytes.subarray(bytes.length - MAGIC.length));
  if (end < 0 || magic !== MAGIC) throw new Error("this is not an Arrow file");
  const length = new DataView(bytes.buffer, bytes.byteOffset + end).getInt32(0, true);
  // A copy, because names cannot be decoded from shared memory.
  return Footer.getRootAsFooter(new ByteBuffer(bytes.slice(end - length, end)));
}

function columnNames(footer: Footer): string[] {
  const schema = footer.schema();
  const length = schema?.fieldsLength() ?? 0;
  return Array.from({ length }, (_, index) => schema!.fields(index)!.name() ?? "");
}

/** The description of a batch, and its body. */
function messageAt(bytes: Uint8Array, block: NonNullable<ReturnType<Footer["recordBatches"]>>) {
  const start = Number(block.offset());
  const bodyStart = start + block.metaDataLength();
  const description = bytes.subarray(start + MESSAGE_PREFIX_BYTES, bodyStart);
  const message = Message.getRootAsMessage(new ByteBuffer(description));
  return { message, body: bytes.subarray(bodyStart, bodyStart + Number(block.bodyLength())) };
}

function batchOf(header: RecordBatch, body: Uint8Array): Batch {
  if (header.compression() !== null) throw new Error("the file is compressed");
  return { rows: Number(header.length()), header, body };
}

function columnsOf(
  table: Table,
  batch: Batch,
  dictionaries: readonly Dictionary[],
): Record<string, ColumnData> {
  const columns: Record<string, ColumnData> = {};
  let buffer = 0;
  for (const [index, column] of table.columns.entries()) {
    const dictionary = dictionaries[index];
    const nulls = Number(batch.header.nodes(index)!.nullCount());
    columns[column.name] =
      dictionary === undefined
        ? columnOf(column, batch, { buffer, nulls })
        : constantOf(batch, buffer, dictionary);
    buffer += buffersOf(column.type, dictionary);
  }
  return columns;
}

/** Number of buffers of a column: validity and values, with offsets in between for texts without a dictionary. */
function buffersOf(type: TableColumn["type"], dictionary: Dictionary): number {
  return type === "text" && dictionary === undefined ? 3 : 2;
}

function constantOf(batch: Batch, buffer: number, dictionary: readonly string[]): string {
  return dictionary[int32s(batch, buffer + 1)[0] ?? 0] ?? "";
}

function columnOf(
  { type }: TableColumn,
  batch: Batch,
  { buffer, nulls }: { buffer: number; nulls: number },
): ColumnData {
  if (type === "text") return textsOf(batch, buffer);
  if (type === "double") {
    const { buffer: memory, byteOffset } = regionOf(batch, buffer + 1);
    return new Float64Array(memory, byteOffset, batch.rows);
  }
  const isBoolean = type === "boolean";
  const values = isBoolean
    ? unpackBits(regionOf(batch, buffer + 1), batch.rows)
    : int32s(batch, buffer + 1);
  if (nulls === 0) return values;
  const present = unpackBits(regionOf(batch, buffer), batch.rows);
  return Array.from(values, (value, row) => {
    if (present[row] === 0) return null;
    return isBoolean ? value === 1 : value;
  });
}

function regionOf({ header, body }: Batch, index: number): Uint8Array {
  const buffer = header.buffers(index)!;
  const offset = Number(buffer.offset());
  return body.subarray(offset, offset + Number(buffer.length()));
}

function int32s(batch: Batch, buffer: number): Int32Array {
  const { buffer: memory, byteOffset } = regionOf(batch, buffer);
  return new Int32Array(memory, byteOffset, batch.rows);
}

/** The texts of a column, cut out of its bytes by its offsets. */
function textsOf(batch: Batch, buffer: number): string[] {
  const { buffer: memory, byteOffset } = regionOf(batch, buffer + 1);
  const offsets = new Int32Array(memory, byteOffset, batch.rows + 1);
  // One copy for all texts, because shared memory cannot be decoded in place.
  const bytes = Buffer.from(regionOf(batch, buffer + 2));
  return Array.from({ length: batch.rows }, (_, row) =>
    bytes.toString("utf8", offsets[row], offsets[row + 1]),
  );
}

/** Eight booleans per byte, the first in the lowest bit. */
function unpackBits(packed: Uint8Array, rows: number): Uint8Array {
  const bits = new Uint8Array(rows);
  for (let row = 0; row < rows; row++) bits[row] = (packed[row >> 3]! >> (row & 7)) & 1;
  return bits;
}
