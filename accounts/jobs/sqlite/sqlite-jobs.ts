import type { Attribution } from "../../../api/attribution.ts";
import { setImmediate as nextTurn } from "node:timers/promises";
import { AccountsUnavailable } from "../../accounts.ts";
import type { Ledger, Payment } from "../../sqlite/ledger.ts";
import { reading } from "../../sqlite/state-file.ts";
import type { ClaimedJob, Job, JobError, JobOutcome, JobRequest } from "../job.ts";
import {
  drawJobId,
  fingerprintOf,
  IDEMPOTENCY_MS,
  keyDigestOf,
  RESULTS_KEPT_MS,
} from "../job-rules.ts";
import type {
  FailureLog,
  JobCounts,
  JobIntakeStore,
  JobRunStore,
  ListedJob,
  ReleaseReason,
  StoredJob,
  Submission,
  SubmitOutcome,
} from "../job-store.ts";
import { prepareJobStatements, type JobStatements } from "./job-statements.ts";

/** Jobs that one transaction removes at most, so that pruning does not hold up requests. */
const PRUNE_MAX = 25;
/** The same for tried sets, whose rows are short. A study has up to 2,000. */
const PRUNE_TRIED_MAX = 1_000;
/** Only the head of the queue is searched for missing snapshots: a job that cannot run reaches it in time. */
const HEAD_MAX = 1_000;

interface JobRow extends Omit<Job, "request" | "error"> {
  readonly request: string;
  readonly error_code: JobError["code"] | null;
  readonly error_message: string | null;
  readonly attribution: string;
  readonly body: Uint8Array | null;
}

/**
 * Jobs in the state file, next to the accounts they are charged to: a job and its charge are one transaction. The server
 * that owns the file hands jobs to its backtest process, and queues them again when that process is gone.
 *
 * Fair turns: a job's turn is one after that of its account's last waiting job, and never before the turn being served.
 * A job that costs as much as several backtests takes as many turns. So accounts alternate, however many jobs one of
 * them has (start-time fair queueing; Goyal, Vin and Cheng 1996).
 */
export class SqliteJobs implements JobIntakeStore, JobRunStore {
  readonly #ledger: Ledger;
  readonly #log: FailureLog;
  readonly #sql: JobStatements;
  /** Resolves when the next submission may be decided. */
  #turn: Promise<void> = Promise.resolve();

  constructor(ledger: Ledger, log: FailureLog) {
    this.#ledger = ledger;
    this.#log = log;
    this.#sql = prepareJobStatements(ledger.db);
  }

  /** Accepts one job a turn of the event loop, since each is a transaction: requests that only read get in between. */
  async submit(submission: Submission): Promise<SubmitOutcome> {
    const turn = this.#turn;
    this.#turn = turn.then(() => nextTurn());
    await turn;
    const outcome = this.#ledger.transaction(() => this.#decide(submission));
    if (!("jobId" in outcome)) return outcome;
    const { kind, jobId } = outcome;
    try {
      await this.#ledger.durable();
    } catch (error) {
      if (kind === "accepted") this.#undo(jobId);
      throw notDurable(error);
    }
    // A repeat names the job of the first call, which may have been undone meanwhile.
    if (kind === "repeated" && !this.#has(jobId)) throw notDurable(undefined);
    return outcome;
  }

  claim(nowMs: number, snapshots: readonly string[]): ClaimedJob | undefined {
    return this.#ledger.transaction(() => {
      const row = this.#sql.next.get(JSON.stringify(snapshots)) as
        | { id: number; turn: number }
        | undefined;
      if (row === undefined) return undefined;
      this.#sql.serve.run(row.turn);
      // `all`, here and in `find`, because libsql adds timings to the row that `get` returns.
      const [claimed] = this.#sql.claim.all(nowMs, row.id) as [
        Omit<ClaimedJob, "request"> & { request: string },
      ];
      return { ...claimed, request: JSON.parse(claimed.request) as JobRequest };
    });
  }

  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): boolean {
    return this.#ledger.transaction(() => {
      const error = outcome.ok ? null : outcome.error;
      const ended = this.#sql.finish.get(
        error === null ? "done" : "error",
        nowMs,
        error?.code ?? null,
        error?.message ?? null,
        job.id,
        job.attempt,
      ) as Payment | undefined;
      if (ended === undefined) return false;
      if (outcome.ok) {
        this.#sql.insertResult.run(job.id, outcome.result);
        this.#sql.keepTried.run(nowMs + RESULTS_KEPT_MS, job.id);
      } else this.#ledger.refund(ended, { forget: false });
      this.#sql.dropTried.run(job.id);
      return true;
    });
  }

  release(job: ClaimedJob, why: ReleaseReason): void {
    const losses = why === "again" ? 1 : 0;
    this.#ledger.transaction(() => this.#sql.release.run(losses, job.id, job.attempt));
  }

  /** Queues running jobs again. Call it while there is no backtest process. */
  requeue(): void {
    this.#ledger.transaction(() => this.#sql.requeue.run());
  }

  find(jobId: number, accountId: string): StoredJob | undefined {
    const [row] = reading(() => this.#sql.find.all(jobId, accountId)) as JobRow[];
    return row === undefined ? undefined : storedJobOf(row);
  }

  underWay(accountId: string): number {
    return reading(() => this.#running(accountId));
  }

  list(accountId: string, limit: number): readonly ListedJob[] {
    const rows = reading(() => this.#sql.list.all(accountId, limit)) as JobRow[];
    return rows.map(({ id, status, request, createdMs, finishedMs, error_code: errorCode }) => {
      const asked = JSON.parse(request) as JobRequest;
      return { id, status, request: asked, createdMs, finishedMs, errorCode };
    });
  }

  counts(): JobCounts {
    const { queued, running } = reading(() => this.#sql.counts.get()) as JobCounts;
    return { queued, running };
  }

  tend(nowMs: number, held: readonly string[]): readonly string[] {
    const waiting = reading(() => this.#sql.missing.all(HEAD_MAX, JSON.stringify(held)));
    this.#ledger.transaction(() => {
      this.#sql.pruneKeys.run(nowMs - IDEMPOTENCY_MS, PRUNE_MAX);
      this.#sql.pruneResults.run(nowMs - RESULTS_KEPT_MS, PRUNE_MAX);
      this.#sql.pruneJobs.run(nowMs - RESULTS_KEPT_MS, PRUNE_MAX);
      this.#sql.pruneTried.run(nowMs, PRUNE_TRIED_MAX);
    });
    return (waiting as { readonly snapshot_id: string }[]).map(({ snapshot_id: id }) => id);
  }

  /** Undoes an acceptance before its caller learns of it. */
  withdraw(jobId: number): void {
    this.#ledger.transaction(() => {
      const paid = this.#sql.withdraw.get(jobId) as Payment | undefined;
      if (paid === undefined) return; // it ended in error and was refunded already
      this.#sql.withdrawResult.run(jobId);
      this.#sql.withdrawKey.run(paid.accountId, jobId);
      this.#ledger.refund(paid, { forget: true });
    });
  }

  #undo(jobId: number): void {
    try {
      this.withdraw(jobId);
    } catch (error) {
      const details = { job_id: jobId, error: String(error) };
      this.#log.error(details, "a job that was refused stays in the queue");
    }
  }

  #decide(submission: Submission): SubmitOutcome {
    const known = this.#repeated(submission);
    if (known !== undefined) return known;
    const { caller, nowMs } = submission;
    const units = submission.runs * (caller.plan.backtestUnits ?? 0);
    const running = this.#running(caller.accountId);
    if (running >= (caller.plan.concurrentRuns ?? 0)) {
      // If both limits apply, the quota is named: units would still be missing once a run has ended.
      const decision = this.#ledger.quotaOf(caller, nowMs);
      if (decision.quota.remaining < units) return { kind: "quota_exceeded", decision };
      return { kind: "concurrency_exceeded", running };
    }
    const charge = { caller, units, nowMs, endpoint: submission.endpoint };
    const { decision, period } = this.#ledger.chargeNow(charge);
    if (!decision.charged) return { kind: "quota_exceeded", decision };
    const jobId = this.#insert(submission, { units, period });
    const { attribution } = submission;
    return { kind: "accepted", jobId, attribution, decision };
  }

  #running(accountId: string): number {
    return (this.#sql.running.get(accountId) as { running: number }).running;
  }

  #repeated({ caller, request, idempotencyKey, nowMs }: Submission): SubmitOutcome | undefined {
    if (idempotencyKey === undefined) return undefined;
    const key = keyDigestOf(idempotencyKey);
    const row = this.#sql.findKey.get(caller.accountId, key, nowMs - IDEMPOTENCY_MS) as
      | { job_id: number; fingerprint: string; attribution: string }
      | undefined;
    if (row === undefined) return undefined;
    if (row.fingerprint !== fingerprintOf(request)) return { kind: "key_reused" };
    const decision = this.#ledger.quotaOf(caller, nowMs);
    const attribution = JSON.parse(row.attribution) as Attribution;
    return { kind: "repeated", jobId: row.job_id, attribution, decision };
  }

  #insert(
    submission: Submission,
    charge: { readonly units: number; readonly period: string },
  ): number {
    const { caller, kind, request, endpoint, idempotencyKey, nowMs } = submission;
    const { accountId, env } = caller;
    const last = this.#sql.lastTurn.get(accountId) as { readonly turn: number };
    const id = this.#freeId();
    this.#sql.insert.run({
      ...charge,
      id,
      account: accountId,
      env,
      kind,
      request: JSON.stringify(request),
      snapshot: submission.snapshotId,
      attribution: JSON.stringify(submission.attribution),
      turn: submission.runs + last.turn,
      now: nowMs,
      endpoint,
      ...this.#triedOf(submission),
    });
    if (idempotencyKey !== undefined) {
      const key = [accountId, keyDigestOf(idempotencyKey), fingerprintOf(request)] as const;
      this.#sql.insertKey.run(...key, id, nowMs);
    }
    return id;
  }

  /** The sets that a job tries, and how many the account has tried with them; null where none are counted. */
  #triedOf({ caller, tried, nowMs }: Submission) {
    if (tried === undefined) return { scope: null, tried: null, known: null };
    const sets = { scope: tried.scope, tried: JSON.stringify(tried.digests) };
    const asked = { ...sets, account: caller.accountId, now: nowMs };
    const { known } = this.#sql.known.get(asked) as { known: number };
    return { ...sets, known };
  }

  #freeId(): number {
    for (;;) {
      const id = drawJobId();
      if (!this.#has(id)) return id;
    }
  }

  #has(jobId: number): boolean {
    return this.#sql.exists.get(jobId) !== undefined;
  }
}

function notDurable(cause: unknown): AccountsUnavailable {
  return new AccountsUnavailable("the job could not be forced to the disk", { cause });
}

function storedJobOf(row: JobRow): StoredJob {
  const { request, error_code: code, error_message: message, attribution, body, ...job } = row;
  const error = code === null ? null : { code, message: message ?? "" };
  return {
    job: { ...job, request: JSON.parse(request) as JobRequest, error },
    attribution: JSON.parse(attribution) as Attribution,
    result: body,
  };
}
