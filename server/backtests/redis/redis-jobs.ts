import { createHash } from "node:crypto";
import { AccountsUnavailable } from "../../accounts/accounts.ts";
import type { AccountsClock } from "../../accounts/clock.ts";
import type { RedisDirectory } from "../../accounts/redis/directory.ts";
import { accountKey, callsField, callsKey, usedField } from "../../accounts/redis/keys.ts";
import { standingAt, type KnownKey } from "../../accounts/redis/known-key.ts";
import { CHARGE_BY_MS, patience } from "../../accounts/redis/patience.ts";
import type { RedisClock } from "../../accounts/redis/redis-clock.ts";
import type { StoreIdentity } from "../../accounts/redis/store-identity.ts";
import { dateOf } from "../../accounts/period.ts";
import { REDIS_WAIT_MS, type RedisConnection } from "../../redis/connection.ts";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { Notes } from "../../redis/notes.ts";
import { TurnBatch } from "../../redis/turn-batch.ts";
import type { ClaimedJob, JobOutcome } from "../job.ts";
import { drawJobId, fingerprintOf, IDEMPOTENCY_MS, RESULTS_KEPT_MS } from "../job-rules.ts";
import type { JobCounts, JobStore, StoredJob, Submission, SubmitOutcome } from "../job-store.ts";
import type { HeldSnapshots } from "./held-snapshots.ts";
import type { JobNote } from "./job-notes.ts";
import {
  BEAT,
  CLAIM,
  COUNTS,
  DEPART,
  FIND,
  FINISH,
  LEAVE,
  RELEASE,
  SUBMIT,
  WITHDRAW,
} from "./job-scripts.ts";
import { storedJobOf } from "./stored-job.ts";
import { outcomeOf, type SubmitReply } from "./submit-reply.ts";

/** A process that was not heard of for this long has lost its jobs. It is heard of every two seconds. */
const LEASE_MS = 6_000;
/** A snapshot that no process was known to have for this long is taken to be gone. */
const HOLDER_SILENT_MS = 60_000;
/** What no request waits for may take longer: a result is large, and a busy Redis is no reason to run a job again. */
const WORK_MS = 4_000;
/** Submissions whose answer was lost that share a note. */
const NOTED_MAX = 500;
/** An account changes while it is charged so often at most before the submission is given up. */
const TRIES_MAX = 4;
/** Under what name a submission appears in the account's usage. */
const ENDPOINT = "/backtests";

export interface RedisJobsOptions {
  /** This process's name among those that share the store: never used before. */
  readonly process: string;
  /** For what requests wait for, and for the rest: a large result holds up no request. */
  readonly requests: RedisConnection;
  readonly work: RedisConnection;
  readonly clock: AccountsClock;
  readonly redisClock: RedisClock;
  /** Who is charged for a submission; undefined in a process that takes none in. */
  readonly directory: Pick<RedisDirectory, "keyOf" | "reread"> | undefined;
  readonly snapshots: HeldSnapshots;
  readonly identity: StoreIdentity;
  readonly notes: Notes<JobNote>;
}

interface Unheard {
  readonly id: number;
  readonly deadlineMs: number;
}

/**
 * Jobs in Redis, beside the accounts they are charged to: a job, its charge and its place in the queue are one script.
 * Processes of any number of machines share it. A process holds its jobs by a lease that it renews; a result is
 * only taken from the latest claim, so a process that stood still and comes back changes nothing.
 *
 * Turns are fair as in the embedded store: one after the account's last job, and never before the turn being served.
 */
export class RedisJobs implements JobStore {
  readonly #options: RedisJobsOptions;
  /** Jobs in this process's hands, and the claim that is on its way: what else Redis says it holds never arrived. */
  readonly #live = new Set<number>();
  /** Whether this process takes jobs: one that does not is nobody to keep a job for, whatever snapshots it has. */
  protected runsJobs = false;
  #claims = 0;
  #claiming = "";
  /** Submissions whose answer was lost, on their way into a note. */
  readonly #unheard: TurnBatch<Unheard, void>;

  constructor(options: RedisJobsOptions) {
    this.#options = options;
    this.#unheard = new TurnBatch(NOTED_MAX, (group) => Promise.resolve(this.#note(group)));
  }

  async submit(submission: Submission): Promise<SubmitOutcome> {
    const { directory, clock } = this.#options;
    if (directory === undefined) throw new Error("this process takes no jobs in");
    const { caller, nowMs } = submission;
    const giveUpAtMs = clock.monotonicMs() + patience(clock, nowMs, CHARGE_BY_MS);
    let known = directory.keyOf(caller);
    for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
      const reply = await this.#offer(submission, known, giveUpAtMs);
      const outcome = outcomeOf(reply, standingAt(known, nowMs), nowMs);
      if (outcome !== undefined) return outcome;
      if (reply[0] === "late") throw new AccountsUnavailable("Redis came to the job too late");
      if (reply[0] !== "taken") known = await directory.reread(known);
    }
    throw new AccountsUnavailable("the account changes faster than it can be charged");
  }

  async withdraw(jobId: number): Promise<void> {
    await this.#work(WITHDRAW, { id: String(jobId) });
  }

  async claim(nowMs: number): Promise<ClaimedJob | undefined> {
    this.#claiming = String(++this.#claims);
    try {
      const reply = (await this.#work(CLAIM, {
        process: this.#options.process,
        claim: this.#claiming,
        snapshots: this.#options.snapshots.ids(),
        startedText: String(nowMs),
        leaseMs: LEASE_MS,
        holderSilentMs: HOLDER_SILENT_MS,
      })) as
        | [id: string, attempt: number, snapshot: string, request: string, created: string]
        | null;
      if (reply === null) return undefined;
      const [id, attempt, snapshotId, request, created] = reply;
      this.#live.add(Number(id));
      return {
        id: Number(id),
        request: JSON.parse(request) as ClaimedJob["request"],
        snapshotId,
        attempt,
        createdMs: Number(created),
      };
    } finally {
      this.#claiming = "";
    }
  }

  async finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): Promise<boolean> {
    const end = outcome.ok ? {} : { code: outcome.error.code, message: outcome.error.message };
    const given = { ...held(job), ...end, finishedText: String(nowMs), keptMs: RESULTS_KEPT_MS };
    const result = outcome.ok ? bufferOf(outcome.result) : Buffer.alloc(0);
    const reply = await this.#work(FINISH, given, result);
    this.#live.delete(job.id);
    return reply === 1;
  }

  async release(job: ClaimedJob): Promise<void> {
    await this.#work(RELEASE, held(job));
    this.#live.delete(job.id);
  }

  async leave(job: ClaimedJob): Promise<boolean> {
    this.#options.snapshots.doubt(job.snapshotId);
    const given = {
      ...held(job),
      process: this.#options.process,
      snapshot: job.snapshotId,
      holderSilentMs: HOLDER_SILENT_MS,
    };
    const left = await this.#work(LEAVE, given).catch((error: unknown) => {
      this.#live.delete(job.id); // the next beat puts it back
      throw error;
    });
    if (left === 1) this.#live.delete(job.id);
    return left === 1;
  }

  async find(jobId: number, accountId: string, requestMs?: number): Promise<StoredJob | undefined> {
    const given = JSON.stringify({ id: String(jobId), account: accountId });
    const reply = await this.#options.requests.run(
      FIND,
      [given],
      this.#patience(requestMs),
      "bytes",
    );
    return reply === null ? undefined : storedJobOf(jobId, reply as readonly Buffer[]);
  }

  async underWay(accountId: string, requestMs?: number): Promise<number> {
    const open = `hs:jobs:open:${accountId}`;
    const { requests } = this.#options;
    return (await requests.call("ZCARD", [open], this.#patience(requestMs))) as number;
  }

  async counts(): Promise<JobCounts> {
    const [queued, running] = (await this.#work(COUNTS, {})) as [number, number];
    return { queued, running };
  }

  /** Also says that this process lives, and undoes submissions whose answer nobody heard. */
  async recover(): Promise<number> {
    const { snapshots, redisClock } = this.#options;
    await snapshots.refresh();
    const [again, redisMs] = (await this.#work(BEAT, {
      process: this.#options.process,
      claim: this.#claiming,
      live: [...this.#live].map(String),
      snapshots: this.runsJobs ? snapshots.ids() : [],
      leaseMs: LEASE_MS,
      holderSilentMs: HOLDER_SILENT_MS,
    })) as [again: number, redisMs: number];
    redisClock.note(redisMs);
    await this.#options.notes.settle(this.#options.work);
    return again;
  }

  /** Redis forgets by itself what is older than it is kept. */
  prune(): number {
    return 0;
  }

  /** Gives back what this process still holds; where Redis cannot be told, the lease ends by itself. */
  async depart(): Promise<void> {
    try {
      const snapshots = this.#options.snapshots.ids();
      await this.#work(DEPART, { process: this.#options.process, snapshots });
      await this.#options.notes.settle(this.#options.work);
    } catch (error) {
      if (!(error instanceof AccountsUnavailable)) throw error;
    }
  }

  async #offer(submission: Submission, known: KnownKey, giveUpAtMs: number): Promise<SubmitReply> {
    const { requests, clock, redisClock } = this.#options;
    const withinMs = Math.max(1, giveUpAtMs - clock.monotonicMs());
    const id = drawJobId();
    const deadlineMs = redisClock.in(withinMs);
    const given = { ...givenOf(submission, known), id: String(id), deadlineMs };
    const { link } = requests;
    if (link === undefined) throw requests.unavailable();
    try {
      return (await link.run(SUBMIT, [JSON.stringify(given)], withinMs)) as SubmitReply;
    } catch (error) {
      // A refusal that Redis spoke out leaves the connection as it is, and changed nothing.
      if (!link.open) await this.#unheard.add({ id, deadlineMs });
      throw error;
    }
  }

  /** Notes submissions before their callers are told that there are no jobs. */
  #note(group: readonly Unheard[]): readonly void[] {
    this.#options.notes.write({
      store: this.#options.identity.id,
      ids: group.map(({ id }) => String(id)),
      deadlineMs: Math.max(...group.map(({ deadlineMs }) => deadlineMs)),
    });
    return group.map(() => undefined);
  }

  /** What is left of the time that a request may wait for Redis. */
  #patience(requestMs: number | undefined): number {
    return requestMs === undefined
      ? REDIS_WAIT_MS
      : patience(this.#options.clock, requestMs, CHARGE_BY_MS);
  }

  #work(script: LuaScript, given: object, ...rest: readonly Buffer[]): Promise<unknown> {
    return this.#options.work.run(script, [JSON.stringify(given), ...rest], WORK_MS);
  }
}

/** What the submission script is given, apart from what changes with each try. */
function givenOf(
  { request, snapshotId, attribution, idempotencyKey, nowMs }: Submission,
  known: KnownKey,
): object {
  const { accountId, env, revision } = known;
  const { caller, period } = standingAt(known, nowMs);
  const { concurrentRuns, backtestUnits, callsPerMonth } = caller.plan;
  const day = dateOf(nowMs);
  return {
    account: accountId,
    keyDigest: idempotencyKey === undefined ? "" : digestOf(idempotencyKey),
    keyKeptMs: IDEMPOTENCY_MS,
    fingerprint: fingerprintOf(request),
    nowMs,
    createdText: String(nowMs),
    concurrentRuns: concurrentRuns ?? 0,
    units: backtestUnits ?? 0,
    limit: callsPerMonth,
    ledger: accountKey(accountId),
    rev: revision,
    period: usedField(env, period.name),
    calls: callsKey(accountId, day),
    callsField: callsField(day, env, ENDPOINT),
    request: JSON.stringify(request),
    snapshot: snapshotId,
    attribution: JSON.stringify(attribution),
    holderSilentMs: HOLDER_SILENT_MS,
  };
}

function held(job: ClaimedJob): { readonly id: string; readonly attempt: string } {
  return { id: String(job.id), attempt: String(job.attempt) };
}

/** Of a caller's text, so that it is short and plain as part of a name. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
