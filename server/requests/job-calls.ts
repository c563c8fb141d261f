// oxlint-disable typescript/unbound-method -- `next` calls a step with the call as `this`: no closure a request
import type { QuotaState } from "../accounts/accounts.ts";
import { AccountCall, type CallContext } from "./account-call.ts";
import type { JobIntakeStore, StoredJob, SubmitOutcome } from "../jobs/job-store.ts";
import { DATA_START, META_START } from "./answer.ts";
import { DataBody } from "./written-body.ts";
import { ResultBody } from "../jobs/result-body.ts";
import { bytesOf } from "../http/byte-writer.ts";
import { retryAfter } from "../http/error-replies.ts";
import { DomainError } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { quoted } from "../http/quoted.ts";
import { PRIVATE_ANSWER_HEADERS } from "../http/reply.ts";
import { SharedBody, type TailedBody } from "../http/shared-body.ts";
import { attributionOf } from "../routes/attribution.ts";
import { idempotencyKeyOf, idOf } from "../routes/backtest-parameters.ts";
import { acceptedOf, jobText } from "../routes/backtests.ts";
import { coinOf } from "../routes/board.ts";
import { readBody } from "../routes/body.ts";
import type { SubmitEndpoint } from "../routes/endpoint.ts";
import { NO_PARAMETERS, readQuery } from "../routes/parameters.ts";

/** What calls about jobs need in addition. */
export interface JobContext extends CallContext {
  readonly jobs: Pick<JobIntakeStore, "submit" | "find" | "underWay">;
  /** Where clients reach this server, without a trailing slash. */
  readonly publicUrl: string;
}

/** How often clients should look at a job again: most are done by then. */
const POLL_SECONDS = 1;
const CONCURRENCY_RETRY_SECONDS = 1;
const UNFINISHED_HEADERS = Buffer.concat([
  PRIVATE_ANSWER_HEADERS,
  bytesOf(retryAfter(POLL_SECONDS)),
]);

/** POST of a backtest. The job and its charge are stored before the answer leaves. */
export class SubmitCall extends AccountCall<JobContext> {
  readonly #endpoint: SubmitEndpoint;

  constructor(context: JobContext, exchange: Exchange, endpoint: SubmitEndpoint) {
    super(context, exchange);
    this.#endpoint = endpoint;
  }

  protected override proceed(): void {
    this.checkBody();
    const { request: sent } = this.exchange;
    const { snapshot } = this.snapshotAnswers();
    readQuery(NO_PARAMETERS, sent.query);
    const idempotencyKey = idempotencyKeyOf(sent);
    const body = readBody(this.#endpoint.body, sent.body);
    const request = this.#endpoint.requestOf(snapshot, body as never);
    const { caller, nowMs } = this;
    if (caller.plan.backtestUnits === null)
      throw new DomainError("paid_plan_required", unpaid(this));
    const attribution = attributionOf(snapshot, coinOf(snapshot, request.coin));
    const outcome = this.context.jobs.submit({
      caller,
      request,
      snapshotId: snapshot.id,
      attribution,
      idempotencyKey,
      nowMs,
    });
    this.next(outcome, this.#submitted);
  }

  #submitted(outcome: SubmitOutcome): void {
    const { plan } = this.caller;
    if (outcome.kind === "key_reused") {
      const message = `"Idempotency-Key" was used within the last 24 hours for a different request; use a new key`;
      throw new DomainError("idempotency_key_reused", message);
    }
    if (outcome.kind === "concurrency_exceeded") {
      const message = `plan "${plan.name}" allows ${plan.concurrentRuns} backtests at once and ${outcome.running} are queued or running; wait for one to end`;
      this.refuse({ code: "concurrency_exceeded", message }, retryAfter(CONCURRENCY_RETRY_SECONDS));
    } else if (outcome.kind === "quota_exceeded") {
      const { quota, plan: payer } = outcome.month;
      const message = `a backtest costs ${plan.backtestUnits} calls and ${quota.remaining} of the ${quota.limit} of plan "${payer.name}" are left; the quota renews in ${quota.resetSeconds} s`;
      const lines = retryAfter(quota.resetSeconds);
      this.refuse({ code: "quota_exceeded", message }, lines, outcome.month);
    } else {
      const { request } = this.exchange;
      if (outcome.kind === "accepted") this.context.charged(request, plan.backtestUnits ?? 0);
      const { path } = request;
      const body = new DataBody(acceptedOf(outcome, `${this.context.publicUrl}${path}`));
      this.answer({ headers: PRIVATE_ANSWER_HEADERS, body }, outcome.month.plan, outcome.month);
    }
  }
}

function unpaid({ caller }: SubmitCall): string {
  if (caller.env === "test") return "a test key starts no backtests; use a live key of a paid plan";
  return `plan "${caller.plan.name}" has no backtests; they need a paid plan`;
}

/**
 * GET of a job by its id. It is free. Another account's job, a missing one and an invalid id all look the
 * same.
 */
export class PollCall extends AccountCall<JobContext> {
  readonly #id: string;

  constructor(context: JobContext, exchange: Exchange, id: string) {
    super(context, exchange);
    this.#id = id;
  }

  protected override proceed(): void {
    const { caller, nowMs, context } = this;
    const id = idOf(this.#id);
    // Asked for together with the job, so that a distant store is waited for once.
    const month = context.accounts.quota(caller, nowMs);
    const stored = context.jobs.find(id, caller.accountId, nowMs);
    if (month instanceof Promise || stored instanceof Promise) {
      this.next(Promise.all([stored, month]), (both) => this.#found(...both));
    } else {
      this.#found(stored, month);
    }
  }

  #found(stored: StoredJob | undefined, month: QuotaState): void {
    if (stored === undefined) {
      const message = `this account has no backtest with the id ${quoted(this.#id)}`;
      this.refuse({ code: "job_not_found", message }, "", month);
      return;
    }
    const { status } = stored.job;
    const over = status === "done" || status === "error";
    const headers = over ? PRIVATE_ANSWER_HEADERS : UNFINISHED_HEADERS;
    const body = bodyOf(stored);
    this.answer({ headers, body }, this.caller.plan, month);
  }
}

/** A job's answer, up to `meta`. */
function bodyOf(stored: StoredJob): TailedBody {
  const { before, after } = jobText(stored);
  const [beginning, end] = [DATA_START + before, after + META_START];
  if (stored.result === null) return new SharedBody(`${beginning}null${end}`);
  return new ResultBody(beginning, stored.result, end);
}
