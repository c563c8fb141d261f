import { FlatTable, type FlatStructures } from "./flat-buffer.ts";
import type { ColumnData, Table, TableBlock, TableColumn } from "./tables/table.ts";

/** The file ends with the footer's length in four bytes and then `ARROW1`. */
const MAGIC = "ARROW1";
const TAIL_BYTES = MAGIC.length + 4;
/** A message begins with a marker and the length of its metadata, each of four bytes. */
const MESSAGE_PREFIX_BYTES = 8;

/**
 * Numbers of fields and of union members, and offsets within structures, as in Apache Arrow's `File.fbs`,
 * `Message.fbs` and `Schema.fbs`.
 */
const FOOTER = { schema: 1, dictionaries: 2, recordBatches: 3 };
const SCHEMA = { fields: 1 };
const FIELD = { name: 0, dictionary: 4 };
const DICTIONARY_ENCODING = { id: 0 };
const MESSAGE = { headerKind: 1, header: 2 };
const DICTIONARY_BATCH = { id: 0, data: 1 };
const RECORD_BATCH = { length: 0, nodes: 1, buffers: 2, compression: 3 };
const KIND = { dictionaryBatch: 2, recordBatch: 3 };
const BLOCK = { offset: 0, metadataLength: 8, bodyLength: 16, sizeBytes: 24 };
const NODE = { nullCount: 8, sizeBytes: 16 };
const BUFFER = { offset: 0, length: 8, sizeBytes: 16 };

/** A batch of rows, as the file describes it. */
interface Batch {
  readonly rows: number;
  readonly nodes: FlatStructures;
  /** Offset and length of the columns' buffers, one after the other. */
  readonly buffers: FlatStructures;
  /** Begins at a multiple of eight bytes, so doubles can be read in place. */
  readonly body: Uint8Array;
}

interface FileSchema {
  readonly names: readonly string[];
  /** Dictionary id of each column; undefined for columns that hold their own values. */
  readonly dictionaryIds: readonly (number | undefined)[];
}

/** A block of a file whose columns are located only on request. */
export interface UnreadBlock extends TableBlock {
  /** The single text of a column that is the same in every row, without looking at the other columns. */
  text(column: string): string;
  /** The block with its columns. Every call locates them again. */
  read(): TableBlock;
}

/** `arrowBlocks`, with every block read. */
export function decodeArrow(table: Table, bytes: Uint8Array): TableBlock[] {
  return Array.from(arrowBlocks(table, bytes), (block) => block.read());
}

/**
 * The blocks of an Arrow file that `encodeArrow` wrote. Columns of doubles, dates and integers are views
 * into `bytes`. Booleans are unpacked. Columns with nulls, and texts that differ by row, become plain
 * arrays.
 *
 * It reads only the file's own description of its buffers, block by block as they are taken, and that of a
 * block's columns on first use: to read thousands at once would block a server for a tenth of a second.
 *
 * Layout: Apache Arrow, "Arrow Columnar Format", sections "IPC File Format" and "Buffer Listing for Each
 * Layout".
 */
export function* arrowBlocks(table: Table, bytes: Uint8Array): Iterable<UnreadBlock> {
  const footer = footerOf(bytes);
  const { names, dictionaryIds } = schemaOf(footer);
  if (!areOf(table, names)) {
    throw new Error(`the file of table "${table.name}" has other columns: ${names.join(", ")}`);
  }
  const texts = new Map<number, string[]>();
  for (const { header, body } of messagesOf(bytes, footer, "dictionaries")) {
    const data = header.table(DICTIONARY_BATCH.data);
    if (data === undefined) throw new Error("a dictionary is empty");
    texts.set(header.long(DICTIONARY_BATCH.id), textsOf(batchOf(data, body), 0));
  }
  const dictionaries = dictionaryIds.map((id) => (id === undefined ? undefined : texts.get(id)));
  for (const { header, body } of messagesOf(bytes, footer, "recordBatches")) {
    yield new ArrowBlock(table, batchOf(header, body), dictionaries);
  }
}

/** Whether an Arrow file has exactly the columns of a table, in their order. */
export function hasColumns(table: Table, bytes: Uint8Array): boolean {
  return areOf(table, schemaOf(footerOf(bytes)).names);
}

function areOf(table: Table, names: readonly string[]): boolean {
  return names.join() === table.columns.map(({ name }) => name).join();
}

class ArrowBlock implements UnreadBlock {
  readonly rows: number;
  readonly #table: Table;
  readonly #batch: Batch;
  readonly #dictionaries: readonly (readonly string[] | undefined)[];
  #columns: Readonly<Record<string, ColumnData>> | undefined = undefined;

  constructor(
    table: Table,
    batch: Batch,
    dictionaries: readonly (readonly string[] | undefined)[],
  ) {
    this.rows = batch.rows;
    this.#table = table;
    this.#batch = batch;
    this.#dictionaries = dictionaries;
  }

  get columns(): Readonly<Record<string, ColumnData>> {
    return (this.#columns ??= this.read().columns);
  }

  read(): TableBlock {
    return { rows: this.rows, columns: columnsOf(this.#table, this.#batch, this.#dictionaries) };
  }

  text(column: string): string {
    let buffer = 0;
    for (const [index, { name, type }] of this.#table.columns.entries()) {
      const dictionary = this.#dictionaries[index];
      if (name === column && dictionary !== undefined) {
        return constantOf(this.#batch, buffer, dictionary);
      }
      buffer += buffersOf(type, dictionary);
    }
    throw new Error(`column "${column}" is not one text`);
  }
}

function footerOf(bytes: Uint8Array): FlatTable {
  const end = bytes.length - TAIL_BYTES;
  const magic = String.fromCharCode(...bytes.subarray(bytes.length - MAGIC.length));
  if (end < 0 || magic !== MAGIC) throw new Error("this is no Arrow file");
  const length = new DataView(bytes.buffer, bytes.byteOffset + end).getInt32(0, true);
  return FlatTable.rootOf(bytes.subarray(end - length, end));
}

function schemaOf(footer: FlatTable): FileSchema {
  const fields = footer.table(FOOTER.schema)?.tables(SCHEMA.fields) ?? [];
  return {
    names: fields.map((field) => field.text(FIELD.name)),
    dictionaryIds: fields.map((field) =>
      field.table(FIELD.dictionary)?.long(DICTIONARY_ENCODING.id),
    ),
  };
}

/** The descriptions of the file's batches, and their bodies. */
function* messagesOf(
  bytes: Uint8Array,
  footer: FlatTable,
  which: "dictionaries" | "recordBatches",
): Iterable<{ readonly header: FlatTable; readonly body: Uint8Array }> {
  const blocks = footer.structures(FOOTER[which], BLOCK.sizeBytes);
  const kind = which === "dictionaries" ? KIND.dictionaryBatch : KIND.recordBatch;
  for (let index = 0; index < blocks.length; index++) {
    const start = blocks.long(index, BLOCK.offset);
    const bodyStart = start + blocks.int(index, BLOCK.metadataLength);
    const message = FlatTable.rootOf(bytes.subarray(start + MESSAGE_PREFIX_BYTES, bodyStart));
    const header = message.table(MESSAGE.header);
    if (header === undefined || message.byte(MESSAGE.headerKind) !== kind) {
      throw new Error(`the file has another message among its ${which}`);
    }
    const bodyEnd = bodyStart + blocks.long(index, BLOCK.bodyLength);
    yield { header, body: bytes.subarray(bodyStart, bodyEnd) };
  }
}

function batchOf(header: FlatTable, body: Uint8Array): Batch {
  if (header.table(RECORD_BATCH.compression) !== undefined) {
    throw new Error("the file is compressed");
  }
  return {
    rows: header.long(RECORD_BATCH.length),
    nodes: header.structures(RECORD_BATCH.nodes, NODE.sizeBytes),
    buffers: header.structures(RECORD_BATCH.buffers, BUFFER.sizeBytes),
    body,
  };
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
    const nulls = batch.nodes.long(index, NODE.nullCount);
    columns[column.name] =
      dictionary === undefined
        ? columnOf(column, batch, { buffer, nulls })
        : constantOf(batch, buffer, dictionary);
    buffer += buffersOf(column.type, dictionary);
  }
  return columns;
}

/**
 * Number of buffers of a column: validity and values, with offsets in between for texts without a
 * dictionary.
 */
function buffersOf(type: TableColumn["type"], dictionary: readonly string[] | undefined): number {
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

function regionOf({ body, buffers }: Batch, index: number): Uint8Array {
  const offset = buffers.long(index, BUFFER.offset);
  return body.subarray(offset, offset + buffers.long(index, BUFFER.length));
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
