import { randomUUID } from "node:crypto";
import { AccountsUnavailable } from "../../accounts.ts";
import { OPEN_STORE, type StoreIdentity } from "../../redis/store-identity.ts";
import { RedisConnection, type RedisConnectionOptions } from "../../redis/connection.ts";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { ClaimedJob, JobOutcome } from "../job.ts";
import { RESULTS_KEPT_MS } from "../job-rules.ts";
import type { JobCounts, JobRunStore, ReleaseReason } from "../job-store.ts";
import { BEAT, CLAIM, COUNTS, DEPART, FINISH, RELEASE } from "./job-scripts.ts";
import { KIND_BEFORE_STUDIES } from "./stored-job.ts";

/**
 * A process without a beat for this long has lost its jobs, and its snapshots no longer count. A beat comes every two
 * seconds.
 */
const LEASE_MS = 6_000;
/** The interval at which a process with a free thread looks for jobs that other servers queued. */
const LOOK_MS = 250;
/** Time limit of a call. No request waits for it, results are large, and a busy Redis isn't a reason to run a job again. */
const WORK_MS = 4_000;
const PREPARE_MS = 1_000;

export interface RedisJobRunsOptions extends Pick<
  RedisConnectionOptions,
  "address" | "monotonicMs" | "warn"
> {
  readonly identity: StoreIdentity;
  /** The process's name in the store, never used before; random except in tests. */
  readonly process?: string;
}

type ClaimReply = readonly [
  id: string,
  attempt: number,
  snapshot: string,
  request: string,
  created: string,
  losses: string | null,
  kind: ClaimedJob["kind"] | null,
  known: string | null,
];

/**
 * The jobs in Redis, for a process that runs them. It holds jobs by a lease that it renews, and only the latest claim may
 * deliver a result.
 */
export class RedisJobRuns implements JobRunStore {
  readonly #process: string;
  readonly #redis: RedisConnection;
  /**
   * The claims whose jobs have arrived at this process, by job and attempt: a job that was taken from it while it was
   * suspended may return to it before it has ended the first attempt. If Redis lists any other job as held by this
   * process, and it is not that of the claim under way, then its answer was lost.
   */
  readonly #live = new Map<string, string>();
  #claims = 0;
  #claiming = "";
  #looking: NodeJS.Timeout | undefined;

  /** Redis need not be reachable yet. */
  constructor({ address, monotonicMs, identity, warn, process }: RedisJobRunsOptions) {
    this.#process = process ?? randomUUID();
    this.#redis = new RedisConnection({
      address,
      name: "hindsight-jobs",
      scripts: [OPEN_STORE, CLAIM, FINISH, RELEASE, BEAT, DEPART, COUNTS],
      prepare: (link) => identity.open(link, PREPARE_MS),
      monotonicMs,
      warn,
    });
  }

  whenReady(withinMs: number): Promise<boolean> {
    return this.#redis.whenReady(withinMs);
  }

  async claim(nowMs: number, snapshots: readonly string[]): Promise<ClaimedJob | undefined> {
    const claim = String(++this.#claims);
    this.#claiming = claim;
    try {
      const reply = (await this.#run(CLAIM, {
        process: this.#process,
        claim,
        snapshots,
        startedText: String(nowMs),
        leaseMs: LEASE_MS,
      })) as ClaimReply | null;
      if (reply === null) return undefined;
      const [id, attempt, snapshotId, request, created, losses, kind, known] = reply;
      const job: ClaimedJob = {
        id: Number(id),
        kind: kind ?? KIND_BEFORE_STUDIES,
        known: known === null ? null : Number(known),
        request: JSON.parse(request) as ClaimedJob["request"],
        snapshotId,
        attempt,
        losses: Number(losses),
        createdMs: Number(created),
      };
      this.#live.set(attemptOf(job), claim);
      return job;
    } finally {
      this.#claiming = "";
    }
  }

  async finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): Promise<boolean> {
    const end = outcome.ok ? {} : { code: outcome.error.code, message: outcome.error.message };
    const until = { keptMs: RESULTS_KEPT_MS, untilText: String(nowMs + RESULTS_KEPT_MS) };
    const given = { ...held(job), ...end, finishedText: String(nowMs), ...until };
    const result = outcome.ok ? bufferOf(outcome.result) : Buffer.alloc(0);
    const reply = await this.#run(FINISH, given, result);
    this.#live.delete(attemptOf(job));
    return reply === 1;
  }

  async release(job: ClaimedJob, why: ReleaseReason): Promise<void> {
    await this.#run(RELEASE, { ...held(job), losses: why === "again" ? 1 : 0 });
    this.#live.delete(attemptOf(job));
  }

  async tend(_: number, snapshots: readonly string[]): Promise<readonly string[]> {
    return (await this.#run(BEAT, {
      process: this.#process,
      claim: this.#claiming,
      live: [...this.#live.values()],
      snapshots,
      leaseMs: LEASE_MS,
    })) as readonly string[];
  }

  async counts(): Promise<JobCounts> {
    const [queued, running] = (await this.#run(COUNTS, {})) as [number, number];
    return { queued, running };
  }

  /** Wakes regularly, while Redis is reachable, since other processes queue jobs. */
  onWork(wake: () => void): void {
    this.#looking ??= setInterval(() => this.#redis.ready && wake(), LOOK_MS).unref();
  }

  /** Returns the jobs that this process still holds. If Redis is out of reach, their lease ends later. */
  async close(): Promise<void> {
    clearInterval(this.#looking);
    try {
      await this.#run(DEPART, { process: this.#process });
    } catch (error) {
      if (!(error instanceof AccountsUnavailable)) throw error;
    }
    await this.#redis.close();
  }

  async #run(script: LuaScript, given: object, ...rest: readonly Buffer[]): Promise<unknown> {
    return this.#redis.link.run(script, [JSON.stringify(given), ...rest], WORK_MS);
  }
}

function held(job: ClaimedJob): { readonly id: string; readonly attempt: string } {
  return { id: String(job.id), attempt: String(job.attempt) };
}

function attemptOf({ id, attempt }: ClaimedJob): string {
  return `${id} ${attempt}`;
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
