import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { AccountsUnavailable } from "../accounts.ts";
import { AccountsRefused } from "../refused.ts";
import { Meter } from "./meter.ts";
import {
  CHUNK_BYTES,
  CHUNK_RECORDS,
  HEADER,
  HEADER_BYTES,
  MAGIC,
  VERSION,
  WORD_BYTES,
} from "./meter-layout.ts";
import { MeterSeat } from "./meter-seat.ts";
import { mapShared } from "./shared-memory.ts";
import { inTransaction, openStateFile, type Connection } from "./state-file.ts";

/**
 * The meter file, beside the state file: what accounts use, as it happens, in memory that all processes
 * of the machine share. The state file names it by its identity, and has all it counts within a second.
 *
 * Its space is written before it is mapped, so that a full disk is an error where the file grows and
 * not the end of the process where it is used.
 */
const FILE_MODE = 0o600;
const OPEN_WAIT_MS = 5_000;
const IDENTITY_BYTES = 16;
const WORD_BITS = 32;
const BITS: readonly number[] = Array.from({ length: WORD_BITS }, (_, bit) => bit);
/** Slots are numbered through; the first place of each chunk is not a record. */
const RESERVED_PLACES = 1;

export const METERS_REPLACED =
  "the meter file was replaced while this process had it open: start it again";

export interface MeterFileOptions {
  /** Which run of the operating system this is; the machine's own by default. */
  readonly bootId?: string | undefined;
}

/** Opens the meter file of a state file, made where there is none. */
export function openMeterFile(stateFile: string, options: MeterFileOptions = {}): MeterFile {
  const file = `${stateFile}-meters`;
  const db = openStateFile(stateFile, { busyMs: OPEN_WAIT_MS });
  try {
    // Under the state file's lock: one process makes or adopts the file, the others find it.
    return inTransaction(db, () => openLocked(db, file, options.bootId ?? machineBootId()));
  } catch (error) {
    if (error instanceof AccountsRefused || error instanceof AccountsUnavailable) throw error;
    throw new AccountsUnavailable(`cannot open the meter file "${file}": ${String(error)}`, {
      cause: error,
    });
  } finally {
    db.close();
  }
}

/** The slot after this one: the first is 1. */
export function nextSlot(last: number): number {
  const next = last + 1;
  return next % CHUNK_RECORDS < RESERVED_PLACES ? next + RESERVED_PLACES : next;
}

export class MeterFile {
  /** By which the state file knows it. */
  readonly identity: string;
  /** True once the state file was found to name another: what is counted here counts for nothing. */
  isReplaced = false;
  readonly #fd: number;
  readonly #header: Int32Array;
  readonly #seat: MeterSeat;
  readonly #chunks: (Int32Array | undefined)[] = [];
  #closed = false;

  constructor(fd: number, header: Int32Array) {
    this.#fd = fd;
    this.#header = header;
    this.identity = identityOf(header);
    this.#seat = new MeterSeat(fd, header);
  }

  /** The record of a slot. Its space must be there: see `reserve`. */
  at(slot: number): Meter {
    const place = slot % CHUNK_RECORDS;
    return new Meter(slot, this.#chunk((slot - place) / CHUNK_RECORDS), place, this.#seat);
  }

  /** Makes room for a slot, under the state file's lock. Throws `AccountsUnavailable` where there is none. */
  reserve(slot: number): void {
    const chunk = Math.floor(slot / CHUNK_RECORDS);
    if (this.#chunks[chunk] !== undefined) return; // mapped, so it is there
    const end = chunkEnd(chunk);
    let size = fstatSync(this.#fd).size;
    if (size >= end) return;
    size -= (size - HEADER_BYTES) % CHUNK_BYTES; // a part of a chunk is what a kill left behind
    try {
      for (; size < end; size += CHUNK_BYTES) writeAll(this.#fd, Buffer.alloc(CHUNK_BYTES), size);
      fdatasyncSync(this.#fd); // on the disk before the state file says that a slot is there
    } catch (cause) {
      throw new AccountsUnavailable(`the meter file cannot grow: ${String(cause)}`, { cause });
    }
  }

  /** Slots of accounts the state file may not have all of. */
  changed(): readonly number[] {
    const slots: number[] = [];
    const chunks = Math.floor((fstatSync(this.#fd).size - HEADER_BYTES) / CHUNK_BYTES);
    for (let chunk = 0; chunk < chunks; chunk++) {
      const words = this.#chunk(chunk);
      for (let word = 0; word < CHUNK_RECORDS / WORD_BITS; word++) {
        const first = chunk * CHUNK_RECORDS + word * WORD_BITS;
        const bits = Atomics.load(words, word);
        if (bits !== 0) slots.push(...bitsSet(bits).map((bit) => first + bit));
      }
    }
    return slots;
  }

  /** Whether it is this process's turn to settle for all: nobody else began within `everyMs`. */
  takeSettlingTurn(steadyMs: number, everyMs: number): boolean {
    const now = Math.floor(steadyMs) | 0;
    const last = Atomics.load(this.#header, HEADER.settledMs);
    const since = (now - last) | 0;
    if (since >= 0 && since < everyMs) return false;
    return Atomics.compareExchange(this.#header, HEADER.settledMs, last, now) === last;
  }

  /** Forces what is counted to the disk, on a thread of the runtime. Not to be closed meanwhile. */
  async sync(): Promise<void> {
    await promisify(fdatasync)(this.#fd);
  }

  /** Goes up whenever keys were made: see `KeyFilter`. */
  get newKeys(): number {
    return Atomics.load(this.#header, HEADER.newKeys);
  }

  /** Tells all processes that keys were made: behind their commit, and before anybody is shown them. */
  noteNewKeys(): void {
    Atomics.add(this.#header, HEADER.newKeys, 1);
  }

  close(): void {
    if (this.#closed) return; // its number may be another file's by now
    this.#closed = true;
    this.#seat.leave();
    closeSync(this.#fd);
  }

  #chunk(index: number): Int32Array {
    const mapped = this.#chunks[index];
    if (mapped !== undefined) return mapped;
    if (fstatSync(this.#fd).size < chunkEnd(index)) {
      throw new AccountsUnavailable("the meter file is shorter than the state file says");
    }
    const bytes = mapShared(this.#fd, chunkEnd(index) - CHUNK_BYTES, CHUNK_BYTES);
    const words = new Int32Array(bytes);
    this.#chunks[index] = words;
    return words;
  }
}

function openLocked(db: Connection, file: string, bootId: string): MeterFile {
  if (!existsSync(file) || isLeftOver(db, file)) makeFile(file);
  const fd = openSync(file, "r+");
  try {
    checkFormat(fd, file);
    const header = new Int32Array(mapShared(fd, 0, HEADER_BYTES));
    checkOwner(db, file, header);
    checkLength(db, fd, file);
    noteBoot(header, bootId);
    const meters = new MeterFile(fd, header);
    header[HEADER.adopted] = 1;
    return meters;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

/** A new file takes its name when it is whole. */
function makeFile(file: string): void {
  const made = `${file}-${process.pid}`;
  const header = new Int32Array(HEADER_BYTES / WORD_BYTES);
  header[HEADER.magic] = MAGIC;
  header[HEADER.version] = VERSION;
  header.set(new Int32Array(new Uint8Array(randomBytes(IDENTITY_BYTES)).buffer), HEADER.identity);
  const fd = openSync(made, "w", FILE_MODE);
  try {
    writeAll(fd, Buffer.from(header.buffer), 0);
    writeAll(fd, Buffer.alloc(CHUNK_BYTES), HEADER_BYTES);
    fsyncSync(fd);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  } finally {
    closeSync(fd);
  }
  renameSync(made, file);
  const folder = openSync(dirname(file), "r");
  fsyncSync(folder);
  closeSync(folder);
}

/** A meter file beside a state file that never had one: of a state file that was removed. */
function isLeftOver(db: Connection, file: string): boolean {
  if (knownIdentity(db) !== undefined) return false;
  const fd = openSync(file, "r");
  try {
    checkFormat(fd, file); // what is not a meter file is not replaced
  } finally {
    closeSync(fd);
  }
  return true;
}

function knownIdentity(db: Connection): string | undefined {
  const row = db.prepare("SELECT identity FROM meter_file").raw().get() as [string] | undefined;
  return row?.[0];
}

function checkFormat(fd: number, file: string): void {
  const head = new Int32Array(2);
  readSync(fd, new Uint8Array(head.buffer), 0, head.byteLength, 0);
  if (head[0] !== MAGIC) throw refused(`"${file}" is not a Hindsight meter file`);
  if (head[1] !== VERSION) {
    throw refused(
      `the meter file "${file}" has the version ${head[1]}, this Hindsight knows ${VERSION}`,
    );
  }
  if (fstatSync(fd).size < chunkEnd(0)) throw truncated(file);
}

/** A file that was never in use becomes this state's; one of another state is not touched. */
function checkOwner(db: Connection, file: string, header: Int32Array): void {
  if (knownIdentity(db) === identityOf(header)) return;
  if (header[HEADER.adopted] !== 0) {
    throw refused(
      `the meter file "${file}" belongs to another state file, or to another time of this one: put the right one in its place, or remove it to begin with what the state file has`,
    );
  }
  db.exec("DELETE FROM settled; DELETE FROM meters");
  db.prepare("INSERT OR REPLACE INTO meter_file VALUES (1, ?)").run(identityOf(header));
}

function checkLength(db: Connection, fd: number, file: string): void {
  const [last] = db.prepare("SELECT max(slot) FROM meters").raw().get() as [number | null];
  const chunk = Math.floor((last ?? 0) / CHUNK_RECORDS);
  if (fstatSync(fd).size < chunkEnd(chunk)) throw truncated(file);
}

function noteBoot(header: Int32Array, bootId: string): void {
  const bytes = Buffer.from(bootId.replaceAll("-", "").padEnd(32, "0").slice(0, 32), "hex");
  const words = new Int32Array(new Uint8Array(bytes).buffer);
  const known = header.subarray(HEADER.bootId, HEADER.bootId + words.length);
  // The first run has the number 1: new records, all zero, are of none.
  if (header[HEADER.boot] !== 0 && words.every((word, index) => word === known[index])) return;
  known.set(words);
  header[HEADER.boot] = (header[HEADER.boot]! + 1) | 0;
}

function machineBootId(): string {
  if (process.platform === "linux") {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  }
  return execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).trim();
}

function identityOf(header: Int32Array): string {
  const words = header.slice(HEADER.identity, HEADER.identity + IDENTITY_BYTES / WORD_BYTES);
  return Buffer.from(words.buffer).toString("hex");
}

function bitsSet(bits: number): readonly number[] {
  return BITS.filter((bit) => (bits & (1 << bit)) !== 0);
}

function chunkEnd(index: number): number {
  return HEADER_BYTES + (index + 1) * CHUNK_BYTES;
}

function writeAll(fd: number, bytes: Buffer, position: number): void {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(fd, bytes, written, bytes.length - written, position + written);
  }
}

function refused(message: string): AccountsRefused {
  return new AccountsRefused("bad_meter_file", message);
}

function truncated(file: string): AccountsRefused {
  return refused(
    `the meter file "${file}" was cut off: put a whole one in its place, or remove it to begin with what the state file has`,
  );
}
