import { dateOfDay } from "../../quant/calendar.ts";
import type { ByteWriter } from "./byte-writer.ts";
import { constantText } from "./constant-text.ts";

/** From 2008-05-01 to 2053-03-09: a look-up costs a third of working out a year, a month and a day. */
const FIRST_KEPT = 14_000;
const DAYS_KEPT = 16_384;
const WORDS = 2;
/** The text of each day, made when it is first written; 0 until then. */
const kept = new Float64Array(DAYS_KEPT * WORDS);

/** Writes a day since the epoch as `YYYY-MM-DD`. */
export function writeDate(out: ByteWriter, day: number): void {
  const at = (day - FIRST_KEPT) * WORDS;
  if (!(at >= 0 && at < kept.length)) {
    out.text(dateOfDay(day));
    return;
  }
  if (kept[at] === 0) kept.set(constantText(dateOfDay(day)).words, at);
  out.words(kept, at, "YYYY-MM-DD".length);
}
