import type { FailureLog } from "./failure-log.ts";

const BEAT_MS = 2_000;

/** Looks after the job store, one round at a time. A failure is logged once for each outage. */
export class Heartbeat {
  readonly #beat: () => unknown;
  readonly #log: FailureLog;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #unreachable = false;

  constructor(beat: () => unknown, log: FailureLog) {
    this.#beat = beat;
    this.#log = log;
  }

  /** Begins the first round before it returns, so that the store knows the process before it takes a job. */
  start(): void {
    this.#timer = setInterval(() => this.#next(), BEAT_MS).unref();
    this.#next();
  }

  /** Resolves once no round is under way. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#beating;
  }

  #next(): void {
    this.#beating ??= this.#round().finally(() => {
      this.#beating = undefined;
    });
  }

  async #round(): Promise<void> {
    try {
      await this.#beat();
      this.#unreachable = false;
    } catch (error) {
      if (!this.#unreachable)
        this.#log.error({ error: String(error) }, "the job store cannot be looked after");
      this.#unreachable = true;
    }
  }
}
