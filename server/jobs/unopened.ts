import { SnapshotError, type SnapshotFault } from "../../snapshots/snapshot-error.ts";
import type { JobError } from "../../accounts/jobs/job.ts";

const CODES = {
  gone: "snapshot_gone",
  unreadable: "snapshot_unreadable",
  damaged: "snapshot_damaged",
} as const satisfies Record<SnapshotFault, JobError["code"]>;

/** What the caller does: a job sent again runs on the snapshot in force then, which may be the same one. */
const AGAIN = "the same request fails until answers name another snapshot, or the operator has";

/** The error of a job whose snapshot no process could open for some minutes; `reason` is what this process met. */
export function errorOfUnopened(id: string, reason: unknown): JobError {
  if (!(reason instanceof SnapshotError)) {
    const message = `the system starts nothing that reads snapshot "${id}" where backtests run; the same request fails until the operator has mended it`;
    return { code: "worker_unavailable", message };
  }
  const said = {
    gone: `snapshot "${id}" is no longer kept where backtests run; send the request again, with another Idempotency-Key, once answers name another snapshot`,
    unreadable: `snapshot "${id}" cannot be read where backtests run; ${AGAIN} made it readable`,
    damaged: `snapshot "${id}" is damaged, or of another version, where backtests run; ${AGAIN} repaired it`,
  };
  return { code: CODES[reason.fault], message: said[reason.fault] };
}
