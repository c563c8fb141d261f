import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { AccountsRefused } from "../refused.ts";
import { headOf } from "./chunk-file.ts";
import {
  CHUNK_RECORDS,
  HEADER,
  HEADER_BYTES,
  METERS,
  SEAT_LOCK_BYTE,
  SEATS,
  WORD_BYTES,
} from "./meter-layout.ts";
import { isByteLocked } from "./shared-memory.ts";

/** The layout of meter files up to November 2026: records of 768 bytes that included the minute. */
export const FORMER_VERSION = 1;
const CHUNK_BYTES = CHUNK_RECORDS * 768;

/**
 * Whether this is a meter file of the former layout. Throws if it cannot be given up yet: only an earlier version
 * can bring what it counted into the state file, so nothing may be changed before that has happened.
 */
export function isFormer(file: string): boolean {
  const head = headOf(file);
  if (head[HEADER.magic] !== METERS.magic || head[HEADER.version] !== FORMER_VERSION) return false;
  if (isSettled(file)) return true;
  throw new AccountsRefused(
    "bad_meter_file",
    `the meter file "${file}" was made by an earlier Hindsight, which has not ended in order: start that one on it and end it with SIGTERM, which brings all it counted into the state file`,
  );
}

/**
 * Whether no process has it open, and the state file has everything it counted. As in the present layout, each
 * chunk begins with the list of changed accounts.
 */
function isSettled(file: string): boolean {
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
