/** What waits begins so many times as long after the piece before it as that one took: a quarter of the time at most. */
const REST = 3;

/**
 * Pieces of work that take a fraction of a millisecond each, one a turn of the event loop with rests between them, so that
 * reads come in between however many there are. In the order they came: one that has to wait for something holds up those behind it.
 */
export class Turns {
  readonly #monotonicMs: () => number;
  #waiting: (() => unknown)[] = [];
  #busy = false;

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
      const restMs = REST * (this.#monotonicMs() - begunMs);
      const turnOver = () => setTimeout(this.#next, restMs);
      if (result instanceof Promise) result.then(turnOver, turnOver);
      else turnOver();
    }
  }

  readonly #next = (): void => {
    const work = this.#waiting.shift();
    if (work === undefined) this.#busy = false;
    else this.#begin(work);
  };
}
