import type { LoopLoad } from "./loop-load.ts";

/** What waits rests so many times as long as it worked: it takes a quarter of the time at most, however much of it there is. */
const REST = 3;
/** Where other requests keep the thread busy: a piece is seen by all that come meanwhile, so there are few of them then. */
const LONG_REST = 40;
/** Longer than this it is for no piece, also where the disk or the system held one up for long. */
const LONG_REST_MAX_MS = 20;
/** More than so many do not wait for that: each takes some 10 ms with it. */
const PATIENT_MAX = 50;
/** Timers count whole milliseconds: shorter rests are saved up. */
const TIMER_MS = 1;

/**
 * Pieces of work that take a fraction of a millisecond each, one a turn of the event loop with rests between them, so that
 * reads come in between however many there are. In the order they came: one that has to wait for something holds up those behind it.
 */
export class Turns {
  readonly #monotonicMs: () => number;
  readonly #load: LoopLoad;
  #waiting: (() => unknown)[] = [];
  #busy = false;
  /** Rest that is due. */
  #restMs = 0;

  constructor(monotonicMs: () => number, load: LoopLoad) {
    this.#monotonicMs = monotonicMs;
    this.#load = load;
  }

  /** The work's result, at once where nothing else is under way. */
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
    const restMs = REST * tookMs;
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
