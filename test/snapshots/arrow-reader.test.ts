import { tableFromIPC } from "apache-arrow";
import { assert, float64Array, property, string } from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeArrow } from "../../snapshots/arrow-reader.ts";
import { ArrowEncoder } from "../../snapshots/arrow-writer.ts";
import { firstDifference } from "../support/engine-bits.ts";
import type { Table, TableBlock } from "../../snapshots/tables/table.ts";
import { doubles, integers, streamOf } from "../../snapshots/tables/table.ts";

const column = (name: string, type: Table["columns"][number]["type"]) => ({
  name,
  type,
  unit: name === "price" ? "usd" : "",
  description: `the ${name}`,
});

const TABLE: Table = {
  name: "things",
  description: "Things of all types.",
  key: ["coin", "day"],
  arrow: true,
  columns: [
    column("coin", "text"),
    column("day", "date"),
    column("note", "text"),
    column("price", "double"),
    column("count", "integer"),
    column("flag", "boolean"),
    column("until", "date"),
  ],
};

function blockOf(coin: string, rows: number): TableBlock {
  const length = { length: rows };
  return {
    rows,
    columns: {
      coin,
      day: Int32Array.from(length, (_, row) => 18_000 + row),
      price: Float64Array.from(length, (_, row) => (row < 3 ? NaN : row / 7)),
      count: Int32Array.from(length, (_, row) => -row),
      flag: Uint8Array.from(length, (_, row) => (row % 3) & 1),
      until: Array.from(length, (_, row) => (row % 2 === 0 ? null : 19_000 + row)),
      note: Array.from(length, (_, row) => `naïve ${coin} ${row} ₿`),
    },
  };
}

/** The bytes of an Arrow file of these blocks. */
function encodeArrow(table: Table, blocks: readonly TableBlock[]): Uint8Array {
  const encoder = new ArrowEncoder(table, streamOf(table, blocks).texts);
  const pieces = blocks.flatMap((block) => encoder.encode(block));
  return new Uint8Array(Buffer.concat([...pieces, ...encoder.end()]));
}

function shared(bytes: Uint8Array): Uint8Array {
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
  memory.set(bytes);
  return memory;
}

describe("decodeArrow", () => {
  test("gives back every block as it was encoded", () => {
    const blocks = [blockOf("btc", 9), blockOf("eth", 1), blockOf("xrp", 4097)];
    expect(decodeArrow(TABLE, encodeArrow(TABLE, blocks))).toEqual(blocks);
  });

  test("gives back booleans of which some are null, as other readers do", () => {
    const flag = [true, null, false, null, true];
    const block = { rows: 5, columns: { ...blockOf("btc", 5).columns, flag } };
    const bytes = encodeArrow(TABLE, [block]);
    expect(decodeArrow(TABLE, bytes)).toEqual([block]);
    expect(tableFromIPC(bytes).getChild("flag")?.toArray()).toEqual(flag);
  });

  test("gives columns of numbers as views into the file's own shared memory", () => {
    const bytes = shared(encodeArrow(TABLE, [blockOf("btc", 9), blockOf("eth", 13)]));
    for (const block of decodeArrow(TABLE, bytes)) {
      for (const view of [
        doubles(block, "price"),
        integers(block, "day"),
        integers(block, "count"),
      ]) {
        expect(view.buffer).toBe(bytes.buffer);
        expect(view.buffer).toBeInstanceOf(SharedArrayBuffer);
        expect(view.length).toBe(block.rows);
      }
    }
  });

  test("keeps every double bit for bit, NaN, infinities and -0 included", () => {
    assert(
      property(
        float64Array({ minLength: 1, maxLength: 50 }),
        string({ unit: "grapheme", maxLength: 8 }),
        (price, coin) => {
          const block = { ...blockOf(coin, price.length) };
          const [got] = decodeArrow(
            TABLE,
            encodeArrow(TABLE, [{ ...block, columns: { ...block.columns, price } }]),
          );
          expect(firstDifference(doubles(got!, "price"), price)).toBe(-1);
          expect(got!.columns["coin"]).toBe(coin);
        },
      ),
      { numRuns: 200 },
    );
  });

  test("leaves out empty blocks and reads a file without any", () => {
    const none = blockOf("none", 0);
    expect(decodeArrow(TABLE, encodeArrow(TABLE, [none]))).toEqual([]);
    expect(decodeArrow(TABLE, encodeArrow(TABLE, [none, blockOf("btc", 2)]))).toEqual([
      blockOf("btc", 2),
    ]);
  });

  test("refuses another table's file, and bytes that are not an Arrow file", () => {
    const bytes = encodeArrow(TABLE, [blockOf("btc", 2)]);
    const other = { ...TABLE, columns: TABLE.columns.slice(1) };
    expect(() => decodeArrow(other, bytes)).toThrow("other columns");
    expect(() => decodeArrow(TABLE, new Uint8Array(3))).toThrow("not an Arrow file");
    expect(() => decodeArrow(TABLE, bytes.subarray(0, -1))).toThrow("not an Arrow file");
  });
});

describe("encodeArrow", () => {
  test("writes a file that the library reads, with one batch per block and described columns", () => {
    const blocks = [blockOf("btc", 5), blockOf("eth", 3)];
    const table = tableFromIPC(encodeArrow(TABLE, blocks));
    expect(table.batches).toHaveLength(2);
    expect(table.schema.metadata).toEqual(
      new Map([
        ["table", "things"],
        ["description", "Things of all types."],
      ]),
    );
    const types = table.schema.fields.map(({ type, nullable }) => [String(type), nullable]);
    expect(types, "dates are dates, and a double has no nulls but NaN").toEqual([
      ["Dictionary<Int32, Utf8>", true],
      ["Date32<DAY>", true],
      ["Utf8", true],
      ["Float64", false],
      ["Int32", true],
      ["Bool", true],
      ["Date32<DAY>", true],
    ]);
    const price = table.schema.fields.find(({ name }) => name === "price")!;
    expect(price.metadata).toEqual(
      new Map([
        ["description", "the price"],
        ["unit", "usd"],
      ]),
    );
    expect(table.get(6)?.toJSON()).toMatchObject({
      coin: "eth",
      count: -1,
      flag: true,
      note: "naïve eth 1 ₿",
    });
    expect(table.get(4)?.["until"]).toBeNull();
  });

  test("refuses a block with a missing, unknown or short column", () => {
    const { columns } = blockOf("btc", 2);
    const { note: _, ...missing } = columns;
    const encode = (block: TableBlock) => () => encodeArrow(TABLE, [block]);
    expect(encode({ rows: 2, columns: missing })).toThrow('column "note" is missing');
    expect(encode({ rows: 2, columns: { ...columns, extra: "x" } })).toThrow('no column "extra"');
    expect(encode({ rows: 3, columns })).toThrow("has 2 rows, not 3");
  });
});
