import { describe, expect, test } from "vitest";
import { measureStalls, stallsOf } from "../../../scripts/bench/stalls.ts";

describe("stalls of a machine", () => {
  test("are what a request at a random instant waits for, by hand", () => {
    // Of 100 ms, 1 is beyond the first 3 of the gap of 4; 0.1 beyond the first 3.9.
    expect(stallsOf([2, 4], 100)).toEqual({
      p50_ms: 0,
      p99_ms: 3,
      p999_ms: expect.closeTo(3.9, 12),
      max_ms: 4,
    });
    // Of 100 ms, 50 are beyond the first 10 of gaps of 40 and 30.
    expect(stallsOf([30, 40], 100).p50_ms).toBe(10);
  });

  test("agree with instants that are tried out one by one", () => {
    const gaps = [7, 0.4, 3, 0.2, 1.5, 0.9];
    const instants = 100_000;
    const totalMs = 200;
    const waits = Array.from({ length: instants }, (_, index) => {
      let at = (index / instants) * totalMs;
      for (const gap of gaps) {
        if (at < gap) return gap - at;
        at -= gap;
      }
      return 0;
    }).sort((a, b) => a - b);
    const { p99_ms, p999_ms } = stallsOf(gaps, totalMs);
    expect(p99_ms).toBeCloseTo(waits[0.99 * instants]!, 2);
    expect(p999_ms).toBeCloseTo(waits[0.999 * instants]!, 2);
  });

  test("are none where there are no gaps, and are measured in order", () => {
    expect(stallsOf([], 100)).toEqual({ p50_ms: 0, p99_ms: 0, p999_ms: 0, max_ms: 0 });
    const { p50_ms, p99_ms, p999_ms, max_ms } = measureStalls(20);
    expect([p50_ms, p99_ms, p999_ms, max_ms]).toEqual(
      [p50_ms, p99_ms, p999_ms, max_ms].sort((a, b) => a - b),
    );
  });
});
