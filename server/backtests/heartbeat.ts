const BEAT_MS = 2_000;

export interface HeartbeatOptions {
  /** Looks after the store: what others left behind, what nobody heard. */
  readonly beat: () => unknown;
  /** A failure that no caller sees. */
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
}

/** Looks after the job store every two seconds, one round at a time. Said once for each outage, not at every beat. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #unreachable = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** The first round is under way when this returns, so that a process is known before it takes a job. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#next(), BEAT_MS).unref();
    this.#next();
  }

  /** Resolves when no round is under way any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
  }

  #next(): void {
    this.#beating ??= this.#beat().finally(() => {
      this.#beating = undefined;
    });
  }

  async #beat(): Promise<void> {
    const { beat, report } = this.#options;
    try {
      await beat();
      this.#unreachable = false;
    } catch (error) {
      if (!this.#unreachable)
        report("the job store cannot be looked after", { error: String(error) });
      this.#unreachable = true;
    }
  }
}
