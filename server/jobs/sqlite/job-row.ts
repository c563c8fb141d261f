import type { Job, JobError, JobStatus } from "../job.ts";
import type { StoredJob } from "../job-store.ts";

/** A row of `jobs`, joined with the job's result. */
export interface JobRow {
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

export function storedJobOf(row: JobRow): StoredJob {
  return {
    job: jobOf(row),
    attribution: JSON.parse(row.attribution) as object,
    result: row.body,
  };
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
