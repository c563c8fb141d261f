/** What waits rests so many times as long as it worked: it takes a quarter of the time at most, however much of it there is. */
const REST = 3;
/** Timers count whole milliseconds: shorter rests are saved up. */
const TIMER_MS = 1;

/**
 * Pieces of work that take a fraction of a millisecond each, one a turn of the event loop with rests between them, so that
 * reads come in between however many there are. In the order they came: one that has to wait for something holds up those behind it.
 */
export class Turns {
  readonly #monotonicMs: () => number;
  #waiting: (() => unknown)[] = [];
  #busy = false;
  /** Rest that is due. */
  #restMs = 0;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
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
      this.#restMs += REST * (this.#monotonicMs() - begunMs);
      if (result instanceof Promise) result.then(this.#turnOver, this.#turnOver);
      else this.#turnOver();
    }
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
