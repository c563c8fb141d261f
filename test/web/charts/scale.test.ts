import { expect, test } from "vitest";
import { dateTicks, roundValues, scaleOf, spanOf } from "../../../web/charts/scale.ts";

test("a scale leads from its span to its places, evenly or by equal factors", () => {
  expect([0, 5, 10].map(scaleOf([0, 10], [100, 300]))).toEqual([100, 200, 300]);
  const places = [1, 10, 100, 1000].map(scaleOf([1, 1000], [0, 300], true));
  for (const [power, place] of places.entries()) expect(place).toBeCloseTo(100 * power, 9);
  expect(scaleOf([1, 10], [0, 1], true)(0)).toBe(-Infinity);
});

test("a span has two different ends", () => {
  expect(spanOf([3, 1, 2])).toEqual([1, 3]);
  expect(spanOf([4, 4])).toEqual([3, 5]);
  expect(spanOf([-1, 0, 4], true)).toEqual([2, 8]);
});

test("round values lie within the span: 1, 2 and 5 times powers of ten where it is logarithmic", () => {
  expect(roundValues([0, 1], 4)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(roundValues([3, 30], 4, true)).toEqual([5, 10, 20]);
  expect(roundValues([0.9, 20_000], 5, true)).toEqual([1, 10, 100, 1000, 10_000]);
  expect(roundValues([100, 160], 4, true)).toEqual([100, 120, 140, 160]);
});

test("dates have as many ticks as have room, and a short record its ends", () => {
  const days = Array.from({ length: 800 }, (_, day) =>
    new Date(Date.UTC(2023, 5, 10 + day)).toISOString().slice(0, 10),
  );
  const texts = (width: number) => dateTicks(days, width).map(({ text }) => text);
  expect(texts(200)).toEqual(["2024", "2025"]);
  expect(texts(330)).toEqual(["Jul", "2024", "Jul", "2025", "Jul"]);
  expect(dateTicks(days.slice(0, 5), 300)).toEqual([
    { at: 0, text: "2023-06-10" },
    { at: 4, text: "2023-06-14" },
  ]);
  expect(dateTicks(["2023-12", "2024-01", "2024-02"], 700).map(({ text }) => text)).toEqual([
    "2024",
    "Feb",
  ]);
});
