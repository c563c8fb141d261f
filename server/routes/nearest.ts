import { distance } from "fastest-levenshtein";

/** Longer than nearly all names. The distance to an even longer text is not needed. */
const COMPARED_MAX = 120;

/**
 * The names nearest to what was typed, nearest first: those that contain it (`macd` is in `macd_cross`), then those that
 * the fewest edits lead to, of the whole name or of one of its words (`sma` is near the `ma` of `ma_cross`).
 */
export function nearestTo(typed: string, names: readonly string[], count: number): string[] {
  const text = typed.trim().toLowerCase().slice(0, COMPARED_MAX);
  return names
    .map((name) => ({ name, edits: name.includes(text) ? 0 : editsTo(name, text) }))
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ name }) => name);
}

function editsTo(name: string, text: string): number {
  return Math.min(...[name, ...name.split("_")].map((part) => distance(part, text)));
}
