import { expect, test } from "vitest";
import { RecentValues } from "../../server/recent-values.ts";

const valuesOf100 = () => new RecentValues<string>(100, (value) => value.length);

test("what is asked for again and again stays, within the limit", () => {
  const values = valuesOf100();
  values.set("kept", "x".repeat(10));
  for (let index = 0; index < 1000; index++) {
    values.set(`flood ${index}`, "y".repeat(10));
    expect(values.get("kept")).toBe("x".repeat(10));
  }
  const held = Array.from({ length: 1000 }, (_, index) => values.get(`flood ${index}`));
  expect(held.filter((value) => value !== undefined).length).toBeLessThanOrEqual(9);
  expect(held.at(-1)).toBe("y".repeat(10));
});

test("what nobody asks for is forgotten, and a value beyond the limit is held alone", () => {
  const values = valuesOf100();
  values.set("first", "a");
  for (let index = 0; index < 20; index++) values.set(`other ${index}`, "y".repeat(20));
  expect(values.get("first")).toBeUndefined();
  values.set("large", "z".repeat(1000));
  expect(values.get("large")).toHaveLength(1000);
});
