/**
 * The layout of the two meter files, in 32-bit words of the machine's own byte order.
 *
 *     header        64 KiB: magic, version, identity, seats
 *     chunk 0..n    1,024 records; the place of each first record holds the chunk's list of changed ones
 *
 * The minutes have a file of their own because a restart of the machine makes them void. The meter file is
 * forced to the disk, and each page written to since then costs five microseconds, so an account takes as
 * little of it as possible. A call with a live key changes a single line of 128 bytes; the lines of test keys
 * follow those of the chunk's 1,024 accounts.
 *
 * Sizes are whole pages (64 KiB) on every machine there is, so that chunks can be mapped one by one.
 */
export const WORD_BYTES = 4;
export const HEADER_BYTES = 65_536;
export const CHUNK_RECORDS = 1_024;
export const RECORD_WORDS = 32;
/** Where a chunk's second half begins. */
const TESTS_AT = CHUNK_RECORDS * RECORD_WORDS;

/** The meter file: calls. */
export const METERS = {
  name: "meter",
  /** "HSMT" and the layout's version. A new version means a new file. */
  magic: 0x4853_4d54,
  version: 2,
  chunkBytes: 2 * TESTS_AT * WORD_BYTES,
};

export const IDENTITY_WORDS = 4;

/** The header. The file of minutes uses the first three members. */
export const HEADER = {
  magic: 0,
  version: 1,
  /** Unique to this file. */
  identity: 8,
  /** 0 until the state file names this file as its own. */
  adopted: 2,
  /** Another number after each restart of the machine, which empties the minute. */
  boot: 3,
  /** When a process last began to settle for all, in milliseconds of the steady clock. */
  settledMs: 4,
  /** Goes up after each commit of new keys, before anybody sees them. */
  newKeys: 5,
  /** Forces to the disk that failed since one counted: see `ChunkFile`. */
  unforced: 6,
  bootId: 12,
  /** Identity of the file of minutes that belongs to this file. */
  minutes: 16,
  /** One word per seat: how often it was taken. */
  seats: 1_024,
} as const;
export const SEATS = 256;
/**
 * The byte that locks seat n is this one plus n. It is far past the file's end, where nothing is ever stored.
 */
export const SEAT_LOCK_BYTE = 2 ** 40;

/** A record: one account. */
export const RECORD = {
  /** 0, or the token of the process at work on the record and its minute: see `MeterSeat.token`. */
  lock: 0,
  /** The boot of the machine that the minute and the totals belong to. */
  boot: 1,
  /** 1 while the state file may not have all that is counted here. */
  changed: 2,
  /** The allowance of live keys. */
  live: 8,
  /** The allowance of test keys, as an offset from the record too. */
  test: TESTS_AT + 8,
} as const;

/** One allowance of a record. */
export const ALLOWANCE = {
  /** Changes whenever what processes remember about this allowance no longer holds. */
  epoch: 0,
  /** 1 if the total has to be added up again. */
  suspect: 1,
  /** What the counters count for since they were last settled: see `meter-stamp.ts`. */
  period: 2,
  day: 3,
  /** Units used in the period: low word, high word. */
  total: 4,
  totalHigh: 5,
  /** Calls by endpoint since the record was made, modulo 2^32. */
  counters: 8,
} as const;

/**
 * Endpoints counted in the meter file, by place. A place is never given to another endpoint, because the file
 * outlives the program. A charge for any other name, or of more than one unit, goes to the state file.
 */
export const METERED_ENDPOINTS = [
  "/signals",
  "/buy-hold",
  "/dca",
  "/overfitting",
  "/overfitting-index",
  "/dataset",
  "/strategies",
] as const;
/** Counters an allowance has room for. */
export const COUNTERS = 16;

/** A record of the file of minutes: one account's ring. */
export const MINUTE = {
  /** Index of the first entry and number of entries, in one word so that they change together. */
  ring: 0,
  ringTotal: 1,
  /** Second of the steady clock of the last admission. If that is long ago, the ring means nothing. */
  admittedSeconds: 2,
  /** `RING_ENTRIES` pairs: an instant in milliseconds and the admissions in it. */
  entries: 16,
} as const;
export const RING_ENTRIES = 64;
export const MINUTE_WORDS = 144;

/** The file of minutes. Its chunks match those of the meter file one to one. */
export const MINUTES = {
  name: "minute",
  /** "HSMN" */
  magic: 0x4853_4d4e,
  version: 1,
  chunkBytes: CHUNK_RECORDS * MINUTE_WORDS * WORD_BYTES,
};
