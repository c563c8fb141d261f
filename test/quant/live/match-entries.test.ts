import { array, assert, integer, property } from "fast-check";
import { expect, test } from "vitest";
import { matchEntries } from "../../../quant/live/match-entries.ts";

/** The best sum over every matching, crossing ones too. */
function best(first: readonly number[], second: readonly number[], tau: number): number {
  const [time, ...rest] = first;
  if (time === undefined) return 0;
  const alone = best(rest, second, tau);
  return second.reduce((most, other, at) => {
    const gain = tau - Math.abs(other - time);
    if (gain <= 0) return most;
    return Math.max(most, gain + best(rest, second.toSpliced(at, 1), tau));
  }, alone);
}

const times = array(integer({ min: 0, max: 40 }), { maxLength: 6 });
const ascending = (list: readonly number[]) => Float64Array.from(list).toSorted();

test("is as good as the best of all one-to-one matchings", () => {
  assert(
    property(times, times, integer({ min: 1, max: 30 }), (ones, others, tau) => {
      const [first, second] = [ascending(ones), ascending(others)];
      const pairs = matchEntries(first, second, tau);
      const sum = pairs.reduce((all, [a, b]) => all + tau - Math.abs(first[a]! - second[b]!), 0);
      expect(sum).toBeCloseTo(best([...first], [...second], tau), 9);
      expect(new Set(pairs.map(([a]) => a)).size).toBe(pairs.length);
      expect(new Set(pairs.map(([, b]) => b)).size).toBe(pairs.length);
    }),
    { numRuns: 1000 },
  );
});

test("pairs a bot that enters a bar late six times in ten with its own entries", () => {
  const first = Float64Array.from({ length: 100 }, (_, at) => 4 * at);
  const second = first.map((time, at) => time + (at % 5 < 3 ? 1.02 : 0.02));
  expect(matchEntries(first, second, 1.5)).toEqual(Array.from(first, (_, at) => [at, at]));
});

test("halves the tolerance until the candidates are few enough", () => {
  const second = Float64Array.from({ length: 4000 }, (_, at) => at);
  const pairs = matchEntries(second, second, 1e6);
  expect(pairs).toHaveLength(4000);
  expect(pairs.every(([a, b]) => a === b)).toBe(true);
});
