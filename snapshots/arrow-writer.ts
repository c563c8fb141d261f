import {
  AsyncByteQueue,
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
import type { ColumnData, ConstantTexts, Table, TableBlock, TableColumn } from "./tables/table.ts";
import { checkBlock } from "./tables/table.ts";

/**
 * Writes uncompressed Arrow IPC files. Each block is one record batch, so a coin's column is one contiguous piece of
 * memory that readers use in place. "No value" is NaN in a column of doubles (Float64 without a validity bitmap),
 * null elsewhere. A text that is the same in every row of a block is dictionary-encoded. Field and schema metadata
 * describe the columns.
 *
 * The file comes in pieces. The columns are pieces as they are; nothing copies them.
 */
export class ArrowEncoder {
  readonly #table: Table;
  readonly #fields: readonly Field[];
  readonly #encoders: readonly Encoder[];
  readonly #schema: Schema;
  readonly #writer = new RecordBatchFileWriter();
  readonly #pieces = new Pieces();

  /** `texts`: see `TableStream`. */
  constructor(table: Table, texts: ConstantTexts) {
    this.#table = table;
    this.#encoders = table.columns.map((column, index) => encoderOf(column, index, texts));
    this.#fields = table.columns.map((column, index) => {
      const about = new Map([
        ["description", column.description],
        ["unit", column.unit],
      ]);
      const { type } = this.#encoders[index]!; // one per column
      return new Field(column.name, type, column.type !== "double", about);
    });
    const about = new Map([
      ["table", table.name],
      ["description", table.description],
    ]);
    this.#schema = new Schema([...this.#fields], about);
    this.#writer.reset(this.#pieces, this.#schema);
  }

  /** The next pieces of the file. An empty block has no batch. */
  encode(block: TableBlock): Uint8Array[] {
    checkBlock(this.#table, block);
    if (block.rows === 0) return [];
    const children = this.#table.columns.map((column, index) =>
      this.#encoders[index]!.encode(block.columns[column.name]!, block.rows),
    );
    const type = new Struct([...this.#fields]);
    const data = makeData({ type, length: block.rows, nullCount: 0, children });
    this.#writer.write(new RecordBatch(this.#schema, data));
    return this.#pieces.take();
  }

  /** The last pieces of the file. */
  end(): Uint8Array[] {
    this.#writer.finish();
    return this.#pieces.take();
  }
}

/** Collects the pieces that the library writes until they are taken. */
class Pieces extends AsyncByteQueue {
  #waiting: Uint8Array[] = [];

  override write(piece: Uint8Array): void {
    if (piece.byteLength > 0) this.#waiting.push(piece);
  }

  take(): Uint8Array[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

interface Encoder {
  readonly type: DataType;
  encode(data: ColumnData, rows: number): Data;
}

function encoderOf({ name, type }: TableColumn, index: number, texts: ConstantTexts): Encoder {
  if (type === "text") {
    const constant = texts[name];
    return constant === undefined
      ? plainEncoder(new Utf8())
      : constantTextEncoder(constant, { name, id: index });
  }
  if (type === "boolean") return { type: new Bool(), encode: encodeBooleans };
  if (type === "double") return plainEncoder(new Float64());
  return plainEncoder(type === "date" ? new DateDay() : new Int32());
}

/** A dictionary of all texts of the column; every block refers to one entry. */
function constantTextEncoder(
  texts: readonly string[],
  { name, id }: { name: string; id: number },
): Encoder {
  const places = new Map(texts.map((text, index) => [text, index]));
  const dictionary = vectorFromArray(texts, new Utf8());
  const type = new Dictionary(new Utf8(), new Int32(), id, false);
  return {
    type,
    encode(data, rows) {
      const index = typeof data === "string" ? places.get(data) : undefined;
      if (index === undefined)
        throw new Error(`column "${name}" has a text that was not announced`);
      const indices = new Int32Array(rows).fill(index);
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

/** Columns of small tables, with values and nulls one by one. */
function encodeList(data: ColumnData, type: Utf8 | Float64 | DateDay | Int32, rows: number): Data {
  const values =
    typeof data === "string" ? Array.from({ length: rows }, () => data) : Array.from(data);
  if (type instanceof Utf8) return vectorFromArray(values, type).data[0]!;
  if (type instanceof Float64) {
    const numbers = Float64Array.from(values, (value) => (value === null ? NaN : Number(value)));
    return makeData({ type, length: rows, nullCount: 0, data: numbers });
  }
  const numbers = Int32Array.from(values, (value) => Number(value ?? 0));
  return makeData({ type: type as Int32, length: rows, data: numbers, ...validityOf(values) });
}

function encodeBooleans(data: ColumnData, rows: number): Data {
  const values = data as ArrayLike<number | boolean | null>;
  const bits = Uint8Array.from(values, Number);
  const type = new Bool();
  return makeData({ type, length: rows, data: packBits(bits), ...validityOf(values) });
}

/** The bitmap of the values that are not null; none when all are present. */
function validityOf(values: ArrayLike<unknown>): { nullCount: number; nullBitmap?: Uint8Array } {
  const present = Uint8Array.from(values, (value) => (value === null ? 0 : 1));
  const nullCount = present.reduce((nulls, bit) => nulls + 1 - bit, 0);
  return nullCount === 0 ? { nullCount } : { nullCount, nullBitmap: packBits(present) };
}

/** Eight booleans per byte, the first in the lowest bit. */
function packBits(bits: Uint8Array): Uint8Array {
  const packed = new Uint8Array(Math.ceil(bits.length / 8));
  for (let row = 0; row < bits.length; row++) packed[row >> 3]! |= bits[row]! << (row & 7);
  return packed;
}
