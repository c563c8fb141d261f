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
import type { HeldSnapshots } from "../run/held-snapshots.ts";
import { drawJobId, fingerprintOf, IDEMPOTENCY_MS, RESULTS_KEPT_MS } from "../job-rules.ts";
import type {
  JobCounts,
  JobIntakeStore,
  JobRunStore,
  ReleaseReason,
  StoredJob,
  Submission,
  SubmitOutcome,
} from "../job-store.ts";
import type { JobNote } from "./job-notes.ts";
import { BEAT, CLAIM, COUNTS, DEPART, FIND, FINISH, RELEASE, SUBMIT } from "./job-scripts.ts";
import { storedJobOf } from "./stored-job.ts";
import { outcomeOf, type SubmitReply } from "./submit-reply.ts";

/**
 * A process not heard from for this long has lost its jobs, and nobody counts on its snapshots. A process is
 * heard from every two seconds.
 */
const LEASE_MS = 6_000;
/**
 * The time limit where no request waits. It is long because a result is large, and a busy Redis is no reason
 * to run a job again.
 */
const WORK_MS = 4_000;
/** How many submissions whose answer was lost may share a note. */
const NOTED_MAX = 500;
/** How often a submission is tried while its account keeps changing, before it is given up. */
const TRIES_MAX = 4;
/** The name under which the account's usage lists a submission. */
const ENDPOINT = "/backtests";

export interface RedisJobsOptions {
  /** This process's name in the store. It must never have been used before. */
  readonly process: string;
  /**
   * Two connections: one for what requests wait for, one for the rest, so that a large result does not hold
   * up a request.
   */
  readonly requests: RedisConnection;
  readonly work: RedisConnection;
  readonly clock: AccountsClock;
  readonly redisClock: RedisClock;
  /** Who is charged for a submission; undefined in a process that takes no jobs in. */
  readonly directory: Pick<RedisDirectory, "keyOf" | "reread"> | undefined;
  readonly snapshots: HeldSnapshots | undefined;
  readonly identity: StoreIdentity;
  readonly notes: Notes<JobNote>;
}

interface Unheard {
  readonly id: number;
  readonly keyed: string;
  readonly deadlineMs: number;
}

/**
 * Jobs in Redis, beside the accounts they are charged to: a job, its charge and its place in the queue are
 * written by one script. Processes on any number of machines share it. A process holds its jobs by a lease
 * that it renews. Only the latest claim may deliver a result, so a process that stood still and comes back
 * changes nothing.
 *
 * Turns are fair as in the embedded store: one after the account's last job, and never before the turn being
 * served.
 */
export class RedisJobs implements Omit<JobIntakeStore & JobRunStore, "close"> {
  readonly #options: RedisJobsOptions;
  /**
   * The claims whose jobs this process has received, by job and attempt: a job that was taken from it while it
   * stood still may come back to it before it has ended the first attempt. Apart from those and the claim under
   * way, a job that Redis says it holds never arrived.
   */
  readonly #live = new Map<string, string>();
  #claims = 0;
  #claiming = "";
  /** Submissions whose answer was lost, about to be noted. */
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
      if (reply[0] === "gone" || reply[0] === "changed") known = await directory.reread(known);
      if (clock.monotonicMs() >= giveUpAtMs) break;
    }
    throw new AccountsUnavailable("Redis did not take the job in time");
  }

  async claim(nowMs: number): Promise<ClaimedJob | undefined> {
    const claim = String(++this.#claims);
    this.#claiming = claim;
    try {
      const reply = (await this.#work(CLAIM, {
        process: this.#options.process,
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
    const reply = await this.#work(FINISH, given, result);
    this.#live.delete(attemptOf(job));
    return reply === 1;
  }

  async release(job: ClaimedJob, why: ReleaseReason): Promise<void> {
    await this.#work(RELEASE, { ...held(job), losses: why === "again" ? 1 : 0 });
    this.#live.delete(attemptOf(job));
  }

  doubt(snapshotId: string): boolean {
    return this.#options.snapshots?.doubt(snapshotId) ?? true;
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

  /** Also records that this process lives, and undoes submissions whose answer nobody heard. */
  async recover(): Promise<number> {
    const { snapshots, redisClock } = this.#options;
    await snapshots?.refresh();
    const askedMs = redisClock.asking();
    const [again, redisMs, missing] = (await this.#work(BEAT, {
      process: this.#options.process,
      claim: this.#claiming,
      live: [...this.#live.values()],
      snapshots: snapshots?.held() ?? [],
      leaseMs: LEASE_MS,
    })) as [again: number, redisMs: number, missing: string[]];
    redisClock.note(redisMs, askedMs);
    snapshots?.missing(missing);
    await this.#options.notes.settle(this.#options.work);
    return again;
  }

  /** Redis expires old jobs by itself. */
  prune(): number {
    return 0;
  }

  /** Puts back what this process still holds. If Redis cannot be told, the lease runs out. */
  async depart(): Promise<void> {
    try {
      const snapshots = this.#options.snapshots?.held() ?? [];
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
    const askedMs = redisClock.asking();
    const deadlineMs = redisClock.in(withinMs);
    const given = { ...givenOf(submission, known), id: String(id), deadlineMs };
    const { link } = requests;
    if (link === undefined) throw requests.unavailable();
    try {
      const reply = (await link.run(SUBMIT, [JSON.stringify(given)], withinMs)) as SubmitReply;
      if (reply[0] === "late") redisClock.note(reply[1], askedMs); // the machine may have slept
      return reply;
    } catch (error) {
      // If the connection is still open, Redis itself refused, and changed nothing.
      if (!link.open) await this.#unheard.add({ id, keyed: keyedOf(given), deadlineMs });
      throw error;
    }
  }

  /** Notes submissions before their callers are told that there are no jobs. */
  #note(group: readonly Unheard[]): readonly void[] {
    this.#options.notes.write({
      store: this.#options.identity.id,
      ids: group.map(({ id }) => String(id)),
      keyed: group.map(({ keyed }) => keyed),
      deadlineMs: Math.max(...group.map(({ deadlineMs }) => deadlineMs)),
    });
    return group.map(() => undefined);
  }

  /** How much is left of the time that a request may wait for Redis. */
  #patience(requestMs: number | undefined): number {
    return requestMs === undefined
      ? REDIS_WAIT_MS
      : patience(this.#options.clock, requestMs, CHARGE_BY_MS);
  }

  #work(script: LuaScript, given: object, ...rest: readonly Buffer[]): Promise<unknown> {
    return this.#options.work.run(script, [JSON.stringify(given), ...rest], WORK_MS);
  }
}

/** The submission script's arguments, apart from those that change with each try. */
function givenOf(
  { request, snapshotId, attribution, idempotencyKey, nowMs }: Submission,
  known: KnownKey,
) {
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
  };
}

/** What a key is stored under, without what all have in front of it. */
function keyedOf({ account, keyDigest }: { account: string; keyDigest: string }): string {
  return keyDigest === "" ? "" : `${account}:${keyDigest}`;
}

function held(job: ClaimedJob): { readonly id: string; readonly attempt: string } {
  return { id: String(job.id), attempt: String(job.attempt) };
}

function attemptOf({ id, attempt }: ClaimedJob): string {
  return `${id} ${attempt}`;
}

/** Makes a caller's text short and plain enough to be part of a key's name. */
function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
