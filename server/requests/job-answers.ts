import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { Attribution } from "../../api/attribution.ts";
import type { Caller } from "../accounts/accounts.ts";
import { retryAfter } from "../http/error-replies.ts";
import { DomainError } from "../http/errors.ts";
import type { HttpRequest } from "../http/request.ts";
import type { StoredJob, Submission } from "../jobs/job-store.ts";
import { idempotencyKeyOf } from "../routes/backtest-parameters.ts";
import { jobText } from "../routes/backtests.ts";
import { coinOf } from "../routes/board.ts";
import { readBody } from "../routes/body.ts";
import type { SubmitEndpoint } from "../routes/endpoint.ts";
import { originOf } from "../routes/origin.ts";
import { NO_PARAMETERS, readQuery } from "../routes/parameters.ts";
import { answerOfParts, type Answer } from "./answer.ts";
import type { Call } from "./request-context.ts";
import { snapshotAnswers } from "./send-reply.ts";

/** How often clients should look at a job again: most are done by then. */
const POLL_SECONDS = 1;
const POLL_AGAIN = retryAfter(POLL_SECONDS);

/** A backtest that a caller asks for, checked up to its plan. Throws DomainError. */
export function submissionOf(call: Call, caller: Caller, endpoint: SubmitEndpoint): Submission {
  const { request } = call;
  const { snapshot } = snapshotAnswers(call);
  readQuery(NO_PARAMETERS, request.query);
  const idempotencyKey = idempotencyKeyOf(request);
  const wanted = endpoint.requestOf(snapshot, readBody(endpoint.body, request.body));
  if (caller.plan.backtestUnits === null) {
    throw new DomainError("paid_plan_required", unpaid(caller));
  }
  return {
    caller,
    request: wanted,
    snapshotId: snapshot.id,
    attribution: Attribution.of(originOf(snapshot, coinOf(snapshot, wanted.coin))),
    idempotencyKey,
    nowMs: request.nowMs,
  };
}

function unpaid({ env, plan }: Caller): string {
  if (env === "test") return "a test key starts no backtests; use a live key of a paid plan";
  return `plan "${plan.name}" has no backtests; they need a paid plan`;
}

const unzip = promisify(gunzip);

/** The answer to a poll. A result is up to 300 KB long. */
export async function jobAnswer(stored: StoredJob, request: HttpRequest): Promise<Answer> {
  const { status } = stored.job;
  const isOver = status === "done" || status === "error";
  const [before, after] = jobText(stored);
  const result = stored.result === null ? "null" : await unzip(stored.result);
  return await answerOfParts([before, result, after], request, isOver ? "" : POLL_AGAIN);
}
