import { expect, test } from "vitest";
import { inTurns } from "../../../server/pages/in-turns.ts";

const WORK_MS = 5;

function work(): number {
  const startMs = performance.now();
  while (performance.now() < startMs + WORK_MS);
  return startMs;
}

test("works follow each other, with a rest that leaves the event loop to others", async () => {
  const starts: number[] = [];
  let turnsOfOthers = 0;
  const works = Array.from({ length: 4 }, async () => starts.push(await inTurns(work)));
  const others = setInterval(() => turnsOfOthers++, 0);
  await Promise.all(works);
  clearInterval(others);
  const gaps = starts.slice(1).map((start, at) => start - starts[at]!);
  for (const gap of gaps) expect(gap).toBeGreaterThanOrEqual(4 * WORK_MS - 2); // a timer may be a little early
  expect(turnsOfOthers).toBeGreaterThan(works.length);
});

test("one that fails does not hold up the next", async () => {
  const failing = inTurns(() => {
    throw new Error("no such figure");
  });
  const next = inTurns(() => "a page");
  await expect(failing).rejects.toThrow("no such figure");
  expect(await next).toBe("a page");
});
