/** Places the texts of a chart so that none meets another, a line or the edge. All lengths are in the chart's units. */

export type Point = readonly [x: number, y: number];

export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** A side of a point: above it, right of it and so on. */
export type Side = "n" | "ne" | "e" | "se" | "s" | "sw" | "w" | "nw";

export interface Label {
  readonly text: string;
  readonly className: string;
  /** Points beside which it may stand, the best first. */
  readonly points: readonly Point[];
  readonly sides: readonly Side[];
  /** Distance from the point. */
  readonly gap: number;
}

/** Height of a line of text of 13 px. */
export const LINE_HEIGHT = 16;
/** Factors by which a label may move away from its point where it would meet something. */
const FARTHER = [1, 1.7, 2.5, 4, 6, 9, 14];

/** An upper estimate of a text's width at 13 px: nothing here can measure text, and too much room does no harm. */
export function textWidth(text: string, isBold = false): number {
  let width = 0;
  for (const letter of text) {
    if (/[ iljtfr.,:;'’|!()/\u202f]/.test(letter)) width += 4.8;
    else if (/[mwMW%@+−→↑○●▲▼]/.test(letter)) width += 11.5;
    else width += /[A-Z]/.test(letter) ? 9.2 : 8.1;
  }
  return isBold ? 1.1 * width : width;
}

/** Moves places apart until each is `gap` from the next, in their order, within limits, and as little as that takes. */
export function apart(
  places: readonly number[],
  gap: number,
  [low, high]: readonly [number, number],
): readonly number[] {
  const order = places.map((_, at) => at).sort((a, b) => places[a]! - places[b]!);
  const groups: { sum: number; count: number }[] = [];
  const meanOf = (at: number) => groups.at(at)!.sum / groups.at(at)!.count;
  for (const [rank, at] of order.entries()) {
    groups.push({ sum: places[at]! - rank * gap, count: 1 });
    while (groups.length > 1 && meanOf(-2) > meanOf(-1)) {
      const { sum, count } = groups.pop()!; // there are two
      groups.push({ sum: groups.at(-1)!.sum + sum, count: groups.pop()!.count + count });
    }
  }
  const moved = groups.flatMap(({ sum, count }) => Array<number>(count).fill(sum / count));
  const most = high - (places.length - 1) * gap;
  return places.map((_, at) => {
    const rank = order.indexOf(at);
    return Math.max(low, Math.min(most, moved[rank]!)) + rank * gap; // one per place
  });
}

/** The boxes of labels. Each label has the first of its places that meets nothing, or else the one that meets least. */
export function placeLabels(
  labels: readonly Label[],
  within: Box,
  { texts, ink }: { readonly texts: readonly Box[]; readonly ink: readonly (readonly Point[])[] },
): readonly Box[] {
  const taken = [...texts];
  return labels.map((label) => {
    let [best, least] = [clamped(candidates(label)[0]!, within), Infinity]; // it has a place
    for (const box of candidates(label)) {
      const inside = clamped(box, within);
      if (inside.left !== box.left || inside.top !== box.top) continue;
      const covered = taken.filter((other) => meets(box, other)).length;
      const cost = 100 * covered + ink.filter((line) => crosses(line, box)).length;
      if (cost < least) [best, least] = [box, cost];
      if (cost === 0) break;
    }
    taken.push(best);
    return best;
  });
}

function candidates({ text, className, points, sides, gap }: Label): readonly Box[] {
  const width = textWidth(text, className.includes("label"));
  return FARTHER.flatMap((far) =>
    points.flatMap(([x, y]) => sides.map((side) => boxAt([x, y], side, { width, gap: far * gap }))),
  );
}

function boxAt(
  [x, y]: Point,
  side: Side,
  { width, gap }: { readonly width: number; readonly gap: number },
): Box {
  const across = side.includes("e") ? 1 : side.includes("w") ? -1 : 0;
  const down = side.includes("s") ? 1 : side.includes("n") ? -1 : 0;
  const aside = down === 0 ? gap : 0;
  const left = across === 0 ? x - width / 2 : across > 0 ? x + aside : x - aside - width;
  const middle = y + down * (gap + LINE_HEIGHT / 2);
  const [top, bottom] = [middle - LINE_HEIGHT / 2, middle + LINE_HEIGHT / 2];
  return { left, right: left + width, top, bottom };
}

function clamped({ left, right, top, bottom }: Box, within: Box): Box {
  const across = Math.max(within.left - left, Math.min(0, within.right - right));
  const down = Math.max(within.top - top, Math.min(0, within.bottom - bottom));
  return { left: left + across, right: right + across, top: top + down, bottom: bottom + down };
}

function meets(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** Whether a line of several points enters the box. */
function crosses(line: readonly Point[], { left, right, top, bottom }: Box): boolean {
  return line.some(([x, y], at) => {
    const [fromX, fromY] = line[at - 1] ?? [x, y];
    const [from, to] = [Math.max(left, Math.min(fromX, x)), Math.min(right, Math.max(fromX, x))];
    if (!(from <= to)) return false; // beside the box, or broken here
    const heightAt = (index: number) => fromY + ((y - fromY) * (index - fromX)) / (x - fromX);
    const [a, b] = fromX === x ? [fromY, y] : [heightAt(from), heightAt(to)];
    return Math.min(a, b) <= bottom && Math.max(a, b) >= top;
  });
}
