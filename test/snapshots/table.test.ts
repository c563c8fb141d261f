import { expect, test } from "vitest";
import { PRICES } from "../../snapshots/tables/prices.ts";
import { checkBlock, inSharedMemory } from "../../snapshots/tables/table.ts";

test("a block in shared memory keeps its values, and its typed columns share one piece of memory", () => {
  const block = {
    rows: 3,
    columns: {
      coin: "btc",
      day: Int32Array.of(1, 2, 3),
      filled: Uint8Array.of(0, 1, 0),
      close: Float64Array.of(0.1, NaN, -7),
      note: ["a", null, "c"],
    },
  };
  const shared = inSharedMemory(block);
  expect(shared).toEqual(block);
  const { day, filled, close } = shared.columns as typeof block.columns;
  expect(close.buffer).toBeInstanceOf(SharedArrayBuffer);
  expect(day.buffer).toBe(close.buffer);
  expect(filled.buffer).toBe(close.buffer);
});

test("a block that does not fit its table is a defect, whatever is wrong with it", () => {
  const columns = Object.fromEntries(PRICES.columns.map(({ name }) => [name, [1, 2]]));
  const check = (others: Record<string, unknown>) => () =>
    checkBlock(PRICES, { rows: 2, columns: { ...columns, ...others } as never });
  expect(check({ coin: "btc" })).not.toThrow();
  expect(check({ cap: [1, 2] })).toThrow('table "prices" has no column "cap"');
  expect(check({ close: undefined })).toThrow('table "prices": column "close" is missing');
  expect(check({ close: [1] })).toThrow('column "close" has 1 rows, not 2');
});
