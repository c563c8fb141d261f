/**
 * Where everything stands in the meter file, in 32-bit words of the machine's own byte order.
 *
 *     header        64 KiB: magic, version, identity, seats
 *     chunk 0..n    1,024 records; the place of each first record holds the chunk's list of changed ones
 *
 * Sizes are whole pages of every machine there is (64 KiB), so that chunks can be mapped one by one.
 */
export const WORD_BYTES = 4;
export const HEADER_BYTES = 65_536;
export const RECORD_WORDS = 192;
export const CHUNK_RECORDS = 1_024;
export const CHUNK_BYTES = CHUNK_RECORDS * RECORD_WORDS * WORD_BYTES;

/** "HSMT", and the layout's version: another one is another file. */
export const MAGIC = 0x4853_4d54;
export const VERSION = 1;

/** The header. */
export const HEADER = {
  magic: 0,
  version: 1,
  /** 0 until the state file names this file as its own. */
  adopted: 2,
  /** Counts restarts of the machine, which empty the minute. */
  boot: 3,
  /** Milliseconds of the steady clock, when a process last began to settle for all. */
  settledMs: 4,
  /** Goes up behind each commit of new keys, before they are shown to anybody. */
  newKeys: 5,
  /** 16 bytes each. */
  identity: 8,
  bootId: 12,
  /** One word a seat: how often it was taken. */
  seats: 1_024,
} as const;
export const SEATS = 256;
/** Seat n is locked by this byte and n: far behind the file's end, where nothing is ever stored. */
export const SEAT_LOCK_BYTE = 2 ** 40;

/** A record: one account. */
export const RECORD = {
  /** 0, or who is at work on the record: see `seatToken`. */
  lock: 0,
  /** The restart of the machine that the minute and the totals belong to. */
  boot: 1,
  /** 1 while the state file may not have all that is counted here. */
  changed: 2,
  /** The minute's ring: first entry and how many, in one word so that they change together. */
  ring: 3,
  ringTotal: 4,
  /** Seconds of the steady clock at the last admission: where it is long ago, the ring means nothing. */
  admittedSeconds: 5,
  /** Two allowances of `ALLOWANCE_WORDS`: live, test. */
  allowances: 8,
  /** `RING_ENTRIES` times an instant in milliseconds and the admissions in it. */
  entries: 64,
} as const;
export const RING_ENTRIES = 64;

export const ALLOWANCE_WORDS = 24;
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
