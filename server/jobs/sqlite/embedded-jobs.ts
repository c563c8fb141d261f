import { randomUUID } from "node:crypto";
import type { Caller, ChargeDecision, KeyEnvironment } from "../../accounts/accounts.ts";
import { storeFailure, type Connection } from "../../accounts/sqlite/state-file.ts";
import type { Ledger } from "../../accounts/sqlite/ledger.ts";
import type { HeldSnapshots } from "../run/held-snapshots.ts";
import type { ClaimedJob, Job, JobError, JobOutcome, JobStatus } from "../job.ts";
import type {
  JobCounts,
  JobStore,
  ReleaseReason,
  StoredJob,
  Submission,
  SubmitOutcome,
} from "../job-store.ts";
import { drawJobId, fingerprintOf, IDEMPOTENCY_MS, RESULTS_KEPT_MS } from "../job-rules.ts";
import { packedTextOf } from "../packed-text.ts";
import { prepareJobStatements, type JobStatements } from "./job-statements.ts";

/**
 * A process not heard from for this long has lost its jobs. So has one that was last heard from later than this
 * ahead of now: the clock was set back since, and the jobs of a process killed before that would otherwise wait
 * until it has caught up. Processes that live are heard from every two seconds.
 */
const SILENT_MS = 10_000;
/** How many jobs one transaction removes, so that pruning never holds the file for long. */
const PRUNE_MAX = 25;
/** A job whose snapshot nobody has comes to the head of the queue in time, so only that is looked at. */
const HEAD_MAX = 1_000;

interface JobRow {
  readonly id: number;
  readonly account_id: string;
  readonly status: JobStatus;
  readonly request: string;
  readonly snapshot_id: string;
  readonly attribution: string;
  readonly created_ms: number;
  readonly started_ms: number | null;
  readonly finished_ms: number | null;
  readonly error_code: JobError["code"] | null;
  readonly error_message: string | null;
  /** The result. */
  readonly body: Uint8Array | null;
}

/** The account and period that paid for a job. */
interface PaymentRow {
  readonly account_id: string;
  readonly env: KeyEnvironment;
  readonly period: string;
  readonly units: number;
  readonly created_ms: number;
}

export interface EmbeddedJobsOptions {
  readonly db: Connection;
  readonly ledger: Ledger;
  /** What this process can run; undefined in one that runs no jobs. */
  readonly snapshots: HeldSnapshots | undefined;
  /** Whether a process exists, among those that share this process's numbering. */
  readonly isAlive: (pid: number) => boolean;
  readonly pid: number;
  /** Identifies that numbering: in another container the same number is another process. */
  readonly pidNamespace: string;
}

/**
 * Jobs in the embedded state file, beside the accounts they are charged to: a job and its charge are one
 * transaction. Several processes of one machine may share the file. A job belongs to the process that claimed
 * it, for as long as that process lives and says so.
 *
 * Fair turns: a job's turn is one after that of its account's last waiting job, and never before the turn
 * being served. So accounts alternate, however many jobs one of them has (start-time fair queueing; Goyal,
 * Vin and Cheng 1996, with all jobs of one length).
 */
export class EmbeddedJobs implements JobStore {
  readonly #options: EmbeddedJobsOptions;
  readonly #sql: JobStatements;
  readonly #process: string;
  /** Whether the file says that this process lives. What it claims before that would be taken for lost. */
  #isKnown = false;

  constructor(options: EmbeddedJobsOptions) {
    this.#options = options;
    this.#sql = prepareJobStatements(options.db);
    this.#process = `${randomUUID()}@${options.pidNamespace}`;
  }

  submit(submission: Submission): SubmitOutcome {
    return this.#inTransaction(() => this.#decide(submission));
  }

  /**
   * Promises a job to whoever repeated its submission, so that no process withdraws it any more. False if there
   * is no such job.
   */
  promise(jobId: number): boolean {
    if (this.#answer(() => this.#sql.isPromised.get(jobId)) !== undefined) return true;
    return this.#inTransaction(() => this.#sql.promise.run(jobId).changes > 0 || this.has(jobId));
  }

  /** Undoes an acceptance that nobody was told of. */
  withdraw(jobId: number): void {
    this.#inTransaction(() => {
      const paid = this.#sql.withdraw.get(jobId) as PaymentRow | undefined;
      // It ended in error and was refunded already, or it is promised.
      if (paid === undefined) return;
      this.#sql.withdrawResult.run(jobId);
      this.#sql.withdrawKey.run(paid.account_id, jobId);
      this.#refund(paid, { forget: true });
    });
  }

  claim(nowMs: number): ClaimedJob | undefined {
    if (!this.#isKnown) this.#beat(nowMs);
    const claimable = JSON.stringify(this.#options.snapshots?.claimable() ?? []);
    return this.#inTransaction(() => {
      const row = this.#sql.next.get(claimable) as { id: number; turn: number } | undefined;
      if (row === undefined) return undefined;
      this.#sql.serve.run(row.turn);
      const claimed = this.#sql.claim.get(this.#process, nowMs, row.id) as {
        request: string;
        snapshot_id: string;
        attempt: number;
        losses: number;
        created_ms: number;
      };
      return {
        id: row.id,
        request: JSON.parse(claimed.request) as ClaimedJob["request"],
        snapshotId: claimed.snapshot_id,
        attempt: claimed.attempt,
        losses: claimed.losses,
        createdMs: claimed.created_ms,
      };
    });
  }

  finish(job: ClaimedJob, outcome: JobOutcome, nowMs: number): boolean {
    return this.#inTransaction(() => {
      const error = outcome.ok ? null : outcome.error;
      const ended = this.#sql.finish.get(
        error === null ? "done" : "error",
        nowMs,
        error?.code ?? null,
        error?.message ?? null,
        job.id,
        job.attempt,
      ) as PaymentRow | undefined;
      if (ended === undefined) return false;
      if (outcome.ok) this.#sql.insertResult.run(job.id, outcome.result);
      else this.#refund(ended, { forget: false });
      return true;
    });
  }

  release(job: ClaimedJob, why: ReleaseReason): void {
    const losses = why === "again" ? 1 : 0;
    this.#inTransaction(() => this.#sql.release.run(losses, job.id, job.attempt));
  }

  doubt(snapshotId: string): boolean {
    return this.#options.snapshots?.doubt(snapshotId) ?? true;
  }

  find(jobId: number, accountId: string): StoredJob | undefined {
    const row = this.#answer(() => this.#sql.find.get(jobId, accountId)) as JobRow | undefined;
    if (row === undefined) return undefined;
    return {
      job: jobOf(row),
      attribution: JSON.parse(row.attribution) as object,
      result: row.body === null ? null : packedTextOf(row.body),
    };
  }

  /** Whether there is a job with this id, of whatever account. */
  has(jobId: number): boolean {
    return this.#answer(() => this.#sql.exists.get(jobId) !== undefined);
  }

  underWay(accountId: string): number {
    return this.#answer(() => this.#running(accountId));
  }

  counts(): JobCounts {
    const { queued, running } = this.#answer(() => this.#sql.counts.get()) as JobCounts;
    return { queued, running };
  }

  /** Also records that this process lives and what it has, so call it more often than every ten seconds. */
  recover(nowMs: number): number {
    const recovered = this.#beat(nowMs);
    this.#options.snapshots?.missing(this.#missing());
    return recovered;
  }

  #beat(nowMs: number): number {
    const { snapshots } = this.#options;
    const recovered = this.#inTransaction(() => {
      this.#sql.heartbeat.run(this.#process, this.#options.pid, nowMs);
      this.#sql.hold.run(this.#process, JSON.stringify(snapshots?.held() ?? []));
      const processes = this.#sql.processes.all() as { id: string; pid: number; seen_ms: number }[];
      const { isAlive, pidNamespace } = this.#options;
      const isGone = (id: string, pid: number) => id.endsWith(`@${pidNamespace}`) && !isAlive(pid);
      const gone = processes.filter(
        ({ id, pid, seen_ms: seenMs }) => Math.abs(nowMs - seenMs) > SILENT_MS || isGone(id, pid),
      );
      for (const { id } of gone) this.#sql.forgetProcess.run(id);
      this.#sql.forgetHolders.run();
      // Includes jobs claimed by a process that was forgotten while it stood still and has ended since.
      return this.#sql.requeueLost.run().changes;
    });
    this.#isKnown = true;
    return recovered;
  }

  prune(nowMs: number): number {
    return this.#inTransaction(() => {
      this.#sql.pruneKeys.run(nowMs - IDEMPOTENCY_MS, PRUNE_MAX);
      this.#sql.pruneResults.run(nowMs - RESULTS_KEPT_MS, PRUNE_MAX);
      return this.#sql.pruneJobs.run(nowMs - RESULTS_KEPT_MS, PRUNE_MAX).changes;
    });
  }

  /** Puts back what this process still holds. */
  close(): void {
    if (!this.#isKnown) return; // it has claimed nothing
    this.#inTransaction(() => {
      this.#sql.requeue.run(this.#process);
      this.#sql.forgetProcess.run(this.#process); // what it had is forgotten at the next beat
    });
  }

  /** Snapshots that jobs wait for and that no process says it has. */
  #missing(): string[] {
    const rows = this.#answer(() => this.#sql.missing.all(HEAD_MAX)) as { snapshot_id: string }[];
    return rows.map(({ snapshot_id: id }) => id);
  }

  #decide(submission: Submission): SubmitOutcome {
    const known = this.#repeated(submission);
    if (known !== undefined) return known;
    const { caller, nowMs } = submission;
    const units = caller.plan.backtestUnits ?? 0;
    const running = this.#running(caller.accountId);
    if (running >= (caller.plan.concurrentRuns ?? 0)) {
      // If two reasons apply, give the lasting one: nobody should wait for a run to end who cannot pay for
      // the next.
      const month = this.#monthOf(caller, nowMs);
      if (month.quota.remaining < units) return { kind: "quota_exceeded", month };
      return { kind: "concurrency_exceeded", running };
    }
    const charge = { caller, units, nowMs, endpoint: "/backtests" };
    const { decision, period } = this.#options.ledger.chargeNow(charge);
    if (!decision.charged) return { kind: "quota_exceeded", month: decision };
    const jobId = this.#insert(submission, { units, period });
    const { attribution } = submission;
    return { kind: "accepted", jobId, attribution, month: decision };
  }

  #refund(paid: PaymentRow, how: { readonly forget: boolean }): void {
    const { account_id: accountId, env, period, units, created_ms: chargedMs } = paid;
    this.#options.ledger.refund({ accountId, env, period, units, chargedMs }, how);
  }

  #monthOf(caller: Caller, nowMs: number): ChargeDecision {
    const state = this.#options.ledger.stateOf(caller, nowMs);
    return { charged: false, plan: caller.plan, ...state };
  }

  #running(accountId: string): number {
    return (this.#sql.running.get(accountId) as { running: number }).running;
  }

  #repeated({ caller, request, idempotencyKey, nowMs }: Submission): SubmitOutcome | undefined {
    if (idempotencyKey === undefined) return undefined;
    const row = this.#sql.findKey.get(caller.accountId, idempotencyKey, nowMs - IDEMPOTENCY_MS) as
      | { job_id: number; fingerprint: string; attribution: string }
      | undefined;
    if (row === undefined) return undefined;
    if (row.fingerprint !== fingerprintOf(request)) return { kind: "key_reused" };
    const month = this.#monthOf(caller, nowMs);
    const attribution = JSON.parse(row.attribution) as object;
    return { kind: "repeated", jobId: row.job_id, attribution, month };
  }

  #insert(
    { caller, request, snapshotId, attribution, idempotencyKey, nowMs }: Submission,
    charge: { readonly units: number; readonly period: string },
  ): number {
    const jobId = this.#freeId();
    const turn = 1 + (this.#sql.lastTurn.get(caller.accountId) as { turn: number }).turn;
    const text = JSON.stringify(request);
    const paid = [charge.units, charge.period] as const;
    const source = [snapshotId, JSON.stringify(attribution)] as const;
    const { accountId, env } = caller;
    this.#sql.insert.run(jobId, accountId, env, text, ...source, turn, ...paid, nowMs);
    if (idempotencyKey !== undefined) {
      const key = [caller.accountId, idempotencyKey, fingerprintOf(request)] as const;
      this.#sql.insertKey.run(...key, jobId, nowMs);
    }
    return jobId;
  }

  #freeId(): number {
    for (;;) {
      const id = drawJobId();
      if (!this.has(id)) return id;
    }
  }

  #inTransaction<T>(work: () => T): T {
    return this.#answer(() => this.#options.ledger.transaction(work));
  }

  /** Asks the file, and names its failures as the store's. */
  #answer<T>(ask: () => T): T {
    try {
      return ask();
    } catch (error) {
      throw storeFailure(error);
    }
  }
}

function jobOf(row: JobRow): Job {
  const { error_code: code, error_message: message } = row;
  return {
    id: row.id,
    accountId: row.account_id,
    status: row.status,
    request: JSON.parse(row.request) as Job["request"],
    snapshotId: row.snapshot_id,
    createdMs: row.created_ms,
    startedMs: row.started_ms,
    finishedMs: row.finished_ms,
    error: code === null ? null : { code, message: message ?? "" },
  };
}
