import { civilOfDay } from "../../quant/calendar.ts";
import { bytesOf, type ByteWriter } from "./byte-writer.ts";

const DASH = bytesOf("-");

/** Writes a day since the epoch as `YYYY-MM-DD`. */
export function writeDate(out: ByteWriter, day: number): void {
  const { year, month, dayOfMonth } = civilOfDay(day);
  out.padded(year, 4);
  out.bytes(DASH);
  out.padded(month, 2);
  out.bytes(DASH);
  out.padded(dayOfMonth, 2);
}
