import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import type { ColumnPreview, Jump } from "../../check/formats/export.ts";
import { Jumps } from "../../web/browser/check-jumps.tsx";

const COLUMN = { name: "nav", role: "", first: "100", last: "300", line: [100, 200, 150, 300] };
const JUMP: Jump = { day: "2024-01-11", row: 10, amount: 100, share: 1 };

const drawn = (jumps: readonly Jump[], column: ColumnPreview = COLUMN) =>
  renderToString(Jumps({ jumps, rows: 31, column }));

/** Where the marks of the wide drawing are, and whether they point down. */
function marksOf(html: string): readonly [x: number, y: number, isDown: boolean][] {
  const wide = html.slice(0, html.indexOf("narrow"));
  return [...wide.matchAll(/d="M([\d.]+),([\d.]+)l5,(-?)8h-10Z" class="fill-luck"/g)].map(
    ([, x, y, minus]) => [Number(x), Number(y), minus === "-"],
  );
}

test("a mark stands over the row of its jump, on the column's line", () => {
  // 572 wide: the plot is between the lines of the grid, and a third of the way is the second of four points.
  const html = drawn([JUMP]);
  const [[x, y, isDown]] = marksOf(html) as [[number, number, boolean]];
  const grid = [...html.matchAll(/M([\d.]+),([\d.]+)H([\d.]+)" class="grid"/g)].slice(0, 4);
  const [left = NaN, right = NaN] = [grid[0]?.[1], grid[0]?.[3]].map(Number);
  const [zero = NaN, highest = NaN] = [grid[0]?.[2], grid.at(-1)?.[2]].map(Number);
  expect(x).toBeCloseTo(left + (right - left) / 3, 0);
  expect(y + 7, "of 0 to 300").toBeCloseTo(zero - (200 / 300) * (zero - highest), 0);
  expect(isDown).toBe(true);
});

test("what went out is marked from below, and the words say so", () => {
  const html = drawn([JUMP, { day: "2024-01-21", row: 20, amount: -50, share: -0.25 }]);
  expect(marksOf(html).map(([, , isDown]) => isDown)).toEqual([true, false]);
  expect(html).toContain("▾ marks what came in, ▴ what went out.");
  expect(html).toContain("<td>2024-01-21</td><td>−50.00</td><td>−25\u202f%</td>");
  expect(drawn([JUMP])).not.toContain("▴");
});

test("dates have room: two that are near each other are one, and the last row's stays inside", () => {
  const dates = (jumps: readonly Jump[]) =>
    [...drawn(jumps).matchAll(/x="([\d.]+)" y="[\d.]+" text-anchor="middle">(\d{4}-[\d-]+)</g)].map(
      ([, x, day]) => ({ day, x: Number(x) }),
    );
  const end = { ...JUMP, day: "2024-01-31", row: 30 };
  const far = dates([{ ...JUMP, row: 0 }, end]);
  expect(far.map(({ day }) => day)).toEqual([
    "2024-01-11",
    "2024-01-31",
    "2024-01-11",
    "2024-01-31",
  ]);
  expect(far[1]!.x + 40, "of the wide one").toBeLessThan(572);
  expect(far[3]!.x + 40, "of the narrow one").toBeLessThan(350);
  const near = dates([{ ...end, row: 28, day: "2024-01-29" }, end]);
  expect(near.map(({ day }) => day)).toEqual(["2024-01-29", "2024-01-29"]);
});

test("flat, negative, huge and tiny columns are drawn", () => {
  for (const line of [
    [0, 0],
    [-5, -7],
    [1e12, 3e12],
    [1e-9, 2e-9],
    [5, 5, 5],
  ])
    expect(drawn([JUMP], { ...COLUMN, line })).not.toMatch(/NaN|Infinity|undefined/);
});
