import { FILTERED_DIGITS, HashFilter } from "./hash-filter.ts";
import { sqliteCode, type Connection } from "./state-file.ts";

/** Rows read at once, which takes a third of a millisecond, and the pause behind them. */
const PIECE_ROWS = 1_000;
const PAUSE_MS = 2;
const RETRY_MS = 100;
/** Until the file has said how many there are; and how many more than it says there is room for. */
const HASHES_FIRST = 64;
const GROWTH = 1.25;
const ALL_PREFIXES = 2 ** 32;

const PIECE = `
SELECT count(*), coalesce(max(hash), ''), coalesce(group_concat(substr(hash, 1, ${FILTERED_DIGITS}), ''), '')
FROM (SELECT hash FROM keys WHERE hash > ? ORDER BY hash LIMIT ${PIECE_ROWS})`;
const OF_ACCOUNT = "SELECT hash FROM keys WHERE account_id = ?";

/**
 * Knows in memory, two bytes a key, that a hash is surely nobody's key, so that refusing a flood of unknown keys costs
 * neither a statement nor a promise. It is filled in the background after a start, in pieces; until then everything
 * may be a key, and is looked up.
 *
 * Why it never refuses a key that somebody was shown. A new key is committed, then `MeterFile.noteNewKeys` raises a
 * counter in the memory that all processes share, and only then is the key shown. `KeyDirectory` reads that counter,
 * then the store's revision, and adds all keys of the accounts that changed since its last reading. Where it finds
 * the counter as it was before that reading, every key shown until now was in what it read; where it does not, it reads
 * again before it refuses. Filling adds: a key committed before filling began is met on the way, in the order of hashes
 * by which no row is passed over, and one committed later belongs to an account that changed since. A process killed between
 * commit and counter has shown nothing. Keys that end stay in the filter, and are looked up.
 *
 * A writer that does not know the counter (an older version) is noticed by the revision, some 10 ms later.
 */
export class KeyFilter {
  readonly #selectPiece;
  readonly #selectOfAccount;
  #filter = new HashFilter(HASHES_FIRST);
  /** The last hash that filling has come to; undefined when it is done. */
  #filledTo: string | undefined = "";
  #filled = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Connection) {
    this.#selectPiece = db.prepare(PIECE).raw();
    this.#selectOfAccount = db.prepare(OF_ACCOUNT).raw();
    this.#later(0);
  }

  /** Whether everything is in it. */
  get isFilled(): boolean {
    return this.#filledTo === undefined;
  }

  /** False only where nobody has a key of this hash. */
  mayBeKey(hash: string): boolean {
    return this.#filledTo !== undefined || this.#filter.mayHold(hash);
  }

  /** Adds what an account has now. */
  addKeysOf(accountId: string): void {
    const hashes = this.#selectOfAccount.all(accountId) as (readonly [string])[];
    for (const [hash] of hashes) this.#filter.add(hash);
    if (this.#filter.isCrowded && this.isFilled) this.refill();
  }

  /** Begins anew: more has changed than can be named, or the filter is full. */
  refill(): void {
    this.#begin(this.#filter.capacity);
    this.#later(0);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #begin(hashes: number): void {
    this.#filter = new HashFilter(hashes);
    this.#filledTo = "";
    this.#filled = 0;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#fillNext(), ms);
    this.#timer.unref();
  }

  #fillNext(): void {
    try {
      if (this.#fillPiece()) this.#later(PAUSE_MS);
    } catch (error) {
      if (sqliteCode(error) === undefined) throw error;
      this.#later(RETRY_MS);
    }
  }

  /** False when there was nothing left. */
  #fillPiece(): boolean {
    const [rows, last, digits] = this.#selectPiece.get(this.#filledTo) as [number, string, string];
    if (rows < PIECE_ROWS) {
      this.#addAll(digits);
      this.#filledTo = undefined;
      return false;
    }
    // Hashes are spread evenly, so how far it came says how many there are.
    const share = (Number.parseInt(last.slice(0, 8), 16) + 1) / ALL_PREFIXES;
    const expected = ((this.#filled + rows) / share) * GROWTH;
    if (this.#filled === 0 && expected > this.#filter.capacity)
      this.#filter = new HashFilter(expected);
    this.#addAll(digits);
    this.#filled += rows;
    this.#filledTo = last;
    return true;
  }

  #addAll(digits: string): void {
    for (let at = 0; at < digits.length; at += FILTERED_DIGITS) this.#filter.add(digits, at);
  }
}
