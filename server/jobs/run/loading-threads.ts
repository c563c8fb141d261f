import type { Worker } from "node:worker_threads";

/** Loading takes a tenth of a second, on a busy machine some seconds. */
const LOADING_MAX_MS = 5_000;

/**
 * The threads of a pool that still load their code. To end one of them can abort the whole process (Node 20.20: "FATAL
 * ERROR", in the middle of loading a native module), so a pool waits for them before it ends its threads.
 */
export class LoadingThreads {
  readonly #pool: { readonly threads: readonly Worker[] };
  readonly #seen = new WeakSet<Worker>();
  readonly #loading = new Set<Worker>();
  #whenNone = () => {};

  constructor(pool: { readonly threads: readonly Worker[] }) {
    this.#pool = pool;
  }

  /** Looks for new threads. Call it in the turn in which they may have been started: each says once that it has loaded. */
  look(): void {
    for (const thread of this.#pool.threads) {
      if (this.#seen.has(thread)) continue;
      this.#seen.add(thread);
      this.#loading.add(thread);
      const isOver = () => {
        this.#loading.delete(thread);
        if (this.#loading.size === 0) this.#whenNone();
      };
      thread.once("message", isOver).once("exit", isOver);
    }
  }

  /** Resolves once none is loading, or that takes too long. */
  async none(): Promise<void> {
    this.look();
    if (this.#loading.size === 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOADING_MAX_MS);
      this.#whenNone = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
