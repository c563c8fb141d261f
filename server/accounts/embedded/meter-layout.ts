/**
 * Where everything stands in the two files of the meters, in 32-bit words of the machine's own byte order.
 *
 *     header        64 KiB: magic, version, identity, seats
 *     chunk 0..n    1,024 records; the place of each first record holds the chunk's list of changed ones
 *
 * The minutes are a file of their own, for they are void after a restart of the machine: the meter file is forced to the disk,
 * and each page of it that was written to since costs five microseconds then, so an account takes as little of it as can be. What
 * calls with live keys change is one line of 128 bytes; test keys have theirs behind those of the chunk's 1,024 accounts.
 *
 * Sizes are whole pages of every machine there is (64 KiB), so that chunks can be mapped one by one.
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
  /** "HSMT", and the layout's version: another one is another file. */
  magic: 0x4853_4d54,
  version: 2,
  chunkBytes: 2 * TESTS_AT * WORD_BYTES,
};

export const IDENTITY_WORDS = 4;

/** The header. The file of minutes has the first three. */
export const HEADER = {
  magic: 0,
  version: 1,
  /** No other file's. */
  identity: 8,
  /** 0 until the state file names this file as its own. */
  adopted: 2,
  /** Counts restarts of the machine, which empty the minute. */
  boot: 3,
  /** Milliseconds of the steady clock, when a process last began to settle for all. */
  settledMs: 4,
  /** Goes up after each commit of new keys, before they are shown to anybody. */
  newKeys: 5,
  bootId: 12,
  /** Identity of the file of minutes that belongs to this one. */
  minutes: 16,
  /** One word a seat: how often it was taken. */
  seats: 1_024,
} as const;
export const SEATS = 256;
/** Seat n is locked by this byte and n: far behind the file's end, where nothing is ever stored. */
export const SEAT_LOCK_BYTE = 2 ** 40;

/** A record: one account. */
export const RECORD = {
  /** 0, or who is at work on the record and its minute: see `MeterSeat.token`. */
  lock: 0,
  /** The restart of the machine that the minute and the totals belong to. */
  boot: 1,
  /** 1 while the state file may not have all that is counted here. */
  changed: 2,
  /** The allowance of live keys. */
  live: 8,
  /** The allowance of test keys, counted from the record too. */
  test: TESTS_AT + 8,
} as const;

/** An allowance of a record. */
export const ALLOWANCE = {
  /** Changes whenever what processes remember of this allowance no longer holds. */
  epoch: 0,
  /** 1 when the total has to be added up again. */
  suspect: 1,
  /** What the counters count for since they were last settled: see `meter-stamp.ts`. */
  period: 2,
  day: 3,
  /** Units used in the period: low word, high word. */
  total: 4,
  totalHigh: 5,
  /** Calls by endpoint since ever, modulo 2^32. */
  counters: 8,
} as const;

/**
 * Endpoints that are counted here, by place. Places are never given to another endpoint: a file
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
  /** First entry and how many, in one word so that they change together. */
  ring: 0,
  ringTotal: 1,
  /** Seconds of the steady clock at the last admission: where it is long ago, the ring means nothing. */
  admittedSeconds: 2,
  /** `RING_ENTRIES` times an instant in milliseconds and the admissions in it. */
  entries: 16,
} as const;
export const RING_ENTRIES = 64;
export const MINUTE_WORDS = 144;

/** The file of minutes, whose chunks go with those of the meter file. */
export const MINUTES = {
  name: "minute",
  /** "HSMN" */
  magic: 0x4853_4d4e,
  version: 1,
  chunkBytes: CHUNK_RECORDS * MINUTE_WORDS * WORD_BYTES,
};
