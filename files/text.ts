import { FileRefused } from "./refused.ts";

/** Bytes that begin a text in UTF-16. The decoder of UTF-8 drops its own mark. */
const MARKS = [
  { encoding: "utf-16le", bytes: [0xff, 0xfe] },
  { encoding: "utf-16be", bytes: [0xfe, 0xff] },
];

/**
 * The text of a file in UTF-8 with or without a byte-order mark, in UTF-16 with one, or in Windows-1252, as Excel writes
 * plain CSV files. No text has zero bytes.
 */
export function textOf(bytes: Uint8Array): string {
  const mark = MARKS.find((known) => known.bytes.every((byte, index) => bytes[index] === byte));
  if (mark !== undefined) {
    if (bytes.length % 2 !== 0) throw new FileRefused("the UTF-16 text ends within a character");
    const text = new TextDecoder(mark.encoding).decode(bytes);
    if (text.includes("\0")) throw new FileRefused(`${NO_TEXT}; UTF-32 is not read`);
    return text;
  }
  if (bytes.includes(0)) throw new FileRefused(NO_TEXT);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

const NO_TEXT = "this is neither a text nor a kind of file that can be read here";
