import type { BacktestRequest as AskedBacktest, JobFailure } from "../../api/backtest.ts";
import type { FactsOf } from "../../api/record.ts";
import type { AskedStudy } from "../../quant/studies/asked-study.ts";

/**
 * The state of a job, which is a backtest or a study:
 *
 * queued -> running -> done | error, and back from running to queued if its worker is lost. A job never leaves `done`
 * or `error`.
 */
export type JobStatus = "queued" | "running" | "done" | "error";

export type JobKind = "backtest" | "study";

/** The members that every kind of request has, checked and with defaults filled in. */
export interface JobRequest {
  readonly strategy: string;
  readonly coin: string;
  /** Days since 1970-01-01. */
  readonly startDay: number;
}

export type BacktestRequest = FactsOf<typeof AskedBacktest>;
export type StudyRequest = AskedStudy;

/** Why a job ended in `error`. The code is the contract; the message is for a person. */
export type JobError = FactsOf<typeof JobFailure>;

export interface Job {
  readonly id: number;
  readonly accountId: string;
  readonly status: JobStatus;
  readonly kind: JobKind;
  readonly request: JobRequest;
  /** The snapshot in force when the job was accepted. The job runs on it, whatever is published later. */
  readonly snapshotId: string;
  /** By the clock of the server that accepted it. */
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly error: JobError | null;
}

/** A job that this process has claimed. `attempt` counts from 1; only the latest may deliver a result. */
export interface ClaimedJob extends Pick<
  Job,
  "id" | "kind" | "request" | "snapshotId" | "createdMs"
> {
  /** Distinct sets that the account had tried when the job was accepted, its own included; null if none are counted. */
  readonly known: number | null;
  readonly attempt: number;
  /** The number of attempts that ended because the worker was lost. */
  readonly losses: number;
}

export type JobOutcome =
  /** `result` is JSON text, compressed by gzip. */
  | { readonly ok: true; readonly result: Uint8Array }
  | { readonly ok: false; readonly error: JobError };
