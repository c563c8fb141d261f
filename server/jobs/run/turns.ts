import type { LoopLoad } from "./loop-load.ts";

/**
 * How many times as long as it worked the queue rests after a piece: it takes a quarter of the time at most,
 * however much is waiting.
 */
const REST = 3;
/** The longest of those rests: a piece in which the process was stopped, or its disk, took no processor meanwhile. */
const REST_MAX_MS = 1_000;
/**
 * The same while other requests keep the thread busy: every request that comes during a piece waits for it,
 * so there are few pieces then.
 */
const LONG_REST = 40;
/** The longest of those rests, even after a piece that the disk or the system held up for long. */
const LONG_REST_MAX_MS = 20;
/** With more than this many pieces waiting, the longer rest is dropped: it costs each piece some 10 ms. */
const PATIENT_MAX = 50;
/** Timers count whole milliseconds, so shorter rests are saved up. */
const TIMER_MS = 1;

/**
 * Runs pieces of work that take a fraction of a millisecond each: one a turn of the event loop, with rests in
 * between, so that reads get in however many pieces there are. Pieces run in the order they came; one that
 * has to wait for something holds up those after it.
 */
export class Turns {
  readonly #monotonicMs: () => number;
  readonly #load: LoopLoad;
  #waiting: (() => unknown)[] = [];
  #busy = false;
  /** Rest that is still due. */
  #restMs = 0;

  constructor(monotonicMs: () => number, load: LoopLoad) {
    this.#monotonicMs = monotonicMs;
    this.#load = load;
  }

  /** Returns the work's result, at once if nothing else is under way. */
  run<T>(work: () => T | Promise<T>): T | Promise<T> {
    if (!this.#busy) return this.#begin(work);
    return new Promise((resolve, reject) => {
      this.#waiting.push(async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #begin<T>(work: () => T): T {
    this.#busy = true;
    const begunMs = this.#monotonicMs();
    let result: T | undefined;
    try {
      result = work();
      return result;
    } finally {
      const tookMs = this.#monotonicMs() - begunMs;
      this.#load.worked(tookMs);
      this.#restMs += this.#restMsAfter(tookMs);
      if (result instanceof Promise) result.then(this.#turnOver, this.#turnOver);
      else this.#turnOver();
    }
  }

  #restMsAfter(tookMs: number): number {
    const restMs = Math.min(REST * tookMs, REST_MAX_MS);
    if (!this.#load.isHigh || this.#waiting.length > PATIENT_MAX) return restMs;
    return Math.max(restMs, Math.min(LONG_REST * tookMs, LONG_REST_MAX_MS));
  }

  readonly #turnOver = (): void => {
    if (this.#restMs < TIMER_MS) {
      setImmediate(this.#next);
      return;
    }
    setTimeout(this.#next, Math.ceil(this.#restMs));
    this.#restMs = 0;
  };

  readonly #next = (): void => {
    const work = this.#waiting.shift();
    if (work === undefined) this.#busy = false;
    else this.#begin(work);
  };
}
