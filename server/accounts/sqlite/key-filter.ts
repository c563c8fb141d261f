import { FILTERED_DIGITS, HashFilter } from "./hash-filter.ts";
import { sqliteCode, type Connection } from "./state-file.ts";

/** Rows read at once, which takes a third of a millisecond, and the pause after them. */
const PIECE_ROWS = 1_000;
const PAUSE_MS = 2;
const RETRY_MS = 100;
/**
 * The filter's size until the file has said how many keys there are, and how much room beyond that number.
 */
const HASHES_FIRST = 64;
const GROWTH = 1.25;
const ALL_PREFIXES = 2 ** 32;

const PIECE = `
SELECT count(*), coalesce(max(hash), ''), coalesce(group_concat(substr(hash, 1, ${FILTERED_DIGITS}), ''), '')
FROM (SELECT hash FROM keys WHERE hash > ? ORDER BY hash LIMIT ${PIECE_ROWS})`;
const OF_ACCOUNT = "SELECT hash FROM keys WHERE account_id = ?";

/**
 * Knows that a hash is certainly nobody's key, in memory and at two bytes a key. Refusing a flood of unknown
 * keys then costs neither a statement nor a promise. The filter is filled in pieces in the background after a
 * start; until then every hash may be a key and is looked up.
 *
 * It never refuses a key that was shown to somebody. A new key is committed first; then
 * `MeterFile.noteNewKeys` raises a counter in memory shared by all processes; only then is the key shown.
 * `KeyDirectory` reads that counter, then the store's revision, and adds all keys of the accounts that
 * changed since its last reading. If the counter still has the value from before that reading, the reading
 * included every key shown so far. If not, the directory reads again before it refuses.
 *
 * Filling misses no key either. It walks the keys in the order of their hashes, so it meets every key
 * committed before it began; a key committed later belongs to an account that has changed since. A process
 * killed between commit and counter has not shown its key. Keys that end stay in the filter and are looked
 * up.
 *
 * An older version that writes keys without raising the counter is noticed by the revision, some 10 ms later.
 */
export class KeyFilter {
  readonly #selectPiece;
  readonly #selectOfAccount;
  #filter = new HashFilter(HASHES_FIRST);
  /** The last hash that filling has reached; undefined when it is done. */
  #filledTo: string | undefined = "";
  #filled = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Connection) {
    this.#selectPiece = db.prepare(PIECE).raw();
    this.#selectOfAccount = db.prepare(OF_ACCOUNT).raw();
    this.#later(0);
  }

  /** Whether it holds every key. */
  get isFilled(): boolean {
    return this.#filledTo === undefined;
  }

  /** False only if nobody has a key with this hash. */
  mayBeKey(hash: string): boolean {
    return this.#filledTo !== undefined || this.#filter.mayHold(hash);
  }

  /** Adds the keys an account has now. */
  addKeysOf(accountId: string): void {
    const hashes = this.#selectOfAccount.all(accountId) as (readonly [string])[];
    for (const [hash] of hashes) this.#filter.add(hash);
    if (this.#filter.isCrowded && this.isFilled) this.refill();
  }

  /** Starts over, when too many accounts changed to name them or the filter is crowded. */
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

  /** False once nothing is left. */
  #fillPiece(): boolean {
    const [rows, last, digits] = this.#selectPiece.get(this.#filledTo) as [number, string, string];
    if (rows < PIECE_ROWS) {
      this.#addAll(digits);
      this.#filledTo = undefined;
      return false;
    }
    // Hashes are spread evenly, so how far the first piece reaches tells how many there are.
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
