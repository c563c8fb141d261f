import { expect, test } from "vitest";
import { ArrivalClock } from "../../../server/requests/arrival-clock.ts";

test("stands still while it is held, and only then", () => {
  let nowMs = 1;
  const clock = new ArrivalClock(() => nowMs);
  expect(clock.readMs()).toBe(1);
  nowMs = 2;
  expect(clock.hold()).toBe(2);
  nowMs = 3;
  expect(clock.readMs()).toBe(2);
  clock.release();
  expect(clock.readMs()).toBe(3);
  expect(clock.hold()).toBe(3);
});
