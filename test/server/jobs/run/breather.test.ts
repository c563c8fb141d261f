import { describe, expect, test } from "vitest";
import { createBreather } from "../../../../server/jobs/run/breather.ts";

describe("a breather", () => {
  test("pauses once a fifth of a millisecond was worked, and not before", () => {
    let nowMs = 0;
    let asked = 0;
    const breathe = createBreather(() => {
      asked += 1;
      return nowMs;
    });
    /** After a pause it reads the clock once more. */
    const pauses = (): boolean => {
      asked = 0;
      breathe();
      return asked === 2;
    };
    nowMs = 0.19;
    expect(pauses()).toBe(false);
    nowMs = 0.21;
    expect(pauses()).toBe(true);
    nowMs = 0.4;
    expect(pauses(), "counted from the last pause").toBe(false);
    nowMs = 0.42;
    expect(pauses()).toBe(true);
  });
});
