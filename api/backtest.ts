import { Attribution } from "./attribution.ts";
import { BacktestResult } from "./backtest-result.ts";
import {
  address,
  date,
  instant,
  int,
  number,
  numbersByName,
  object,
  oneOf,
  percent,
  text,
  written,
} from "./members.ts";
import type { Params } from "../quant/strategies/template.ts";
import {
  facts,
  record,
  type AnswerRecord,
  type FactsOf,
  type Json,
  type Members,
} from "./record.ts";

/** Every code of a job that ended in `error`; `docs/errors.md` explains them. */
export const JOB_ERROR_CODES = [
  "timed_out",
  "worker_lost",
  "worker_unavailable",
  "snapshot_gone",
  "snapshot_damaged",
  "snapshot_unreadable",
  "figure_out_of_range",
  "internal_error",
] as const;

/** A stored job. Its attribution is JSON, as it was when the job was accepted. */
interface Stored {
  readonly id: number;
  readonly attribution: Attribution;
}

const stored = {
  attribution: written(Attribution)(),
  job_id: int("id of the job, for GET /backtests/{id}", (job: Stored) => job.id),
};

/** `POST /backtests` */
export const AcceptedBacktest = record<Stored & { readonly pollUrl: string }>()({
  ...stored,
  poll_url: address("where to poll the job, free of charge"),
  status: oneOf(["queued"])("", () => "queued"),
});

/** How a run deviates from the published ones. Rates are fractions. */
export interface OwnRun {
  /** A complete parameter set; undefined for that of the variant. */
  readonly params?: Params;
  readonly endDay?: number;
  readonly feeRate?: number;
  readonly slippageRate?: number;
  /** Trials in all, this run included. */
  readonly nTrials?: number;
}

interface Request {
  readonly strategy: string;
  readonly coin: string;
  readonly startDay: number;
  readonly startingCashUsd: number;
  /** 1 to 13. */
  readonly variant: number;
  /** Undefined if there are no deviations. */
  readonly own?: OwnRun;
}

/** The members of the body have the same names and sentences. */
export const BacktestRequest = record<Request>()({
  strategy: text("name of a template, from GET /strategies"),
  coin: text("ticker of a coin on the board"),
  start_date: date(
    "first day of the run, within the coin's history",
    (request) => request.startDay,
  ),
  starting_cash: number("dollars at the open of start_date", (request) => request.startingCashUsd),
  variant: int.ifAny("one of the template's parameter sets; 1 is the default", (request) =>
    request.own?.params === undefined ? request.variant : undefined,
  ),
  parameters: numbersByName.ifAny(
    "a set of your own, instead of a variant: any of the template's parameters; the others have their defaults",
    ({ own }) => own?.params,
  ),
  end_date: date.ifAny(
    "last day of the run; without it, the coin's last complete one",
    ({ own }) => own?.endDay,
  ),
  fee_pct: percent.ifAny(
    "of the traded value, each fill; 0.1 without it",
    ({ own }) => own?.feeRate,
  ),
  slippage_pct: percent.ifAny(
    "against the open, each fill; 0.05 without it",
    ({ own }) => own?.slippageRate,
  ),
  n_trials: int.ifAny(
    "sets tried in all, this one included; 13 are assumed without it",
    ({ own }) => own?.nTrials,
  ),
});

export const JobFailure = facts()({
  code: oneOf(JOB_ERROR_CODES)("each is explained under /docs/errors"),
  message: text(),
});

interface AnyJob extends Stored {
  readonly status: "queued" | "running" | "done" | "error";
  readonly createdMs: number;
  readonly startedMs: number | null;
  readonly finishedMs: number | null;
  readonly error: FactsOf<typeof JobFailure> | null;
}

/** What the answer about a job is made from. The result is JSON already. */
interface JobFrom<Asked, Result> extends AnyJob {
  readonly request: Asked;
  readonly result: Result | null;
}

/** `GET /backtests/{id}` and `GET /studies/{id}` */
export const jobRecord = <Asked, A extends Members<Asked>, From, R extends Members<From>>(
  asked: AnswerRecord<Asked, A>,
  result: AnswerRecord<From, R>,
) =>
  record<JobFrom<Asked, Json<typeof result>>>()({
    ...stored,
    status: oneOf(["queued", "running", "done", "error"])(
      "a job that lost its worker goes from running back to queued",
    ),
    request: object(asked)("as accepted, with defaults filled in"),
    created_at: instant(),
    started_at: instant.orNull("null while queued"),
    finished_at: instant.orNull("null until it is over"),
    result: written(result).orNull("null until done"),
    error: object(JobFailure).orNull("why it failed; the units were refunded"),
  });

export const BacktestJob = jobRecord(BacktestRequest, BacktestResult);
