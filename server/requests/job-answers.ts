import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Caller } from "../accounts/accounts.ts";
import { acceptsGzip } from "../http/accept-encoding.ts";
import { retryAfter } from "../http/error-replies.ts";
import { DomainError } from "../http/errors.ts";
import { PRIVATE_ANSWER_HEADERS } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import { SharedBody } from "../http/shared-body.ts";
import type { StoredJob, Submission } from "../jobs/job-store.ts";
import { attributionOf } from "../routes/attribution.ts";
import { idempotencyKeyOf } from "../routes/backtest-parameters.ts";
import { jobText } from "../routes/backtests.ts";
import { coinOf } from "../routes/board.ts";
import { readBody } from "../routes/body.ts";
import type { SubmitEndpoint } from "../routes/endpoint.ts";
import { NO_PARAMETERS, readQuery } from "../routes/parameters.ts";
import { DATA_START, json, META_START } from "../routes/formats/json.ts";
import type { Answer } from "./answer.ts";
import type { Call } from "./request-context.ts";
import { snapshotAnswers } from "./send-reply.ts";

/** How often clients should look at a job again: most are done by then. */
const POLL_SECONDS = 1;
const UNFINISHED_HEADERS = PRIVATE_ANSWER_HEADERS + retryAfter(POLL_SECONDS);

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
    attribution: attributionOf(snapshot, coinOf(snapshot, wanted.coin)),
    idempotencyKey,
    nowMs: request.nowMs,
  };
}

function unpaid({ env, plan }: Caller): string {
  if (env === "test") return "a test key starts no backtests; use a live key of a paid plan";
  return `plan "${plan.name}" has no backtests; they need a paid plan`;
}

const unzip = promisify(gunzip);

/** The answer to a poll. */
export async function jobAnswer(
  stored: StoredJob,
  { acceptEncoding }: HttpRequest,
): Promise<Answer> {
  const { status } = stored.job;
  const isOver = status === "done" || status === "error";
  const headers = isOver ? PRIVATE_ANSWER_HEADERS : UNFINISHED_HEADERS;
  return { format: json, headers, body: await bodyOf(stored, acceptsGzip(acceptEncoding)) };
}

/** A job's answer, up to `meta`. A result is up to 300 KB long, so it is not compressed on the event loop. */
async function bodyOf(stored: StoredJob, compressed: boolean): Promise<SharedBody> {
  const { before, after } = jobText(stored);
  const [start, end] = [DATA_START + before, after + META_START];
  if (stored.result === null) return new SharedBody(`${start}null${end}`);
  const result = await unzip(stored.result);
  const body = new SharedBody(Buffer.concat([Buffer.from(start), result, Buffer.from(end)]));
  if (compressed) await body.compress();
  return body;
}
