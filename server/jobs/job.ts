import type { JOB_ERROR_CODES } from "../../api/backtest.ts";
import type { Params } from "../../quant/strategies/template.ts";
import type { AskedStudy } from "../../quant/studies/asked-study.ts";

/**
 * A backtest or a study as a job: what was asked, by whom, on which snapshot, and how far it is.
 *
 * queued -> running -> done | error, and running -> queued if the worker was lost. A job never leaves `done`
 * or `error`.
 */
export type JobStatus = "queued" | "running" | "done" | "error";

export type JobKind = "backtest" | "study";

/** What every kind of job asks for, checked and with defaults filled in. */
export interface JobRequest {
  readonly strategy: string;
  readonly coin: string;
  /** Days since 1970-01-01. */
  readonly startDay: number;
}

/** A request for a backtest. */
export interface BacktestRequest extends JobRequest {
  readonly startingCashUsd: number;
  /** 1 to 13. */
  readonly variant: number;
  /** What was asked for beyond the published runs; undefined if nothing was. */
  readonly own?: OwnRun;
}

/** Rates are fractions. */
export interface OwnRun {
  /** A whole set; undefined for that of the variant. */
  readonly params?: Params;
  readonly endDay?: number;
  readonly feeRate?: number;
  readonly slippageRate?: number;
  /** Tried in all, this run included. */
  readonly nTrials?: number;
}

/** A request for a study of many sets. */
export type StudyRequest = AskedStudy;

/** Why a job ended in `error`. The code is the contract; the message is for a person. */
export interface JobError {
  readonly code: (typeof JOB_ERROR_CODES)[number];
  readonly message: string;
}

export interface Job {
  readonly id: number;
  readonly accountId: string;
  readonly status: JobStatus;
  readonly kind: JobKind;
  readonly request: JobRequest;
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
  readonly kind: JobKind;
  readonly request: JobRequest;
  /** Distinct sets that the account had tried when the job was accepted, its own included; null if it counts none. */
  readonly known: number | null;
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
