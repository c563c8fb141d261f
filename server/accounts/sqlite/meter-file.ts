import { execFileSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { AccountsUnavailable } from "../accounts.ts";
import { AccountsRefused } from "../refused.ts";
import { ChunkFile, headOf, identityIn, makeChunkFile } from "./chunk-file.ts";
import { FORMER_VERSION, isFormer } from "./former-meters.ts";
import { Meter } from "./meter.ts";
import { CHUNK_RECORDS, HEADER, IDENTITY_WORDS, METERS, MINUTES } from "./meter-layout.ts";
import { MeterSeat } from "./meter-seat.ts";
import { inTransaction, openStateFile, type Connection } from "./state-file.ts";

/**
 * The two files of the meters, beside the state file: what accounts use, as it happens, in memory shared by
 * all processes of the machine.
 *
 * The state file names the meter file by its identity and has everything it counts within a second. The meter
 * file in turn names the file of minutes, which may be lost whenever no process has it open.
 */
const OPEN_WAIT_MS = 5_000;
const WORD_BITS = 32;
/** Slots count through all chunks; the first place of each chunk is not a record. */
const RESERVED_PLACES = 1;

export const METERS_REPLACED =
  "the state file or one of the files beside it was replaced while this process had it open: start it again";

export interface MeterFileOptions {
  /** Identifies this boot of the operating system; the machine's own by default. */
  readonly bootId?: string | undefined;
}

/** Opens the meter file of a state file, and makes it if there is none. */
export function openMeterFile(stateFile: string, options: MeterFileOptions = {}): MeterFile {
  const db = openStateFile(stateFile, { busyMs: OPEN_WAIT_MS });
  let opened: MeterFile | undefined;
  try {
    // Under the state file's lock, so that one process makes or adopts the file and the others find it.
    const meters = inTransaction(db, () => {
      opened = openLocked(db, stateFile, options.bootId ?? machineBootId());
      return opened;
    });
    // Only now: a file that the state file could not be told of is nobody's, and is taken at the next start.
    meters.adopt();
    return meters;
  } catch (error) {
    opened?.close();
    if (error instanceof AccountsRefused || error instanceof AccountsUnavailable) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AccountsUnavailable(`cannot open the meters of "${stateFile}": ${reason}`, {
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
  readonly #calls: ChunkFile;
  readonly #minutes: ChunkFile;
  /** The first word of the identity that the file of minutes had when it was opened. */
  readonly #minutesMark: number;
  readonly #seat: MeterSeat;
  #isCutOff = false;
  #closed = false;

  constructor(calls: ChunkFile, minutes: ChunkFile) {
    this.#calls = calls;
    this.#minutes = minutes;
    this.#minutesMark = minutes.header[HEADER.identity]!;
    this.#seat = new MeterSeat(calls.fd, calls.header);
  }

  /** The identity by which the state file names it. */
  get identity(): string {
    return this.#calls.identity;
  }

  /** True once another file has taken the place of one of these: nothing counted here matters any more. */
  get isReplaced(): boolean {
    return this.#isCutOff || this.#calls.header[HEADER.minutes] !== this.#minutesMark;
  }

  /** True once the state file names another one, or is not there any more. */
  get isCutOff(): boolean {
    return this.#isCutOff;
  }

  /** Called once the state file names this one. */
  adopt(): void {
    this.#calls.header[HEADER.adopted] = 1;
  }

  /** Called when the state file names another meter file, or is not there any more. */
  cutOff(): void {
    this.#isCutOff = true;
  }

  /** The record in a slot. Its space must exist: see `reserve`. */
  at(slot: number): Meter {
    const place = slot % CHUNK_RECORDS;
    const chunk = (slot - place) / CHUNK_RECORDS;
    const words = this.#calls.chunk(chunk);
    return new Meter(slot, place, {
      words,
      minutes: this.#minutes.chunk(chunk),
      seat: this.#seat,
    });
  }

  /**
   * Makes room for a slot. Call it under the state file's lock. Throws `AccountsUnavailable` if there is no
   * space.
   */
  reserve(slot: number): void {
    const chunk = chunkOf(slot);
    this.#minutes.reserve(chunk);
    // It must be on the disk before the state file says that the slot exists.
    if (this.#calls.reserve(chunk) || this.#calls.isInDoubt) this.#calls.syncNow();
  }

  /**
   * Slots, from `from` on, of accounts that the state file may not have in full; at most `atMost` of them.
   */
  changed(from = 0, atMost = Number.POSITIVE_INFINITY): readonly number[] {
    const slots: number[] = [];
    const end = this.#calls.length * CHUNK_RECORDS;
    for (let first = from - (from % WORD_BITS); first < end; first += WORD_BITS) {
      const place = first % CHUNK_RECORDS;
      const words = this.#calls.chunk((first - place) / CHUNK_RECORDS);
      let bits = Atomics.load(words, place / WORD_BITS);
      if (first < from) bits &= -1 << (from - first);
      for (; bits !== 0; bits &= bits - 1) {
        if (slots.length >= atMost) return slots;
        slots.push(first + lowestBit(bits));
      }
    }
    return slots;
  }

  /** Whether this process should settle for all: nobody else began within `everyMs`. */
  takeSettlingTurn(steadyMs: number, everyMs: number): boolean {
    const { header } = this.#calls;
    const now = Math.floor(steadyMs) | 0;
    const last = Atomics.load(header, HEADER.settledMs);
    const since = (now - last) | 0;
    if (since >= 0 && since < everyMs) return false;
    return Atomics.compareExchange(header, HEADER.settledMs, last, now) === last;
  }

  /** Forces the counts to the disk, on a thread of the runtime. Do not close the file meanwhile. */
  async sync(): Promise<void> {
    await this.#calls.sync();
  }

  /** Goes up whenever keys are made: see `KeyFilter`. */
  get newKeys(): number {
    return Atomics.load(this.#calls.header, HEADER.newKeys);
  }

  /** Tells all processes that keys were made. Call it after their commit and before anybody sees them. */
  noteNewKeys(): void {
    Atomics.add(this.#calls.header, HEADER.newKeys, 1);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#seat.leave();
    this.#calls.close();
    this.#minutes.close();
  }
}

function openLocked(db: Connection, stateFile: string, bootId: string): MeterFile {
  const file = metersFileOf(stateFile);
  if (!existsSync(file) || isLeftOver(db, file) || isFormer(file)) makeChunkFile(METERS, file);
  checkFormat(file);
  const calls = new ChunkFile(METERS, file);
  let minutes: ChunkFile | undefined;
  try {
    if (calls.length === 0) throw truncated(file); // without a chunk the header may be cut short
    checkOwner(db, file, calls);
    const chunk = lastChunk(db);
    if (calls.length <= chunk) throw truncated(file);
    noteBoot(calls.header, bootId);
    minutes = openMinutes(`${stateFile}-minutes`, calls, chunk);
    return new MeterFile(calls, minutes);
  } catch (error) {
    calls.close();
    minutes?.close();
    throw error;
  }
}

function metersFileOf(stateFile: string): string {
  return `${stateFile}-meters`;
}

/** Whether this meter file is left over from a state file that was removed: the present one never had any. */
function isLeftOver(db: Connection, file: string): boolean {
  if (knownIdentity(db) !== undefined) return false;
  checkFormat(file); // never replaces a file of another kind
  return true;
}

function knownIdentity(db: Connection): string | undefined {
  const row = db.prepare("SELECT identity FROM meter_file").raw().get() as [string] | undefined;
  return row?.[0];
}

function checkFormat(file: string): void {
  const head = headOf(file);
  if (head[HEADER.magic] !== METERS.magic) {
    throw refused(`"${file}" is not a Hindsight meter file`);
  }
  const version = head[HEADER.version]!;
  if (version === METERS.version || version === FORMER_VERSION) return;
  throw refused(
    `the meter file "${file}" has the version ${version}, this Hindsight knows ${METERS.version}`,
  );
}

/** A file never in use becomes this state file's own; one that belongs to another is left alone. */
function checkOwner(db: Connection, file: string, { identity, header }: ChunkFile): void {
  if (knownIdentity(db) === identity) return;
  if (header[HEADER.adopted] !== 0) {
    throw refused(
      `the meter file "${file}" belongs to another state file, or to another time of this one: put the right one in its place, or remove it to begin with what the state file has`,
    );
  }
  db.exec("DELETE FROM settled; DELETE FROM meters");
  db.prepare("INSERT OR REPLACE INTO meter_file VALUES (1, ?)").run(identity);
}

function lastChunk(db: Connection): number {
  const [last] = db.prepare("SELECT max(slot) FROM meters").raw().get() as [number | null];
  return chunkOf(last ?? 0);
}

/**
 * Opens the file of minutes that the meter file names, or makes one. If it was lost, every minute begins
 * anew.
 */
function openMinutes(file: string, { header }: ChunkFile, chunk: number): ChunkFile {
  if (!isMinutesOf(header, file)) makeChunkFile(MINUTES, file);
  const minutes = new ChunkFile(MINUTES, file);
  try {
    minutes.reserve(chunk); // its end need not have reached the disk
  } catch (error) {
    minutes.close();
    throw error;
  }
  const identity = minutes.header.subarray(HEADER.identity, HEADER.identity + IDENTITY_WORDS);
  header.set(identity, HEADER.minutes);
  return minutes;
}

function isMinutesOf(header: Int32Array, file: string): boolean {
  if (!existsSync(file)) return false;
  const head = headOf(file);
  if (head[HEADER.magic] !== MINUTES.magic) {
    throw refused(`"${file}" is not a Hindsight file of minutes`); // never replaced
  }
  return (
    head[HEADER.version] === MINUTES.version &&
    identityIn(head, HEADER.identity) === identityIn(header, HEADER.minutes)
  );
}

function noteBoot(header: Int32Array, bootId: string): void {
  const bytes = Buffer.from(bootId.replaceAll("-", "").padEnd(32, "0").slice(0, 32), "hex");
  const words = new Int32Array(new Uint8Array(bytes).buffer);
  const known = header.subarray(HEADER.bootId, HEADER.bootId + words.length);
  // No boot has the number 0, so new records, which are all zero, belong to none.
  if (header[HEADER.boot] !== 0 && words.every((word, index) => word === known[index])) return;
  known.set(words);
  // Drawn, not counted on: a power loss may take the header's last number and leave records that have it.
  header[HEADER.boot] = randomInt(1, 2 ** 31);
}

function machineBootId(): string {
  if (process.platform === "linux") {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  }
  return execFileSync("sysctl", ["-n", "kern.bootsessionuuid"], { encoding: "utf8" }).trim();
}

function lowestBit(bits: number): number {
  return WORD_BITS - 1 - Math.clz32(bits & -bits);
}

function chunkOf(slot: number): number {
  return Math.floor(slot / CHUNK_RECORDS);
}

function refused(message: string): AccountsRefused {
  return new AccountsRefused("bad_meter_file", message);
}

function truncated(file: string): AccountsRefused {
  return refused(
    `the meter file "${file}" was cut off: put a whole one in its place, or remove it to begin with what the state file has`,
  );
}
