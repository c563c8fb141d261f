import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PackedMemory } from "../../../server/requests/packed-memory.ts";

const MIB = 1024 * 1024;

describe("packed memory", () => {
  test("keeps records apart, whatever their lengths, each at a whole word", () => {
    const length = fc.oneof(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 0, max: 2 * MIB }));
    fc.assert(
      fc.property(fc.array(length, { maxLength: 20 }), (lengths) => {
        const memory = new PackedMemory();
        const records = lengths.map((bytes) => ({ bytes, place: memory.take(bytes) }));
        for (const [index, { bytes, place }] of records.entries()) {
          const at = memory.offsetAt(place);
          memory.pieceAt(place).bytes.fill(index + 1, at, at + bytes);
        }
        for (const [index, { bytes, place }] of records.entries()) {
          const at = memory.offsetAt(place);
          const held = memory.pieceAt(place).bytes.subarray(at, at + bytes);
          expect(place).toBeGreaterThan(0);
          expect(at % 8).toBe(0);
          expect(held).toHaveLength(bytes);
          expect(held.every((byte) => byte === index + 1)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("shows a record as bytes, as numbers and as words of eight bytes", () => {
    const memory = new PackedMemory();
    memory.take(8);
    const place = memory.take(16);
    const { bytes, integers, words } = memory.pieceAt(place);
    const at = memory.offsetAt(place);
    bytes.writeInt32LE(-7, at);
    bytes.writeDoubleLE(0.5, at + 8);
    expect([integers[at / 4], words[at / 8 + 1]]).toEqual([-7, 0.5]);
  });

  test("says how much of it is taken, in whole words", () => {
    const memory = new PackedMemory();
    memory.take(1);
    memory.take(3 * MIB);
    expect(memory.takenBytes).toBe(8 + 3 * MIB);
  });
});
