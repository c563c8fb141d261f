import type { KeyEnvironment, RateDecision } from "../accounts.ts";
import { ALLOWANCE, COUNTERS, MINUTE_WORDS, RECORD, RECORD_WORDS } from "./meter-layout.ts";
import type { MeterSeat } from "./meter-seat.ts";
import type { Stamp } from "./meter-stamp.ts";
import { admitAt, clearRing, repairRing } from "./minute-ring.ts";

/** An allowance as a process remembers it. It holds as long as the record has the same epoch. */
export interface OpenAllowance {
  readonly env: KeyEnvironment;
  readonly epoch: number;
}

/** What became of a call. `STALE` and `BUSY` send it the slow way, through the state file. */
export const CHARGED = 0;
export const OVER_LIMIT = 1;
const STALE = 2;
const BUSY = 3;
type CallOutcome = typeof CHARGED | typeof OVER_LIMIT | typeof STALE | typeof BUSY;

/**
 * Attempts on a lock that another process holds. A process holds it for a fraction of a microsecond, unless
 * it lost the processor or was killed.
 */
const SPINS = 400;
const WORD = 2 ** 32;

/** The memory that a record is part of, and the process at work on it. */
interface MeterMemory {
  readonly words: Int32Array;
  readonly minutes: Int32Array;
  readonly seat: MeterSeat;
}

/**
 * One account's record in the meter file, shared by all processes of the machine.
 *
 * Everything between `lock` and `unlock` is a few memory accesses. If a process is killed among them, the
 * next one that wants the lock notices and takes it over. It adds the minute up again and leaves the totals
 * to be added up from the state file: the counters are the truth, and each of them is one word.
 *
 * Inside the lock, words are read and written plainly. The lock's own accesses are atomic, which keeps the
 * others inside it.
 */
export class Meter {
  readonly slot: number;
  /** Units used in the period, as of the last `charge`. */
  used = 0;
  readonly #words: Int32Array;
  readonly #base: number;
  readonly #minutes: Int32Array;
  readonly #place: number;
  readonly #seat: MeterSeat;

  /** `words` and `minutes` are the chunks of the two files, and `place` is the record's number in them. */
  constructor(slot: number, place: number, of: MeterMemory) {
    this.slot = slot;
    this.#words = of.words;
    this.#minutes = of.minutes;
    this.#place = place;
    this.#base = place * RECORD_WORDS;
    this.#seat = of.seat;
  }

  /** False if a living process holds the lock. */
  lock(): boolean {
    const { token, boot } = this.#seat;
    const words = this.#words;
    const base = this.#base;
    if (Atomics.compareExchange(words, base, 0, token) !== 0 && !this.#contend()) return false;
    if (Atomics.load(words, base + RECORD.boot) !== boot) this.#renew(boot);
    return true;
  }

  unlock(): void {
    Atomics.store(this.#words, this.#base, 0);
  }

  /** Counts one request against the minute; undefined if the record is busy. */
  admit(limit: number, steadyMs: number): RateDecision | undefined {
    if (!this.lock()) return undefined;
    const decision = admitAt(this.#minutes, this.#place * MINUTE_WORDS, limit, steadyMs);
    this.unlock();
    return decision;
  }

  /** Counts one call of the endpoint at this place, or refuses it. Sets `used`. */
  charge({ env, epoch }: OpenAllowance, place: number, limit: number): CallOutcome {
    if (!this.lock()) return BUSY;
    const words = this.#words;
    const allowance = this.#allowance(env);
    let outcome: CallOutcome = STALE;
    if (words[allowance + ALLOWANCE.epoch] === epoch) {
      this.used = this.#total(allowance);
      outcome = OVER_LIMIT;
      if (this.used < limit) {
        if (words[this.#base + RECORD.changed] === 0) this.#markChanged();
        // The counter first: from here on the call is counted.
        words[allowance + ALLOWANCE.counters + place]! += 1;
        this.used += 1;
        this.#setTotal(allowance, this.used);
        outcome = CHARGED;
      }
    }
    this.unlock();
    return outcome;
  }

  /**
   * Units used, read without the lock; undefined if what is remembered no longer holds or the record is in
   * doubt.
   */
  read({ env, epoch }: OpenAllowance): number | undefined {
    const words = this.#words;
    const allowance = this.#allowance(env);
    const total = this.#total(allowance);
    // The total is read twice, in case a carry moved from one word to the other in between.
    const isSound =
      Atomics.load(words, this.#base) === 0 &&
      Atomics.load(words, this.#base + RECORD.boot) === this.#seat.boot &&
      Atomics.load(words, allowance + ALLOWANCE.epoch) === epoch &&
      this.#total(allowance) >= total;
    return isSound ? total : undefined;
  }

  /** Whether the state file may not have all that is counted here. */
  get isChanged(): boolean {
    return Atomics.load(this.#words, this.#base + RECORD.changed) !== 0;
  }

  /** Calls by place since the record was made, modulo 2^32. Counters only grow, so no lock is needed. */
  counters(env: KeyEnvironment): Int32Array {
    const first = this.#allowance(env) + ALLOWANCE.counters;
    const counts = new Int32Array(COUNTERS);
    for (let place = 0; place < COUNTERS; place++) {
      counts[place] = Atomics.load(this.#words, first + place);
    }
    return counts;
  }

  /** What the counters count for. It changes only under the state file's lock. */
  stamp(env: KeyEnvironment): Stamp {
    const allowance = this.#allowance(env);
    return {
      period: Atomics.load(this.#words, allowance + ALLOWANCE.period),
      day: Atomics.load(this.#words, allowance + ALLOWANCE.day),
    };
  }

  epoch(env: KeyEnvironment): number {
    return Atomics.load(this.#words, this.#allowance(env) + ALLOWANCE.epoch);
  }

  /** Inside the lock: the epoch, and the total if it can be relied on. */
  state(env: KeyEnvironment): { readonly epoch: number; readonly total: number | undefined } {
    const allowance = this.#allowance(env);
    const isSuspect = this.#words[allowance + ALLOWANCE.suspect] !== 0;
    return {
      epoch: this.#words[allowance + ALLOWANCE.epoch]!,
      total: isSuspect ? undefined : this.#total(allowance),
    };
  }

  /** Inside the lock: sets the total, keeping the epoch. */
  setTotal(env: KeyEnvironment, total: number): void {
    this.#setTotal(this.#allowance(env), total);
  }

  /** Inside the lock: starts to count for something else and returns the new epoch. */
  open(env: KeyEnvironment, { period, day }: Stamp, total: number): number {
    const words = this.#words;
    const allowance = this.#allowance(env);
    const epoch = this.#nextEpoch(allowance);
    words[allowance + ALLOWANCE.period] = period;
    words[allowance + ALLOWANCE.day] = day;
    this.#setTotal(allowance, total);
    words[allowance + ALLOWANCE.suspect] = 0;
    return epoch;
  }

  /**
   * Inside the lock: invalidates what processes remember about the allowances, and has the totals added up
   * again.
   */
  suspect(): void {
    for (const env of ["live", "test"] as const) {
      const allowance = this.#allowance(env);
      this.#words[allowance + ALLOWANCE.suspect] = 1;
      this.#nextEpoch(allowance);
    }
  }

  /**
   * The state file has these counts. If none were added meanwhile, clears the mark that the record has
   * changed.
   */
  settled(live: Int32Array, test: Int32Array): void {
    if (!this.lock()) return; // the next round will find it settled
    if (isSame(this.counters("live"), live) && isSame(this.counters("test"), test)) {
      this.#words[this.#base + RECORD.changed] = 0;
      Atomics.and(this.#words, this.#place >>> 5, ~(1 << (this.#place & 31)));
    }
    this.unlock();
  }

  #allowance(env: KeyEnvironment): number {
    return this.#base + (env === "live" ? RECORD.live : RECORD.test);
  }

  #total(allowance: number): number {
    const words = this.#words;
    const low = Atomics.load(words, allowance + ALLOWANCE.total) >>> 0;
    return low + Atomics.load(words, allowance + ALLOWANCE.totalHigh) * WORD;
  }

  #setTotal(allowance: number, total: number): void {
    this.#words[allowance + ALLOWANCE.total] = total | 0;
    this.#words[allowance + ALLOWANCE.totalHigh] = Math.floor(total / WORD);
  }

  #nextEpoch(allowance: number): number {
    const epoch = (this.#words[allowance + ALLOWANCE.epoch]! + 1) | 0;
    this.#words[allowance + ALLOWANCE.epoch] = epoch;
    return epoch;
  }

  /**
   * In the list first, then in the record: a kill in between leaves a record that is listed but has nothing
   * new.
   */
  #markChanged(): void {
    Atomics.or(this.#words, this.#place >>> 5, 1 << (this.#place & 31));
    this.#words[this.#base + RECORD.changed] = 1;
  }

  #contend(): boolean {
    const { token } = this.#seat;
    for (let spin = 0; spin < SPINS; spin++) {
      if (Atomics.compareExchange(this.#words, this.#base, 0, token) === 0) return true;
    }
    const owner = Atomics.load(this.#words, this.#base);
    if (owner === token) throw new Error(`the meter of slot ${this.slot} is locked twice`);
    if (owner !== 0 && !this.#seat.isGone(owner)) return false;
    if (Atomics.compareExchange(this.#words, this.#base, owner, token) !== owner) return false;
    if (owner !== 0) this.#repair();
    return true;
  }

  /** The lock's owner was killed while at work on the record. */
  #repair(): void {
    this.#markChanged();
    repairRing(this.#minutes, this.#place * MINUTE_WORDS);
    this.suspect();
  }

  /**
   * The machine was restarted: the minute is over, and the file may be older than the state file. After a power loss
   * its pages are of different instants, and the list may lack a record that says it has changed.
   */
  #renew(boot: number): void {
    this.#markChanged();
    clearRing(this.#minutes, this.#place * MINUTE_WORDS);
    this.suspect();
    this.#words[this.#base + RECORD.boot] = boot;
  }
}

function isSame(one: Int32Array, other: Int32Array): boolean {
  return one.every((value, index) => value === other[index]);
}
