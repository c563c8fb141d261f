import { setTimeout as sleep } from "node:timers/promises";
import { AccountsUnavailable } from "../accounts.ts";
import { isBusy, storeFailure } from "./state-file.ts";

/**
 * Work on the state file that may find the file's lock, or a meter's, taken by another process. It is done at
 * once if possible; otherwise it is tried again in later turns of the event loop, in the order it came.
 */
const WAITING_MAX = 4_096;
/** Pieces of work done in one turn, to let other requests in between. */
const TURN_MAX = 64;
/** Attempts made in consecutive turns; after those, each waits a millisecond. */
const EAGER_ATTEMPTS = 20;
const RETRY_MS = 1;

interface Waiting {
  /** Throws if the lock is taken; it reports its own outcome. */
  readonly attempt: () => void;
  readonly fail: (error: Error) => void;
}

export interface PatientQueueOptions {
  readonly monotonicMs: () => number;
  /** How long work waits for other processes before it fails. */
  readonly lockWaitMs: number;
}

export class PatientQueue {
  readonly #options: PatientQueueOptions;
  #waiting: Waiting[] = [];
  #waitingSinceMs = 0;
  #attempts = 0;

  constructor(options: PatientQueueOptions) {
    this.#options = options;
  }

  /**
   * Returns the work's result, at once if nothing is in the way. Fails with `AccountsUnavailable` if the
   * store fails.
   */
  run<T>(work: () => T): T | Promise<T> {
    if (this.#waiting.length === 0) {
      try {
        return work();
      } catch (error) {
        if (!isBusy(error)) throw storeFailure(error);
      }
    }
    return new Promise((resolve, reject) => {
      this.#wait({ attempt: () => resolve(work()), fail: reject });
    });
  }

  /** Like `run`, but calls `done` in the turn the work is done in, before any work queued after it. */
  start<T>(work: () => T, done: (outcome: T | Error) => void): void {
    const now = this.#waiting.length === 0 ? tried(work) : undefined;
    if (now === undefined) this.#wait({ attempt: () => done(work()), fail: done });
    else done(now.outcome);
  }

  /** Resolves once nothing waits any more. */
  async settled(): Promise<void> {
    while (this.#waiting.length > 0) await sleep(RETRY_MS);
  }

  #wait(waiting: Waiting): void {
    if (this.#waiting.length >= WAITING_MAX) {
      waiting.fail(new AccountsUnavailable("too many requests wait for the state file"));
      return;
    }
    this.#waiting.push(waiting);
    if (this.#waiting.length > 1) return;
    this.#waitingSinceMs = this.#options.monotonicMs();
    this.#attempts = 0;
    this.#schedule();
  }

  #schedule(): void {
    this.#attempts += 1;
    if (this.#attempts <= EAGER_ATTEMPTS) setImmediate(() => this.#turn());
    else setTimeout(() => this.#turn(), RETRY_MS);
  }

  #turn(): void {
    for (let done = 0; done < TURN_MAX && this.#waiting.length > 0; done++) {
      const [first] = this.#waiting as [Waiting];
      try {
        first.attempt();
      } catch (error) {
        if (isBusy(error) && this.#mayWait()) break;
        // The lock does not come free, and the others in the queue have waited for the same one.
        if (isBusy(error)) this.#failAll(error);
        else first.fail(storeFailure(error));
      }
      this.#waiting.shift();
      this.#waitingSinceMs = this.#options.monotonicMs();
      this.#attempts = 0;
    }
    if (this.#waiting.length > 0) this.#schedule();
  }

  #mayWait(): boolean {
    return this.#options.monotonicMs() - this.#waitingSinceMs < this.#options.lockWaitMs;
  }

  #failAll(error: unknown): void {
    const failure = storeFailure(error);
    for (const { fail } of this.#waiting) fail(failure);
    this.#waiting = [];
  }
}

/** Undefined if the lock is taken. */
function tried<T>(work: () => T): { readonly outcome: T | Error } | undefined {
  try {
    return { outcome: work() };
  } catch (error) {
    return isBusy(error) ? undefined : { outcome: storeFailure(error) };
  }
}
