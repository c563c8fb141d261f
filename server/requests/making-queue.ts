import { DomainError } from "../http/errors.ts";

/** How long a turn of the event loop makes answers, if no single one takes longer. */
const TURN_MS = 5;
/** Works of one owner that may wait. */
const OF_OWNER_MAX = 1000;
/** Works that may go on off the event loop: those of one owner never do at the same time. */
const ASIDE_MAX = 2;

interface Work {
  /** Does it, and passes its outcome on. Resolves once what goes on off the event loop is over. */
  readonly run: () => Promise<void> | undefined;
  readonly refuse: (error: DomainError) => void;
}

/**
 * What is made on the event loop: answers that are not in the cache, pages, long bodies. It is done at once while the
 * turn has time for it. The rest waits, by its owner: an account, or a network without a key. Owners take turns, so that
 * one who asks for a thousand answers waits for them, and nobody else does.
 */
export class MakingQueue {
  /** The owner whose turn is next comes first. */
  readonly #waiting = new Map<string, Work[]>();
  readonly #aside = new Set<string>();
  readonly #monotonicMs: () => number;
  #spentMs = 0;
  #isScheduled = false;

  constructor(monotonicMs: () => number) {
    this.#monotonicMs = monotonicMs;
  }

  /** Does work once it is the owner's turn. Rejects with what the work throws, or if too much of the owner's waits. */
  add<Made>(owner: string, work: () => Made | Promise<Made>): Promise<Made> {
    return new Promise<Made>((resolve, reject) => {
      const run = () => {
        try {
          const made = work();
          if (made instanceof Promise) return made.then(resolve, reject);
          resolve(made);
        } catch (error) {
          reject(error as Error);
        }
        return undefined;
      };
      this.#enter(owner, { run, refuse: reject });
    });
  }

  #enter(owner: string, work: Work): void {
    const own = this.#waiting.get(owner);
    if (own !== undefined && own.length >= OF_OWNER_MAX) {
      work.refuse(
        new DomainError("unavailable", "too many answers wait to be made; retry shortly"),
      );
      return;
    }
    if (own === undefined) this.#waiting.set(owner, [work]);
    else own.push(work);
    this.#spend();
  }

  /** Works until the turn has no time left, and goes on in the next one. */
  #spend(): void {
    while (this.#spentMs < TURN_MS && this.#aside.size < ASIDE_MAX) {
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
    const work = works.shift()!; // nobody waits without work
    this.#waiting.delete(owner); // and comes last from now on
    if (works.length > 0) this.#waiting.set(owner, works);
    const aside = work.run();
    if (aside === undefined) return;
    this.#aside.add(owner);
    const over = () => {
      this.#aside.delete(owner);
      this.#spend();
    };
    void aside.then(over);
  }
}
