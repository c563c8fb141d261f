import type { ClaimedJob, JobOutcome } from "../job.ts";
import type { JobCall, JobCalls, JobReply } from "../job-calls.ts";
import type { JobCounts, JobRunStore, ReleaseReason } from "../job-store.ts";
import type { HeldSnapshots } from "./held-snapshots.ts";

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/** The jobs of the server that started this process, which keeps them in its state file: each call is a message. */
export class ServedJobs implements JobRunStore {
  readonly #send: (call: JobCall) => void;
  readonly #snapshots: HeldSnapshots;
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #isGone = false;

  constructor(send: (call: JobCall) => void, snapshots: HeldSnapshots) {
    this.#send = send;
    this.#snapshots = snapshots;
  }

  /** Call with each reply of the server. */
  replied({ id, result, error }: JobReply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error));
  }

  /** Call once the server is gone: what it has not answered fails. */
  serverIsGone(): void {
    this.#isGone = true;
    for (const each of this.#waiting.values()) each.reject(gone());
    this.#waiting.clear();
  }

  claim(nowMs: number): Promise<ClaimedJob | undefined> {
    return this.#call("claim", nowMs, this.#snapshots.claimable());
  }

  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): Promise<boolean> {
    return this.#call("finish", job, outcome, nowMs);
  }

  release(job: ClaimedJob, why: ReleaseReason): Promise<void> {
    return this.#call("release", job, why);
  }

  doubt(snapshotId: string): boolean {
    return this.#snapshots.doubt(snapshotId);
  }

  counts(): Promise<JobCounts> {
    return this.#call("counts");
  }

  /** Only looks for missing snapshots: the server queues the jobs of this process again once it is gone. */
  async recover(): Promise<void> {
    await this.#snapshots.refresh();
    this.#snapshots.missing(await this.#call("missing", this.#snapshots.held()));
  }

  prune(nowMs: number): Promise<number> {
    return this.#call("prune", nowMs);
  }

  close(): void {}

  #call<Name extends keyof JobCalls>(
    name: Name,
    ...args: Parameters<JobCalls[Name]>
  ): Promise<ReturnType<JobCalls[Name]>> {
    if (this.#isGone) return Promise.reject(gone());
    const id = this.#calls++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      this.#send({ kind: "call", id, name, args } as JobCall);
    });
  }
}

function gone(): Error {
  return new Error("the server is gone");
}
