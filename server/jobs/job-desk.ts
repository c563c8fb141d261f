import { Heartbeat, type HeartbeatOptions } from "./run/heartbeat.ts";
import type { JobCounts, JobHome, JobStore, Submission, SubmitOutcome } from "./job-store.ts";

export interface JobDeskOptions extends Pick<HeartbeatOptions, "report"> {
  readonly home: JobHome;
  /** Tells whoever runs jobs that one is waiting. */
  readonly wake: () => void;
}

/**
 * Backtest jobs in a process that answers requests: takes them in and tells what became of them, whichever
 * store they are in. Other processes run them (`JobRunner`).
 */
export class JobDesk {
  readonly #options: JobDeskOptions;
  readonly #heartbeat: Heartbeat | undefined;

  constructor(options: JobDeskOptions) {
    const { home, report } = options;
    this.#options = options;
    if (home.tend !== undefined) {
      this.#heartbeat = new Heartbeat({ beat: () => home.tend?.(), report });
    }
  }

  start(): void {
    this.#heartbeat?.start();
  }

  /** Takes a job in; resolves once it is as durable as the store makes it. */
  async submit(submission: Submission): Promise<SubmitOutcome> {
    const { home, wake } = this.#options;
    const outcome = await home.submit(submission);
    if (outcome.kind === "accepted") wake();
    await home.secure(outcome);
    return outcome;
  }

  find(...asked: Parameters<JobStore["find"]>): ReturnType<JobStore["find"]> {
    return this.#options.home.find(...asked);
  }

  underWay(...asked: Parameters<JobStore["underWay"]>): ReturnType<JobStore["underWay"]> {
    return this.#options.home.underWay(...asked);
  }

  counts(): JobCounts | Promise<JobCounts> {
    return this.#options.home.counts();
  }

  async close(): Promise<void> {
    await this.#heartbeat?.stop();
    await this.#options.home.close();
  }
}
