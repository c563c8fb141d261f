import { crc32 } from "node:zlib";
import { describe, expect, test } from "vitest";
import { randomStream } from "../../../pipeline/sources/random.ts";
import { joinedCrc } from "../../../server/jobs/joined-crc.ts";

describe("the checksum of two concatenated texts", () => {
  test.each([0, 1, 7, 255, 4_096, 150_001])(
    "is that of the whole, with %d bytes in the second",
    (length) => {
      const stream = randomStream(`crc:${length}`);
      const bytes = Buffer.from(
        Array.from({ length: length + 300 }, () => Math.floor(stream.uniform() * 256)),
      );
      for (const at of [0, 1, 300]) {
        const [first, second] = [bytes.subarray(0, at), bytes.subarray(at, at + length)];
        expect(joinedCrc(crc32(first), crc32(second), length)).toBe(
          crc32(bytes.subarray(0, at + length)),
        );
      }
    },
  );

  test("holds for texts longer than 32 bits of shift say", () => {
    const half = Buffer.alloc(2 ** 24, "ab");
    const whole = crc32(half, crc32(half));
    expect(joinedCrc(crc32(half), crc32(half), half.length)).toBe(whole);
  });
});
