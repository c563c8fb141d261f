import { describe, expect, test } from "vitest";
import {
  createPace,
  processorTimes,
  type ProcessorTimes,
} from "../../../../server/jobs/run/pace.ts";

/** Two processors, with the share of each millisecond that others and this process use. */
function machine(processors = 2) {
  let nowMs = 0;
  let times: ProcessorTimes = { processors, busyMs: 1_000, ownMs: 500 };
  const pace = createPace(
    () => nowMs,
    () => times,
  );
  const pass = (ms: number, { others, own }: { others: number; own: number }) => {
    nowMs += ms;
    const busyMs = times.busyMs + (others + own) * ms;
    times = { ...times, busyMs, ownMs: times.ownMs + own * ms };
  };
  return { pace, pass };
}

describe("the pace of backtests", () => {
  test("is full where others leave half of a processor, whatever the backtests themselves take", () => {
    const { pace, pass } = machine();
    expect(pace()).toBe(0);
    pass(250, { others: 0, own: 2 });
    expect(pace()).toBe(0);
    pass(250, { others: 1.5, own: 0.5 });
    expect(pace()).toBe(0);
  });

  test("is a job in 20 ms where they leave less, until they leave more again", () => {
    const { pace, pass } = machine();
    pass(250, { others: 1.51, own: 0.49 });
    expect(pace()).toBe(20);
    pass(249, { others: 0, own: 0 });
    expect(pace(), "looked at four times a second").toBe(20);
    pass(1, { others: 0, own: 0 });
    expect(pace()).toBe(0);
  });

  test("is full where the system does not tell of its processors", () => {
    const { pace, pass } = machine(0);
    pass(250, { others: 0, own: 0 });
    expect(pace()).toBe(0);
  });

  test("goes by what happened since the last look, however long ago that was", () => {
    const { pace, pass } = machine();
    pass(3_600_000, { others: 2, own: 0 });
    expect(pace()).toBe(20);
    pass(3_600_000, { others: 0.1, own: 0 });
    expect(pace()).toBe(0);
  });
});

test("the processors' times grow with the work that is done", () => {
  const before = processorTimes();
  const untilMs = performance.now() + 100;
  while (performance.now() < untilMs); // works
  const after = processorTimes();
  expect(after.processors).toBeGreaterThanOrEqual(1);
  expect(after.ownMs).toBeGreaterThan(before.ownMs);
  expect(after.busyMs).toBeGreaterThan(before.busyMs);
});
