/** Work that is repeated, one round at a time. A failure does not end it, and is reported once for as long as it lasts. */
export class RepeatingTask {
  readonly #work: () => unknown;
  readonly #failed: (reason: string) => void;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #reported = "";

  constructor(work: () => unknown, failed: (reason: string) => void) {
    this.#work = work;
    this.#failed = failed;
  }

  /** Begins the first round before it returns. */
  start(everyMs: number): void {
    this.#timer = setInterval(() => void this.next(), everyMs).unref();
    void this.next();
  }

  /** Resolves after the round under way, or else after a new one. */
  next(): Promise<void> {
    this.#running ??= this.#round().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Resolves once no round is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#running;
  }

  async #round(): Promise<void> {
    try {
      await this.#work();
      this.#reported = "";
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (reason !== this.#reported) this.#failed(reason);
      this.#reported = reason;
    }
  }
}
