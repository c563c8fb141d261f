import { array, assert, double, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { apart, placeLabels, textWidth, type Box, type Label } from "../../../web/charts/labels.ts";

const WITHIN = { left: 0, right: 400, top: 0, bottom: 300 };
const SIDES = ["e", "w", "n", "s"] as const;

const middleOf = ({ top, bottom }: Box) => (top + bottom) / 2;

function labelAt(text: string, x: number, y: number): Label {
  return { text, className: "", points: [[x, y]], sides: SIDES, gap: 8 };
}

describe("names that are moved apart", () => {
  const places = array(double({ min: 20, max: 280, noNaN: true }), {
    minLength: 1,
    maxLength: 8,
  });

  test("keep their order and their distance, within the limits", () => {
    assert(
      property(places, (wanted) => {
        const moved = apart(wanted, 18, [10, 290]);
        const order = wanted.map((_, at) => at).sort((a, b) => wanted[a]! - wanted[b]!);
        for (const [rank, at] of order.entries()) {
          expect(moved[at]).toBeGreaterThanOrEqual(10 - 1e-9);
          expect(moved[at]).toBeLessThanOrEqual(290 + 1e-9);
          const before = rank === 0 ? -Infinity : moved[order[rank - 1]!]!;
          expect(moved[at]! - before).toBeGreaterThan(18 - 1e-9);
        }
      }),
    );
  });

  test("stay where they are if they are apart, and share the way if not", () => {
    expect(apart([200, 50, 100], 18, [0, 300])).toEqual([200, 50, 100]);
    expect(apart([100, 104], 18, [0, 300])).toEqual([93, 111]);
    expect(apart([100, 100, 100], 18, [0, 300])).toEqual([82, 100, 118]);
  });
});

describe("placed labels", () => {
  test("meet neither each other nor a line nor the edge, where there is room", () => {
    const line = [
      [0, 150],
      [400, 150],
    ] as const;
    const labels = [labelAt("the one", 100, 150), labelAt("the other", 100, 150)];
    const placed = placeLabels(labels, WITHIN, { texts: [], ink: [line] });
    const middles = placed.map(middleOf);
    expect(middles.map((y) => Math.abs(y - 150) > 8)).toEqual([true, true]);
    expect(Math.abs(middles[0]! - middles[1]!)).toBeGreaterThanOrEqual(16);
    const [edge] = placeLabels([labelAt("at the edge", 398, 290)], WITHIN, { texts: [], ink: [] });
    expect(edge!.right - edge!.left).toBeCloseTo(textWidth("at the edge"), 9);
    expect(edge!.right).toBeLessThanOrEqual(400);
  });

  test("stand inside even where nothing fits, and away from a broken line's gap they need not stay", () => {
    const narrow = { left: 0, right: 60, top: 0, bottom: 20 };
    const long = "longer than there is room for";
    const [placed] = placeLabels([labelAt(long, 30, 10)], narrow, { texts: [], ink: [] });
    expect(middleOf(placed!)).toBe(10);
    const broken = [
      [0, 100],
      [150, NaN],
      [300, 100],
    ] as const;
    const [first] = placeLabels([labelAt("here", 140, 100)], WITHIN, { texts: [], ink: [broken] });
    expect([first!.left > 140, middleOf(first!)]).toEqual([true, 100]);
  });
});
