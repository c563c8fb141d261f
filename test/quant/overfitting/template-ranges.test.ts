import { expect, test } from "vitest";
import { templateRanges } from "../../../quant/overfitting/template-ranges.ts";
import { STUDIED } from "../../../quant/strategies/studied.ts";
import { VARIANTS_PER_TEMPLATE } from "../../../quant/strategies/catalogue.ts";

test("every template has its 13 runs when none is dropped", () => {
  const runs = STUDIED.flatMap((_, template) =>
    Array.from(
      { length: VARIANTS_PER_TEMPLATE },
      (_, variant) => template * VARIANTS_PER_TEMPLATE + variant,
    ),
  );
  expect(templateRanges(runs)).toEqual(
    STUDIED.map((_, template) => ({ from: template * 13, to: (template + 1) * 13 })),
  );
});

test("a template without runs has an empty range where it would be", () => {
  const ranges = templateRanges([3, 12, 26, 285]);
  expect(ranges.slice(0, 4)).toEqual([
    { from: 0, to: 2 },
    { from: 2, to: 2 },
    { from: 2, to: 3 },
    { from: 3, to: 3 },
  ]);
  expect(ranges.at(-1)).toEqual({ from: 3, to: 4 });
  expect(ranges).toHaveLength(STUDIED.length);
});
