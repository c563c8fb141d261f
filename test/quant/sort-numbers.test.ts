import * as fc from "fast-check";
import { expect, test } from "vitest";
import { sortNumbers } from "../../quant/sort-numbers.ts";

test("sorts lists of any length in place, as the library does", () => {
  const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 80 }), (numbers) => {
      const values = Float64Array.from(numbers, (value) => value + 0); // no -0, whose order differs
      const expected = values.toSorted();
      expect(sortNumbers(values)).toBe(values);
      expect(values).toEqual(expected);
    }),
  );
});
