import {
  CompressionType,
  compressionRegistry,
  DataType,
  RecordBatchFileReader,
  RecordBatchReader,
  Table as ArrowTable,
  Visitor,
  type Vector,
} from "apache-arrow";
import { ByteBuffer } from "flatbuffers";
import { checkCells, columnTable, type NamedColumn } from "./column-table.ts";
import type { Table } from "./csv.ts";
import { FileRefused } from "./export.ts";
import { unpackLz4Frame } from "./lz4-frame.ts";

const UNPACKED_MAX = 200 * 1024 * 1024;

/** What the library's loader of a batch has beside the methods of a visitor. */
interface Batch {
  readonly buffers: readonly unknown[];
  readonly variadicBufferCounts: readonly number[];
}

/** An Arrow IPC file or stream, also called feather, as a table. Buffers may be packed with LZ4. */
export function readArrow(bytes: Uint8Array): Table {
  compressionRegistry.set(CompressionType.LZ4_FRAME, {
    decode: (data) => unpackLz4Frame(data, UNPACKED_MAX),
  });
  boundLists();
  boundBuffers();
  try {
    const table = tableOf(bytes);
    checkCells(table.numRows * table.numCols, bytes);
    const columns = table.schema.fields.map((field, place): NamedColumn => {
      return { name: field.name, cells: cellsOf(table.getChildAt(place)!, table.numRows) }; // a column for each field
    });
    return columnTable(columns, table.schema.metadata.get("pandas"));
  } catch (error) {
    if (error instanceof FileRefused) throw error;
    const isPacked = error instanceof Error && error.message.includes("codec not found");
    const why = isPacked
      ? 'it is packed with Zstandard: write it with compression="lz4"'
      : "it is damaged";
    throw new FileRefused(`the Arrow file can't be read: ${why}`);
  }
}

/**
 * `tableFromIPC` looks at the same place of a file again and again where the footer leads to something other than a
 * batch, so each batch is read by its number.
 */
function tableOf(bytes: Uint8Array): ArrowTable {
  const reader = RecordBatchReader.from(bytes).open();
  if (!(reader instanceof RecordBatchFileReader)) return new ArrowTable(reader.readAll());
  const batches = Array.from({ length: reader.numRecordBatches }, (_, place) => {
    const batch = reader.readRecordBatch(place);
    if (batch === null) throw new RangeError("no batch where the footer has one");
    return batch;
  });
  return new ArrowTable(reader.schema, batches);
}

/**
 * Lets no list be longer than the bytes that hold it. The library takes each length from the file: one damaged byte
 * makes it read billions of entries that aren't there, until memory is gone.
 */
function boundLists(): void {
  Object.defineProperty(ByteBuffer.prototype, "__vector_len", {
    configurable: true,
    writable: true,
    value(this: ByteBuffer, offset: number): number {
      const length = this.readInt32(offset + this.readInt32(offset));
      if (length >= 0 && length <= this.capacity()) return length;
      throw new RangeError("a list is longer than the file");
    },
  });
}

/** Lets no column have more buffers than its batch: the library takes their number from the file, too. */
function boundBuffers(): void {
  Object.defineProperty(Visitor.prototype, "visitMany", {
    configurable: true,
    writable: true,
    value(this: Visitor & Partial<Batch>, columns: unknown[], ...beside: unknown[][]): unknown[] {
      const { variadicBufferCounts: counts = [], buffers = [] } = this;
      if (counts.some((count) => count > buffers.length))
        throw new RangeError("more buffers than the batch has");
      return columns.map((column, place) =>
        this.visit(column, ...beside.map((each) => each[place])),
      );
    },
  });
}

/** A decimal of 32-bit words, the lowest first, as a text; null for none. */
function decimalText(words: Uint32Array | null, scale: number, bits: number): string | null {
  if (words === null) return null;
  const whole = words.reduceRight((sum, word) => (sum << 32n) | BigInt(word), 0n);
  const value = BigInt.asIntN(bits, whole);
  return `${value}e${-scale}`;
}

function cellsOf(column: Vector, length: number): unknown[] {
  // Lists are of no use in a panel, and a damaged one is as long as its file says.
  const type = DataType.isDictionary(column.type) ? column.type.dictionary : column.type;
  if (type.children?.length > 0) return Array.from({ length }, () => "(...)");
  if (DataType.isDecimal(column.type)) {
    const { scale, bitWidth } = column.type;
    return Array.from({ length }, (_, row) =>
      decimalText(column.get(row) as Uint32Array | null, scale, bitWidth),
    );
  }
  const isTime = DataType.isTimestamp(column.type) || DataType.isDate(column.type);
  return Array.from({ length }, (_, row) => {
    const value = column.get(row) as unknown;
    return isTime && typeof value === "number" ? new Date(value) : value;
  });
}
