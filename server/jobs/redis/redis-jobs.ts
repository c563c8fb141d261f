import { randomUUID } from "node:crypto";
import { AccountsUnavailable } from "../../accounts/accounts.ts";
import type { AccountsClock } from "../../accounts/clock.ts";
import { budgetMs, CHARGE_BY_MS, LAST_LEAST_MS } from "../../accounts/redis/deadline-budget.ts";
import type { RedisDirectory } from "../../accounts/redis/directory.ts";
import { keyOf, payerAt, type KnownKey } from "../../accounts/redis/known-key.ts";
import { OPEN_STORE, type StoreIdentity } from "../../accounts/redis/store-identity.ts";
import { REDIS_WAIT_MS, RedisConnection } from "../../redis/connection.ts";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import type { ClaimedJob, JobOutcome } from "../job.ts";
import type { HeldSnapshots } from "../run/held-snapshots.ts";
import { drawJobId, RESULTS_KEPT_MS } from "../job-rules.ts";
import type {
  JobCounts,
  JobIntakeStore,
  JobRunStore,
  ReleaseReason,
  StoredJob,
  Submission,
  SubmitOutcome,
} from "../job-store.ts";
import * as scripts from "./job-scripts.ts";
import { LostSubmissions } from "./lost-submissions.ts";
import { storedJobOf } from "./stored-job.ts";
import { keyedOf, outcomeOf, submissionValues, type SubmitReply } from "./submission.ts";
import { WakeUpSubscription } from "./wake-up-subscription.ts";

/**
 * A process not heard from for this long has lost its jobs, and others no longer count on its snapshots. A process is
 * heard from every two seconds.
 */
const LEASE_MS = 6_000;
/** The time limit where no request waits: a result is large, and a busy Redis no reason to run a job again. */
const WORK_MS = 4_000;
/** Time limit for what is asked on a new connection before it is used. */
const PREPARE_MS = 1_000;
/** How long the first round of looking after the store, and the end, wait for the connections. */
const CONNECT_WAIT_MS = 1_000;
/** How often a submission is tried while its account keeps changing, before it is given up. */
const TRIES_MAX = 4;

export interface RedisJobsOptions {
  /** `redis://` or `rediss://`, checked. */
  readonly address: string;
  readonly clock: AccountsClock;
  readonly identity: StoreIdentity;
  /** Who is charged for a submission; undefined in a process that takes no jobs in. */
  readonly directory: Pick<RedisDirectory, "reread"> | undefined;
  readonly warn: (message: string) => void;
  /** What this process can run; undefined in one that runs no jobs. */
  readonly snapshots?: HeldSnapshots | undefined;
  /** This process's name in the store, never used before; for tests, drawn at random otherwise. */
  readonly process?: string;
}

/**
 * Jobs in Redis, beside the accounts they are charged to: a job, its charge and its place in the queue are written by one
 * script. A process holds its jobs by a lease that it renews, and only the latest claim may deliver a result. Turns are
 * fair as in the embedded store (`SqliteJobs`).
 */
export class RedisJobs implements JobIntakeStore, JobRunStore {
  readonly #options: RedisJobsOptions;
  readonly #process: string;
  /** What requests wait for, and the rest: a large result must not hold up a request. */
  readonly #requests: RedisConnection;
  readonly #rest: RedisConnection;
  readonly #lost: LostSubmissions;
  /** The number of the newest connection for requests. */
  #fence = "";
  /**
   * The claims whose jobs this process has received, by job and attempt: a job that was taken from it while it
   * stood still may come back to it before it has ended the first attempt. Apart from those and the claim under
   * way, a job that Redis says it holds never arrived.
   */
  readonly #live = new Map<string, string>();
  #claims = 0;
  #claiming = "";
  #wakeUps: WakeUpSubscription | undefined;
  #begun: Promise<void> | undefined;

  /** Redis need not be reachable yet. */
  constructor(options: RedisJobsOptions) {
    this.#options = options;
    const { address, clock, warn, process = randomUUID() } = options;
    const { monotonicMs } = clock;
    this.#process = process;
    this.#lost = new LostSubmissions(monotonicMs);
    const shared = { address, scripts: [OPEN_STORE, ...scripts.JOB_SCRIPTS], monotonicMs };
    this.#requests = new RedisConnection({
      ...shared,
      name: "hindsight-job-requests",
      prepare: (link) => this.#prepareRequests(link),
      warn: () => {}, // the other connection reports it
    });
    this.#rest = new RedisConnection({
      ...shared,
      name: "hindsight-jobs",
      prepare: (link) => options.identity.open(link, PREPARE_MS),
      warn,
    });
  }

  /** Waits for Redis, but no longer than this. */
  async whenReady(withinMs: number): Promise<boolean> {
    const ready = await Promise.all(
      [this.#requests, this.#rest].map((each) => each.whenReady(withinMs)),
    );
    return ready.every(Boolean);
  }

  async submit(submission: Submission): Promise<SubmitOutcome> {
    const { directory, clock } = this.#options;
    if (directory === undefined) throw new Error("this process takes no jobs in");
    const { caller, nowMs } = submission;
    const giveUpAtMs = clock.monotonicMs() + budgetMs(clock, nowMs, CHARGE_BY_MS, LAST_LEAST_MS);
    let known = keyOf(caller);
    for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
      const reply = await this.#offer(submission, known, giveUpAtMs);
      const outcome = outcomeOf(reply, payerAt(known, nowMs), nowMs);
      if (outcome !== undefined) return outcome;
      if (reply[0] === "gone" || reply[0] === "changed") known = await directory.reread(known);
      if (clock.monotonicMs() >= giveUpAtMs) break;
    }
    throw new AccountsUnavailable("Redis did not take the job in time");
  }

  async claim(nowMs: number): Promise<ClaimedJob | undefined> {
    const claim = String(++this.#claims);
    this.#claiming = claim;
    try {
      const reply = (await this.#work(scripts.CLAIM, {
        process: this.#process,
        claim,
        snapshots: this.#options.snapshots?.claimable() ?? [],
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
          ]
        | null;
      if (reply === null) return undefined;
      const [id, attempt, snapshotId, request, created, losses] = reply;
      const job: ClaimedJob = {
        id: Number(id),
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
    const given = { ...held(job), ...end, finishedText: String(nowMs), keptMs: RESULTS_KEPT_MS };
    const result = outcome.ok ? bufferOf(outcome.result) : Buffer.alloc(0);
    const reply = await this.#work(scripts.FINISH, given, result);
    this.#live.delete(attemptOf(job));
    return reply === 1;
  }

  async release(job: ClaimedJob, why: ReleaseReason): Promise<void> {
    await this.#work(scripts.RELEASE, { ...held(job), losses: why === "again" ? 1 : 0 });
    this.#live.delete(attemptOf(job));
  }

  doubt(snapshotId: string): boolean {
    return this.#options.snapshots?.doubt(snapshotId) ?? true;
  }

  async find(jobId: number, accountId: string, requestMs?: number): Promise<StoredJob | undefined> {
    const given = JSON.stringify({ id: String(jobId), account: accountId });
    const { link } = this.#requests;
    const reply = await link.run(scripts.FIND, [given], this.#budget(requestMs), "bytes");
    return reply === null ? undefined : storedJobOf(jobId, reply as Buffer[]);
  }

  async underWay(accountId: string, requestMs?: number): Promise<number> {
    const open = `hs:jobs:open:${accountId}`;
    return (await this.#requests.link.call("ZCARD", [open], this.#budget(requestMs))) as number;
  }

  async counts(): Promise<JobCounts> {
    const [queued, running] = (await this.#work(scripts.COUNTS, {})) as [number, number];
    return { queued, running };
  }

  /** Also records that this process lives. */
  async recover(): Promise<number> {
    const { snapshots } = this.#options;
    await snapshots?.refresh();
    const [again, missing] = (await this.#work(scripts.BEAT, {
      process: this.#process,
      claim: this.#claiming,
      live: [...this.#live.values()],
      snapshots: snapshots?.held() ?? [],
      leaseMs: LEASE_MS,
    })) as [again: number, missing: string[]];
    snapshots?.missing(missing);
    return again;
  }

  /** The first round runs before the connections are made, so its failure is not reported. */
  async tend(): Promise<unknown> {
    this.#begun ??= this.whenReady(CONNECT_WAIT_MS).then(() => undefined);
    await this.#begun;
    return await this.recover();
  }

  /** Redis expires old jobs by itself. */
  prune(): number {
    return 0;
  }

  onWork(wake: () => void): void {
    this.#wakeUps ??= new WakeUpSubscription(this.#options.address, wake);
  }

  /** Puts back what this process still holds. If Redis cannot be told, the lease runs out. */
  async close(): Promise<void> {
    this.#wakeUps?.close();
    try {
      const snapshots = this.#options.snapshots?.held() ?? [];
      await this.#work(scripts.DEPART, { process: this.#process, snapshots });
      // A new connection undoes submissions whose answer was lost.
      if (this.#lost.pending) await this.#requests.whenReady(CONNECT_WAIT_MS);
    } catch (error) {
      if (!(error instanceof AccountsUnavailable)) throw error;
    }
    await Promise.all([this.#requests.close(), this.#rest.close()]);
  }

  async #prepareRequests(link: RedisLink): Promise<void> {
    const { identity, directory } = this.#options;
    await identity.open(link, PREPARE_MS);
    if (directory === undefined) return;
    const given = JSON.stringify({ process: this.#process });
    this.#fence = String(await link.run(scripts.FENCE_JOBS, [given], PREPARE_MS));
    await this.#lost.undo(link, PREPARE_MS);
  }

  async #offer(submission: Submission, known: KnownKey, giveUpAtMs: number): Promise<SubmitReply> {
    const { link } = this.#requests;
    const withinMs = Math.max(1, giveUpAtMs - this.#options.clock.monotonicMs());
    const id = String(drawJobId());
    const values = submissionValues(submission, known);
    const given = { ...values, id, process: this.#process, fence: this.#fence };
    try {
      const reply = await link.run(scripts.SUBMIT, [JSON.stringify(given)], withinMs);
      const [kind] = reply as SubmitReply;
      if (kind === "stale") link.drop("Redis no longer knows this process");
      return reply as SubmitReply;
    } catch (error) {
      // If the connection is still open, Redis itself refused, and changed nothing.
      if (!link.open) this.#lost.add(id, keyedOf(values));
      throw error;
    }
  }

  /** How much is left of the time that a request may wait for Redis. */
  #budget(requestMs: number | undefined): number {
    return requestMs === undefined
      ? REDIS_WAIT_MS
      : budgetMs(this.#options.clock, requestMs, CHARGE_BY_MS, LAST_LEAST_MS);
  }

  async #work(script: LuaScript, given: object, ...rest: readonly Buffer[]): Promise<unknown> {
    return this.#rest.link.run(script, [JSON.stringify(given), ...rest], WORK_MS);
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
