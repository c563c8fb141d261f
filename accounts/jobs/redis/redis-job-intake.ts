import { randomUUID } from "node:crypto";
import { AccountsUnavailable, type AccountsClock, type Caller } from "../../accounts.ts";
import { budgetMs, CHARGE_BY_MS, LAST_LEAST_MS } from "../../redis/deadline-budget.ts";
import type { RedisDirectory } from "../../redis/directory.ts";
import { OPEN_STORE } from "../../redis/store-identity.ts";
import { REDIS_WAIT_MS, RedisConnection } from "../../redis/connection.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import { drawJobId } from "../job-rules.ts";
import type {
  JobCounts,
  JobIntakeStore,
  ListedJob,
  StoredJob,
  Submission,
  SubmitOutcome,
} from "../job-store.ts";
import { CONNECT_JOBS, COUNTS, FIND, LIST_JOBS, SUBMIT } from "./job-scripts.ts";
import type { RedisJobRunsOptions } from "./redis-job-runs.ts";
import { storedJobOf } from "./stored-job.ts";
import { keyedOf, outcomeOf, submissionValues, type SubmitReply } from "./submission.ts";

/** Time limit for each step of preparing a new connection. */
const PREPARE_MS = 1_000;
/** `close` waits this long for a connection on which lost submissions are undone. */
const CLOSE_WAIT_MS = 1_000;
/** Attempts at a submission while its account keeps changing. */
const TRIES_MAX = 4;

export interface RedisJobIntakeOptions extends Omit<RedisJobRunsOptions, "monotonicMs"> {
  readonly clock: AccountsClock;
  readonly directory: Pick<RedisDirectory, "reread">;
}

/**
 * Accepts jobs on Redis, next to the accounts they are charged to: one script writes a job, its charge and its place in
 * the queue. Turns are fair as in the embedded store (`SqliteJobs`).
 */
export class RedisJobIntake implements JobIntakeStore {
  readonly #options: RedisJobIntakeOptions;
  readonly #process: string;
  readonly #redis: RedisConnection;
  /** Submissions whose answer was lost. Their callers were answered 503, so the next connection undoes them. */
  #lost: { readonly id: string; readonly keyed: string }[] = [];
  /** The number of the current connection. */
  #connection = 0;

  /** Redis need not be reachable yet. */
  constructor(options: RedisJobIntakeOptions) {
    const { address, clock, warn, process = randomUUID() } = options;
    this.#options = options;
    this.#process = process;
    this.#redis = new RedisConnection({
      address,
      name: "hindsight-job-requests",
      scripts: [OPEN_STORE, CONNECT_JOBS, SUBMIT, FIND, LIST_JOBS, COUNTS],
      prepare: (link) => this.#prepare(link),
      monotonicMs: clock.monotonicMs,
      warn,
    });
  }

  /** Rejects with the reason if Redis cannot be used within this time. */
  async start(withinMs: number): Promise<void> {
    if (!(await this.#redis.whenReady(withinMs))) throw this.#redis.unavailable();
  }

  async submit(submission: Submission): Promise<SubmitOutcome> {
    const { directory, clock } = this.#options;
    const { caller, nowMs } = submission;
    const giveUpAtMs = clock.monotonicMs() + budgetMs(clock, nowMs, CHARGE_BY_MS, LAST_LEAST_MS);
    let known = caller;
    for (let attempt = 1; attempt <= TRIES_MAX; attempt++) {
      const reply = await this.#offer(submission, known, giveUpAtMs);
      const outcome = outcomeOf(reply, known, nowMs);
      if (outcome !== undefined) return outcome;
      if (reply[0] === "changed") known = await directory.reread(known);
      const leftMs = giveUpAtMs - clock.monotonicMs();
      if (leftMs <= 0) break;
      if (reply[0] === "stale") await this.#redis.whenReady(leftMs);
    }
    throw new AccountsUnavailable("Redis did not take the job in time");
  }

  async find(jobId: number, accountId: string, requestMs?: number): Promise<StoredJob | undefined> {
    const given = JSON.stringify({ id: String(jobId), account: accountId });
    const reply = await this.#redis.link.run(FIND, [given], this.#budget(requestMs), "bytes");
    return reply === null ? undefined : storedJobOf(jobId, reply as Buffer[]);
  }

  async underWay(accountId: string, requestMs?: number): Promise<number> {
    const open = `hs:jobs:open:${accountId}`;
    return (await this.#redis.link.call("ZCARD", [open], this.#budget(requestMs))) as number;
  }

  async list(accountId: string, limit: number): Promise<readonly ListedJob[]> {
    const given = JSON.stringify({ account: accountId, limit });
    const rows = (await this.#redis.link.run(LIST_JOBS, [given], REDIS_WAIT_MS)) as string[][];
    return rows.map(([id, status, request = "", created, finished, code]) => ({
      id: Number(id),
      status: status as ListedJob["status"],
      request: JSON.parse(request) as ListedJob["request"],
      createdMs: Number(created),
      finishedMs: finished === "" ? null : Number(finished),
      errorCode: code === "" ? null : (code as ListedJob["errorCode"]),
    }));
  }

  async counts(): Promise<JobCounts> {
    const reply = await this.#redis.link.run(COUNTS, [], REDIS_WAIT_MS);
    const [queued, running] = reply as [number, number];
    return { queued, running };
  }

  /** Waits for a new connection if there are lost submissions to undo. */
  async close(): Promise<void> {
    if (this.#lost.length > 0) await this.#redis.whenReady(CLOSE_WAIT_MS);
    await this.#redis.close();
  }

  async #prepare(link: RedisLink): Promise<void> {
    await this.#options.identity.open(link, PREPARE_MS);
    this.#connection += 1;
    const lost = [...this.#lost];
    const given = { process: this.#process, fence: String(this.#connection), lost };
    await link.run(CONNECT_JOBS, [JSON.stringify(given)], PREPARE_MS);
    this.#lost = this.#lost.slice(lost.length);
  }

  async #offer(submission: Submission, known: Caller, giveUpAtMs: number): Promise<SubmitReply> {
    const { link } = this.#redis;
    const withinMs = Math.max(1, giveUpAtMs - this.#options.clock.monotonicMs());
    const id = String(drawJobId());
    const values = submissionValues(submission, known);
    const given = { ...values, id, process: this.#process, fence: String(this.#connection) };
    try {
      const reply = await link.run(SUBMIT, [JSON.stringify(given)], withinMs);
      const [kind] = reply as SubmitReply;
      if (kind === "stale") link.drop("Redis no longer knows this process");
      return reply as SubmitReply;
    } catch (error) {
      // If the connection is still open, Redis itself refused, and changed nothing.
      if (!link.open) this.#lost.push({ id, keyed: keyedOf(values) });
      throw error;
    }
  }

  /** The time that is left of what a request may wait for Redis. */
  #budget(requestMs: number | undefined): number {
    return requestMs === undefined
      ? REDIS_WAIT_MS
      : budgetMs(this.#options.clock, requestMs, CHARGE_BY_MS, LAST_LEAST_MS);
  }
}
