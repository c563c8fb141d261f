import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { CHUNK_RECORDS, HEADER_BYTES, SEAT_LOCK_BYTE, SEATS, WORD_BYTES } from "./meter-layout.ts";
import { isByteLocked } from "./shared-memory.ts";

/** The layout of meter files up to November 2026: records of 768 bytes that included the minute. */
export const FORMER_VERSION = 1;
const CHUNK_BYTES = CHUNK_RECORDS * 768;

/**
 * Whether a meter file of the former layout can be given up: no process has it open, and the state file has
 * everything it counted. As in the present layout, each chunk begins with the list of changed accounts.
 */
export function isFormerSettled(file: string): boolean {
  const fd = openSync(file, "r");
  try {
    for (let seat = 0; seat < SEATS; seat++) {
      if (isByteLocked(fd, SEAT_LOCK_BYTE + seat)) return false;
    }
    const changed = new Int32Array(CHUNK_RECORDS / 32);
    const { size } = fstatSync(fd);
    for (let at = HEADER_BYTES; at < size; at += CHUNK_BYTES) {
      readSync(fd, new Uint8Array(changed.buffer), 0, changed.length * WORD_BYTES, at);
      if (changed.some((bits) => bits !== 0)) return false;
    }
    return true;
  } finally {
    closeSync(fd);
  }
}
