/**
 * Pieces of work that take a fraction of a millisecond each, one a turn of the event loop, so that reads come in between
 * however many there are. In the order they came: one that has to wait for something holds up those behind it.
 */
export class Turns {
  #waiting: (() => unknown)[] = [];
  #busy = false;

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
    let result: T | undefined;
    try {
      result = work();
      return result;
    } finally {
      if (result instanceof Promise) result.then(this.#turnOver, this.#turnOver);
      else this.#turnOver();
    }
  }

  readonly #turnOver = (): void => {
    setImmediate(this.#next);
  };

  readonly #next = (): void => {
    const work = this.#waiting.shift();
    if (work === undefined) this.#busy = false;
    else this.#begin(work);
  };
}
