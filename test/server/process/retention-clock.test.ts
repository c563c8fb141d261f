import { beforeEach, expect, test } from "vitest";
import { RetentionClock } from "../../../server/process/retention-clock.ts";
import { FakeClock } from "../../support/accounts-fixture.ts";

const MINUTE_MS = 60_000;
const MONTH_MS = 31 * 86_400_000;

let clock: FakeClock;
let retention: RetentionClock;
beforeEach(() => {
  clock = new FakeClock();
  clock.pass(24 * 60 * MINUTE_MS); // it did not start with the server
  retention = new RetentionClock(clock);
});

/** Reads once a minute for so many minutes; the last reading. */
function minutes(count: number): number | undefined {
  let last: number | undefined;
  for (let n = 0; n < count; n++) {
    clock.pass(MINUTE_MS);
    last = retention.readMs();
  }
  return last;
}

test("tells the present once the clock has gone evenly for an hour", () => {
  expect(retention.readMs()).toBeUndefined();
  expect(minutes(59)).toBeUndefined();
  expect(minutes(1)).toBe(clock.wallMs);
});

test("tells nothing for an hour after the clock was set ahead, and none of what it was set to", () => {
  retention.readMs();
  minutes(60);
  clock.wallMs += MONTH_MS;
  expect(retention.readMs()).toBeUndefined();
  expect(minutes(30)).toBeUndefined();
  clock.wallMs -= MONTH_MS;
  expect(retention.readMs()).toBeUndefined();
  expect(minutes(30), "an hour after it was set ahead").toBe(clock.wallMs);
});

test("believes a clock that was set back at once", () => {
  retention.readMs();
  minutes(60);
  clock.wallMs -= MONTH_MS;
  expect(retention.readMs()).toBe(clock.wallMs);
});

test("believes a clock that is set right after a start in 1970 an hour later", () => {
  clock.wallMs = 0;
  retention.readMs();
  minutes(90);
  clock.wallMs = Date.parse("2026-11-22T00:00:00Z");
  expect(retention.readMs()).toBeUndefined();
  expect(minutes(60)).toBe(clock.wallMs);
});

test("does not mind a clock that is slewed", () => {
  retention.readMs();
  minutes(60);
  for (let n = 0; n < 600; n++) {
    clock.wallMs += 30; // 500 parts in a million
    expect(minutes(1)).toBe(clock.wallMs);
  }
});
