/** How long answers are made in a turn of the event loop. A single one may take longer. */
const TURN_MS = 5;
/** By default, how many pieces of work may go on off the event loop at once. Of one owner there is never more than one. */
const ASIDE_MAX = 2;

/** Does the work and passes its outcome on. A promise resolves once the part off the event loop is over. */
type Work = () => Promise<void> | undefined;

/**
 * A queue of work in which its owners take turns: accounts, or networks without a key. One queue has what is made on the
 * event loop: answers that are not in the cache, pages and long bodies. Another has the files to check. Work is done at
 * once while the turn of the event loop has time left, and waits otherwise. So a client that asks for a thousand answers waits
 * for them, and no other does. The queue needs no limit of its own: all work in it belongs to an open connection, and
 * the number of these is limited (`connection-limit.ts`).
 */
export class FairQueue {
  /** The owner whose turn is next comes first. */
  readonly #waiting = new Map<string, Work[]>();
  readonly #aside = new Set<string>();
  readonly #monotonicMs: () => number;
  readonly #asideMax: number;
  #spentMs = 0;
  #isScheduled = false;

  constructor(monotonicMs: () => number, asideMax = ASIDE_MAX) {
    this.#monotonicMs = monotonicMs;
    this.#asideMax = asideMax;
  }

  /** Does work when it is the owner's turn. Settles as the work does. */
  add<Made>(owner: string, work: () => Made): Promise<Made> {
    return new Promise<Made>((resolve, reject) => {
      this.#enter(owner, () => {
        try {
          resolve(work());
        } catch (error) {
          reject(error as Error);
        }
        return undefined;
      });
    });
  }

  /** The same for work that goes on off the event loop. */
  addAside<Made>(owner: string, work: () => Promise<Made>): Promise<Made> {
    return new Promise<Made>((resolve, reject) => {
      this.#enter(owner, () => work().then(resolve, reject));
    });
  }

  #enter(owner: string, work: Work): void {
    const own = this.#waiting.get(owner);
    if (own === undefined) this.#waiting.set(owner, [work]);
    else own.push(work);
    this.#spend();
  }

  /** Works until the turn of the event loop has no time left, and goes on in the next one. */
  #spend(): void {
    while (this.#spentMs < TURN_MS && this.#aside.size < this.#asideMax) {
      const owner = this.#nextOwner();
      if (owner === undefined) break;
      const startMs = this.#monotonicMs();
      this.#runOneOf(owner);
      this.#spentMs += this.#monotonicMs() - startMs;
    }
    if (this.#spentMs === 0 || this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#spentMs = 0;
      this.#spend();
    });
  }

  #nextOwner(): string | undefined {
    for (const owner of this.#waiting.keys()) if (!this.#aside.has(owner)) return owner;
    return undefined;
  }

  #runOneOf(owner: string): void {
    const works = this.#waiting.get(owner)!; // it is one of them
    const work = works.shift()!; // there is work wherever one waits
    this.#waiting.delete(owner); // and comes last from now on
    if (works.length > 0) this.#waiting.set(owner, works);
    const aside = work();
    if (aside === undefined) return;
    this.#aside.add(owner);
    const over = () => {
      this.#aside.delete(owner);
      const own = this.#waiting.get(owner);
      this.#waiting.delete(owner);
      if (own !== undefined) this.#waiting.set(owner, own); // it comes last again
      this.#spend();
    };
    void aside.then(over);
  }
}
