import type { JOB_ERROR_CODES } from "../../api/backtest.ts";

/**
 * A backtest as a job: what was asked, by whom, on which snapshot, and how far it is.
 *
 * queued -> running -> done | error, and running -> queued if the worker was lost. A job never leaves `done`
 * or `error`.
 */
export type JobStatus = "queued" | "running" | "done" | "error";

/** A request for a backtest, checked and with defaults filled in. */
export interface BacktestRequest {
  readonly strategy: string;
  readonly coin: string;
  /** Days since 1970-01-01. */
  readonly startDay: number;
  readonly startingCashUsd: number;
  /** 1 to 13. */
  readonly variant: number;
}

/** Why a job ended in `error`. The code is the contract; the message is for a person. */
export interface JobError {
  readonly code: (typeof JOB_ERROR_CODES)[number];
  readonly message: string;
}

export interface Job {
  readonly id: number;
  readonly accountId: string;
  readonly status: JobStatus;
  readonly request: BacktestRequest;
  /** The current snapshot when the job was accepted. The job runs on it, whatever is published later. */
  readonly snapshotId: string;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly error: JobError | null;
}

/** A job handed to this process. `attempt` counts from 1; only the latest may deliver a result. */
export interface ClaimedJob {
  readonly id: number;
  readonly request: BacktestRequest;
  readonly snapshotId: string;
  readonly attempt: number;
  /** How many attempts ended because the worker was lost, and for no other reason. */
  readonly losses: number;
  /** When the job was accepted, by the clock of the server that accepted it. */
  readonly createdMs: number;
}

export type JobOutcome =
  /** `result` is JSON text, compressed by gzip. */
  | { readonly ok: true; readonly result: Uint8Array }
  | { readonly ok: false; readonly error: JobError };
