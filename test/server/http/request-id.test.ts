import { expect, test } from "vitest";
import { isRequestId, requestIds } from "../../../server/http/request-id.ts";

test("ids of 1 to 64 letters, digits, - and _ are kept", () => {
  for (const sent of ["a", "A-b_9", "x".repeat(64)]) expect(isRequestId(sent)).toBe(true);
  for (const sent of ["", "x".repeat(65), "a b", "a\r\nSet-Cookie: x", "ä", "a,b", 'a"']) {
    expect(isRequestId(sent)).toBe(false);
  }
});

test("ids of our own differ, are ids, and begin alike within a process only", () => {
  const [one, other] = [requestIds(), requestIds()];
  const made = Array.from({ length: 1000 }, one);
  made.push(other());
  expect(new Set(made).size).toBe(made.length);
  expect(made.every(isRequestId)).toBe(true);
});
