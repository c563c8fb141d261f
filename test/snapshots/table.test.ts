import { expect, test } from "vitest";
import { inSharedMemory } from "../../snapshots/tables/table.ts";

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
