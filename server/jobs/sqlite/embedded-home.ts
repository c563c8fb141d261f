import { readlinkSync } from "node:fs";
import { AccountsUnavailable } from "../../accounts/accounts.ts";
import type { EmbeddedAccounts } from "../../accounts/sqlite/embedded-accounts.ts";
import { DurableLog } from "../../accounts/sqlite/durable-log.ts";
import { Ledger } from "../../accounts/sqlite/ledger.ts";
import { fileBehindLinks } from "../../accounts/sqlite/linked-file.ts";
import { openMeterFile, type MeterFile } from "../../accounts/sqlite/meter-file.ts";
import { openStateFile, type Connection } from "../../accounts/sqlite/state-file.ts";
import { EmbeddedJobs } from "./embedded-jobs.ts";
import type { HeldSnapshots } from "../run/held-snapshots.ts";
import type { JobHome, SubmitOutcome } from "../job-store.ts";
import { PatientJobs, type PatientJobsOptions } from "./patient-jobs.ts";
import type { ReportFailure } from "../../process/report-failure.ts";

/** How long to wait in place for another process's lock; only while starting and stopping. */
const OPEN_WAIT_MS = 5_000;
/** How long to wait in later turns of the event loop, while requests are answered. */
const LOCK_WAIT_MS = 2_000;

export interface EmbeddedHomeOptions extends Pick<PatientJobsOptions, "breathe"> {
  readonly stateFile: string;
  /** What this process can run; undefined in one that runs no jobs. */
  readonly snapshots?: HeldSnapshots | undefined;
  /** Who pays; undefined in a process that takes no jobs in and only refunds jobs that failed. */
  readonly accounts: Pick<EmbeddedAccounts, "ledgerOn"> | undefined;
  readonly monotonicMs: () => number;
  readonly report: ReportFailure;
}

interface Opened {
  readonly db: Connection;
  readonly jobs: EmbeddedJobs;
  readonly log: DurableLog;
  /** Set if nobody else has the meters open. */
  readonly meters: MeterFile | undefined;
}

/** Opens the jobs of a state file for this process. */
export function openEmbeddedHome(options: EmbeddedHomeOptions): JobHome {
  const { accounts, snapshots } = options;
  const stateFile = fileBehindLinks(options.stateFile);
  const db = openStateFile(stateFile, { busyMs: OPEN_WAIT_MS });
  const log = new DurableLog(stateFile);
  const meters = accounts === undefined ? openMeterFile(stateFile) : undefined;
  const ledger = accounts?.ledgerOn(db) ?? new Ledger(db, undefined, meters!); // one of the two is set
  const jobs = new EmbeddedJobs({
    db,
    ledger,
    snapshots,
    isAlive,
    pid: process.pid,
    pidNamespace: pidNamespace(),
  });
  setLockWait(db, 0);
  return new EmbeddedHome({ db, jobs, log, meters }, options);
}

/** Jobs in the state file. An accepted job is forced to the disk before its answer leaves. */
class EmbeddedHome extends PatientJobs implements JobHome {
  readonly #opened: Opened;
  readonly #report: ReportFailure;
  readonly #snapshots: HeldSnapshots | undefined;
  /** Jobs that are being undone: whoever repeated one meanwhile must not be told of it. */
  readonly #undoing = new Map<number, Promise<void>>();

  constructor(opened: Opened, options: EmbeddedHomeOptions) {
    const { monotonicMs, report, breathe, snapshots } = options;
    super({ jobs: opened.jobs, monotonicMs, lockWaitMs: LOCK_WAIT_MS, breathe });
    this.#opened = opened;
    this.#report = report;
    this.#snapshots = snapshots;
  }

  override async recover(nowMs: number): Promise<number> {
    await this.#snapshots?.refresh();
    return await super.recover(nowMs);
  }

  async secure(outcome: SubmitOutcome): Promise<void> {
    // A repeat promises the same job, which may still be on its way to the disk.
    if (outcome.kind !== "accepted" && outcome.kind !== "repeated") return;
    const { kind, jobId } = outcome;
    const { log } = this.#opened;
    try {
      await log.sync();
    } catch (error) {
      if (kind === "accepted") await this.#undo(jobId);
      throw new AccountsUnavailable("the job could not be forced to the disk", { cause: error });
    }
    if (kind === "accepted") return;
    await this.#undoing.get(jobId);
    // The first call's process may still be told that the disk refused what this one knows to be there.
    if (await this.promise(jobId)) return;
    throw new AccountsUnavailable("the job was undone: the disk refused it");
  }

  async close(): Promise<void> {
    const { db, jobs, log, meters } = this.#opened;
    await log.close();
    setLockWait(db, OPEN_WAIT_MS);
    jobs.close();
    db.close();
    meters?.close();
  }

  #undo(jobId: number): Promise<void> {
    const undoing = this.#takeBack(jobId).finally(() => this.#undoing.delete(jobId));
    this.#undoing.set(jobId, undoing);
    return undoing;
  }

  async #takeBack(jobId: number): Promise<void> {
    try {
      await this.withdraw(jobId);
    } catch (error) {
      const details = { job_id: jobId, error: String(error) };
      this.#report("a job that was refused stays in the queue", details);
    }
  }
}

/** How long SQLite waits in place for another process's lock. */
function setLockWait(db: Connection, ms: number): void {
  db.exec(`PRAGMA busy_timeout = ${ms}`);
}

/** Linux names it; elsewhere a machine has only one. */
function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Whether a process of this machine exists. If we may not signal it, it does. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
