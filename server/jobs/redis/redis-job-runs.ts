import { randomUUID } from "node:crypto";
import { AccountsUnavailable } from "../../accounts/accounts.ts";
import { OPEN_STORE, type StoreIdentity } from "../../accounts/redis/store-identity.ts";
import { RedisConnection, type RedisConnectionOptions } from "../../redis/connection.ts";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { ClaimedJob, JobOutcome } from "../job.ts";
import { RESULTS_KEPT_MS } from "../job-rules.ts";
import type { JobCounts, JobRunStore, ReleaseReason } from "../job-store.ts";
import { BEAT, CLAIM, COUNTS, DEPART, FINISH, RELEASE } from "./job-scripts.ts";
import { KIND_BEFORE_STUDIES } from "./stored-job.ts";

/**
 * A process not heard from for this long has lost its jobs, and others no longer count on its snapshots. A process is
 * heard from every two seconds.
 */
const LEASE_MS = 6_000;
/** How often a process that has a free thread looks for jobs of other servers. */
const LOOK_MS = 250;
/** No request waits: a result is large, and a busy Redis no reason to run a job again. */
const WORK_MS = 4_000;
/** Time limit for what is asked on a new connection before it is used. */
const PREPARE_MS = 1_000;

type ConnectionOptions = Pick<RedisConnectionOptions, "address" | "monotonicMs" | "warn">;

export interface RedisJobRunsOptions extends ConnectionOptions {
  readonly identity: StoreIdentity;
  /** This process's name in the store, never used before; for tests, drawn at random otherwise. */
  readonly process?: string;
}

/**
 * Jobs in Redis as a process runs them. It holds its jobs by a lease that it renews, and only the latest claim may
 * deliver a result.
 */
export class RedisJobRuns implements JobRunStore {
  readonly #process: string;
  readonly #redis: RedisConnection;
  /**
   * The claims whose jobs this process has received, by job and attempt: a job that was taken from it while it
   * was suspended may come back to it before it has ended the first attempt. Apart from those and the claim under
   * way, a job that Redis says it holds never arrived.
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

  /** Waits for Redis, but no longer than this. */
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
      })) as
        | [
            id: string,
            attempt: number,
            snapshot: string,
            request: string,
            created: string,
            losses: string | null,
            kind: ClaimedJob["kind"] | null,
            known: string | null,
          ]
        | null;
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

  /** Redis expires old jobs by itself. */
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

  /** Looks for jobs that other processes queue. While Redis is away there is nothing to be seen. */
  onWork(wake: () => void): void {
    this.#looking ??= setInterval(() => this.#redis.ready && wake(), LOOK_MS).unref();
  }

  /** Puts back what this process still holds. If Redis cannot be told, the lease runs out. */
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
