import {
  Bool,
  DateDay,
  Dictionary,
  Field,
  Float64,
  Int32,
  RecordBatch,
  RecordBatchFileWriter,
  Schema,
  Struct,
  Utf8,
  makeData,
  vectorFromArray,
} from "apache-arrow";
import type { Data, DataType } from "apache-arrow";
import type { ColumnData, Table, TableBlock, TableColumn } from "./tables/table.ts";
import { checkBlock } from "./tables/table.ts";

/**
 * Arrow IPC files, uncompressed: one record batch for each block, so that a coin's column is one run of memory that
 * is used where it lies. "No value" is NaN in a column of doubles (Float64 without a validity bitmap), null elsewhere.
 * A text that is the same in every row of a block is dictionary-encoded. Field and schema metadata describe the columns.
 */
export function encodeArrow(table: Table, blocks: readonly TableBlock[]): Uint8Array {
  return encoded(table, blocks).toUint8Array(true);
}

/**
 * The same bytes in the pieces they are made of, for a file: the columns themselves, which are then never copied into one
 * array of the whole table's size.
 */
export async function* arrowPieces(
  table: Table,
  blocks: readonly TableBlock[],
): AsyncGenerator<Uint8Array> {
  yield* encoded(table, blocks);
}

function encoded(table: Table, blocks: readonly TableBlock[]): RecordBatchFileWriter {
  const filled = blocks.filter((block) => block.rows > 0); // an empty block has no batch
  for (const block of filled) checkBlock(table, block);
  const encoders = table.columns.map((column, index) => encoderOf(column, index, filled));
  const fields = table.columns.map((column, index) => {
    const about = new Map([
      ["description", column.description],
      ["unit", column.unit],
    ]);
    return new Field(column.name, encoders[index]!.type, column.type !== "double", about);
  });
  const about = new Map([
    ["table", table.name],
    ["description", table.description],
  ]);
  const schema = new Schema(fields, about);
  const writer = new RecordBatchFileWriter();
  writer.reset(undefined, schema);
  for (const block of filled) {
    const children = table.columns.map((column, index) =>
      encoders[index]!.encode(block.columns[column.name]!, block.rows),
    );
    const type = new Struct(fields);
    writer.write(
      new RecordBatch(schema, makeData({ type, length: block.rows, nullCount: 0, children })),
    );
  }
  writer.finish();
  return writer;
}

interface Encoder {
  readonly type: DataType;
  encode(data: ColumnData, rows: number): Data;
}

function encoderOf(
  { name, type }: TableColumn,
  index: number,
  blocks: readonly TableBlock[],
): Encoder {
  if (type === "text") {
    const texts = blocks.map((block) => block.columns[name]!);
    return texts.every((text) => typeof text === "string")
      ? constantTextEncoder(texts, index)
      : plainEncoder(new Utf8());
  }
  if (type === "boolean") return { type: new Bool(), encode: encodeBooleans };
  if (type === "double") return plainEncoder(new Float64());
  return plainEncoder(type === "date" ? new DateDay() : new Int32());
}

/** A dictionary of all texts of the column; every block points at one entry of it. */
function constantTextEncoder(texts: readonly string[], id: number): Encoder {
  const distinct = [...new Set(texts)];
  const dictionary = vectorFromArray(distinct, new Utf8());
  const type = new Dictionary(new Utf8(), new Int32(), id, false);
  return {
    type,
    encode(data, rows) {
      const indices = new Int32Array(rows).fill(distinct.indexOf(data as string));
      return makeData({ type, length: rows, nullCount: 0, data: indices, dictionary });
    },
  };
}

function plainEncoder(type: Utf8 | Float64 | DateDay | Int32): Encoder {
  return {
    type,
    encode(data, rows) {
      if (data instanceof Float64Array && type instanceof Float64) {
        return makeData({ type, length: rows, nullCount: 0, data });
      }
      if (data instanceof Int32Array && !(type instanceof Utf8 || type instanceof Float64)) {
        return makeData({ type: type as Int32, length: rows, nullCount: 0, data });
      }
      return encodeList(data, type, rows);
    },
  };
}

/** Columns of small tables: values and nulls one by one. */
function encodeList(data: ColumnData, type: Utf8 | Float64 | DateDay | Int32, rows: number): Data {
  const values =
    typeof data === "string" ? Array.from({ length: rows }, () => data) : Array.from(data);
  if (type instanceof Utf8) return vectorFromArray(values, type).data[0]!;
  if (type instanceof Float64) {
    const numbers = Float64Array.from(values, (value) => (value === null ? NaN : Number(value)));
    return makeData({ type, length: rows, nullCount: 0, data: numbers });
  }
  const numbers = Int32Array.from(values, (value) => Number(value ?? 0));
  const present = Uint8Array.from(values, (value) => (value === null ? 0 : 1));
  const nullCount = present.reduce((nulls, bit) => nulls + 1 - bit, 0);
  const validity = nullCount === 0 ? {} : { nullBitmap: packBits(present) };
  return makeData({ type: type as Int32, length: rows, nullCount, data: numbers, ...validity });
}

function encodeBooleans(data: ColumnData, rows: number): Data {
  const bits = Uint8Array.from(data as Iterable<number | boolean>, Number);
  return makeData({ type: new Bool(), length: rows, nullCount: 0, data: packBits(bits) });
}

/** Eight booleans a byte, the first in the lowest bit. */
function packBits(bits: Uint8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(bits.length / 8));
  for (let row = 0; row < bits.length; row++) packed[row >> 3]! |= bits[row]! << (row & 7);
  return packed;
}
