import type { FailureLog } from "./failure-log.ts";
import { Heartbeat } from "./heartbeat.ts";
import type { JobIntakeStore, Submission, SubmitOutcome } from "./job-store.ts";

export interface JobIntakeOptions {
  readonly store: JobIntakeStore;
  /** Called when a job waits. */
  readonly wake: () => void;
  readonly log: FailureLog;
}

/** Takes backtest jobs in and finds them again, in a process that answers requests. Others run them (`JobRunner`). */
export class JobIntake {
  readonly #options: JobIntakeOptions;
  readonly #heartbeat: Heartbeat | undefined;

  constructor(options: JobIntakeOptions) {
    const { store, log } = options;
    this.#options = options;
    if (store.tend !== undefined) this.#heartbeat = new Heartbeat(() => store.tend?.(), log);
  }

  start(): void {
    this.#heartbeat?.start();
  }

  async submit(submission: Submission): Promise<SubmitOutcome> {
    const { store, wake } = this.#options;
    const outcome = await store.submit(submission);
    if (outcome.kind === "accepted") wake();
    return outcome;
  }

  find(...asked: Parameters<JobIntakeStore["find"]>): ReturnType<JobIntakeStore["find"]> {
    return this.#options.store.find(...asked);
  }

  underWay(
    ...asked: Parameters<JobIntakeStore["underWay"]>
  ): ReturnType<JobIntakeStore["underWay"]> {
    return this.#options.store.underWay(...asked);
  }

  counts(): ReturnType<JobIntakeStore["counts"]> {
    return this.#options.store.counts();
  }

  async close(): Promise<void> {
    await this.#heartbeat?.stop();
    await this.#options.store.close();
  }
}
