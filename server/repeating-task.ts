/** Work that is done again and again, one round at a time. A failure ends nothing, and is reported once while it lasts. */
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

  /** The round under way, or else a new one; resolves once it is over. */
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
