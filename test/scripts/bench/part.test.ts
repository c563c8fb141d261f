import { expect, test } from "vitest";
import { target } from "../../../scripts/bench/part.ts";

test("a target is met up to its bound", () => {
  expect(target("p99", { below: 2 }, 1.9).met).toBe(true);
  expect(target("p99", { below: 2 }, 2).met).toBe(false);
  expect(target("ratio", { atLeast: 0.75 }, 0.75).met).toBe(true);
  expect(target("ratio", { atLeast: 0.75 }, 0.74).met).toBe(false);
});

test.each([undefined, NaN, Infinity, -Infinity])(
  "what was not measured, %d, meets none",
  (none) => {
    expect(target("p99", { below: 2 }, none).met).toBe(false);
    expect(target("ratio", { atLeast: 4 }, none).met).toBe(false);
  },
);
