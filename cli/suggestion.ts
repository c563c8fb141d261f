import { closest, distance } from "fastest-levenshtein";

/** The most edits from a name for "did you mean", and the most as a share of the letters that were typed. */
const SUGGESTION_DISTANCE_MAX = 3;
const SUGGESTION_PART_MAX = 0.5;

/** "; did you mean "x"?" with the name most like the given one, or nothing. */
export function suggestion(given: string, names: readonly string[]): string {
  if (names.length === 0) return "";
  const typed = given.toLowerCase();
  const nearest = closest(typed, names);
  const allowed = Math.min(SUGGESTION_DISTANCE_MAX, typed.length * SUGGESTION_PART_MAX);
  return distance(typed, nearest) <= allowed ? `; did you mean "${nearest}"?` : "";
}
