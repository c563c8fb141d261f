import type { ReportFailure } from "../../process/report-failure.ts";

const BEAT_MS = 2_000;

export interface HeartbeatOptions {
  /** Looks after the store: jobs that others left behind, submissions whose answer nobody heard. */
  readonly beat: () => unknown;
  readonly report: ReportFailure;
}

/**
 * Looks after the job store every two seconds, one round at a time. A failure is reported once for each
 * outage, not at every beat.
 */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> | undefined;
  #unreachable = false;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Begins the first round before it returns, so that the store knows the process before it takes a job. */
  start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#next(), BEAT_MS).unref();
    this.#next();
  }

  /** Resolves once no round is under way. */
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
