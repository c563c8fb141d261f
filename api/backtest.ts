import { Attribution } from "./attribution.ts";
import { BacktestResult } from "./backtest-result.ts";
import { address, date, instant, int, number, object, oneOf, text, written } from "./members.ts";
import { record, type Json } from "./record.ts";

/** Every code of a job that ended in `error`; `docs/errors.md` explains them. */
export const JOB_ERROR_CODES = [
  "timed_out",
  "worker_lost",
  "snapshot_gone",
  "figure_out_of_range",
  "internal_error",
] as const;

/** A job's attribution is stored as it was made. */
interface Stored {
  readonly id: number;
  readonly attribution: Attribution;
}

const stored = {
  attribution: written(Attribution)("", (job: Stored) => job.attribution),
  job_id: int("id of the job, for GET /backtests/{id}", (job: Stored) => job.id),
};

/** `POST /backtests` */
export const AcceptedBacktest = record<Stored & { readonly pollUrl: string }>()({
  ...stored,
  poll_url: address("where to poll the job, free of charge", ({ pollUrl }) => pollUrl),
  status: oneOf(["queued"])("", () => "queued"),
});

interface Request {
  readonly strategy: string;
  readonly coin: string;
  readonly startDay: number;
  readonly startingCashUsd: number;
  readonly variant: number;
}

/** The members of the body have the same names and sentences. */
export const BacktestRequest = record<Request>()({
  strategy: text("name of a template, from GET /strategies", (of) => of.strategy),
  coin: text("ticker of a coin on the board", (of) => of.coin),
  start_date: date("first day of the run, within the coin's history", (of) => of.startDay),
  starting_cash: number("dollars at the open of start_date", (of) => of.startingCashUsd),
  variant: int("one of the template's parameter sets; 1 is the default", (of) => of.variant),
});

interface Failure {
  readonly code: (typeof JOB_ERROR_CODES)[number];
  readonly message: string;
}

const JobFailure = record<Failure>()({
  code: oneOf(JOB_ERROR_CODES)("each is explained under /docs/errors", ({ code }) => code),
  message: text("", ({ message }) => message),
});

interface Job extends Stored {
  readonly status: "queued" | "running" | "done" | "error";
  readonly request: Request;
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly result: Json<typeof BacktestResult> | null;
  readonly error: Failure | null;
}

/** `GET /backtests/{id}` */
export const BacktestJob = record<Job>()({
  ...stored,
  status: oneOf(["queued", "running", "done", "error"])(
    "a job that lost its worker goes from running back to queued",
    (job) => job.status,
  ),
  request: object(BacktestRequest)("as accepted, with defaults filled in", (job) => job.request),
  created_at: instant("", (job) => job.createdMs),
  started_at: instant.orNull("null while queued", (job) => job.startedMs),
  finished_at: instant.orNull("null until it is over", (job) => job.finishedMs),
  result: written(BacktestResult).orNull("null until done", (job) => job.result),
  error: object(JobFailure).orNull("why it failed; the units were refunded", (job) => job.error),
});
