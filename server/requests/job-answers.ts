import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { AcceptedBacktest } from "../../api/backtest.ts";
import { Attribution } from "../../api/attribution.ts";
import type { Caller } from "../../accounts/accounts.ts";
import { retryAfter } from "../http/reply.ts";
import { DomainError } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import type { HttpRequest } from "../http/request.ts";
import type { StoredJob, Submission } from "../../accounts/jobs/job-store.ts";
import { coinOf } from "../routes/board.ts";
import { readBody, validateBody } from "../routes/body.ts";
import type { PollEndpoint, SubmitEndpoint } from "../routes/endpoint.ts";
import { checkFields } from "../routes/fields.ts";
import { chooseForm, type ChosenForm, formatsOf } from "./formats/formats.ts";
import { json } from "./formats/json.ts";
import { NO_PARAMETERS, readQuery } from "../routes/parameters.ts";
import { originOf } from "../routes/snapshot-data.ts";
import { answerOfParts, needsCompressing, privateAnswer, type Answer } from "./answer.ts";
import { noSuchJob, submissionRefusal, tooManyLarge } from "./refusals.ts";
import {
  type Call,
  freeLater,
  type Priced,
  secondsToWait,
  sendAnswer,
  sendError,
  snapshotAnswers,
} from "./send-reply.ts";

/** When clients should poll a job again. Most are done by then. */
const POLL_SECONDS = 1;
const POLL_AGAIN = retryAfter(POLL_SECONDS);

/** POST of a job. The job store charges its units together with the job, and answers once both are stored. */
export function submit(call: Call, caller: Caller, endpoint: SubmitEndpoint): Priced {
  const { request, context } = call;
  validateBody(request, endpoint.bodyMaxBytes);
  const submission = submissionOf(call, caller, endpoint);
  return freeLater(call, async (outcome) => {
    const submitted = await context.parts.jobs.submit(submission);
    if (submitted.kind === "accepted") {
      context.charged(request, submission.runs * (caller.plan.backtestUnits ?? 0));
      context.parts.wakeBacktests();
    }
    if ("jobId" in submitted) {
      const { jobId: id, attribution } = submitted;
      const pollUrl = `${context.parts.publicUrl}${request.path}/${id}`;
      const data = AcceptedBacktest.from({ id, attribution, pollUrl });
      sendAnswer(call, privateAnswer(endpoint, { format: json, fields: [] }, data), {
        ...outcome,
        ...submitted.decision,
      });
    } else {
      const decision = "decision" in submitted ? submitted.decision : undefined;
      sendError(call, submissionRefusal(submitted, caller.plan, submission), {
        ...outcome,
        ...decision,
      });
    }
  });
}

/** GET of a job by its id. A job of another account or kind, a missing job and an invalid id get the same answer. */
export function poll(call: Call, caller: Caller, endpoint: PollEndpoint, id: string): Priced {
  const { context, request } = call;
  const { accountId } = caller;
  const form = pollForm(endpoint, request);
  return freeLater(call, async (outcome) => {
    const stored = await context.parts.jobs.find(idOf(id), accountId, request.nowMs);
    if (stored?.job.kind !== endpoint.job) {
      sendError(call, noSuchJob(id, endpoint.job), outcome);
      return;
    }
    const answer = await context.making.addAside(accountId, () =>
      jobAnswer(endpoint, stored, form, request),
    );
    const wait = secondsToWait(call, caller, answer);
    if (wait > 0) sendError(call, tooManyLarge(wait), outcome);
    else sendAnswer(call, answer, outcome);
  });
}

/** The job that a request submits. Its plan is checked last. Throws DomainError. */
function submissionOf(call: Call, caller: Caller, endpoint: SubmitEndpoint): Submission {
  const { request } = call;
  const { snapshot } = snapshotAnswers(call);
  readQuery(NO_PARAMETERS, request.query);
  const idempotencyKey = idempotencyKeyOf(request);
  const asked = endpoint.askedOf(snapshot, readBody(endpoint.body, request.body));
  if (caller.plan.backtestUnits === null) {
    throw new DomainError("paid_plan_required", unpaid(caller));
  }
  return {
    caller,
    ...asked,
    endpoint: endpoint.path,
    snapshotId: snapshot.id,
    attribution: Attribution.from(originOf(snapshot, coinOf(snapshot, asked.request.coin))),
    idempotencyKey,
    nowMs: request.nowMs,
  };
}

function unpaid({ env, plan }: Caller): string {
  if (env === "test")
    return "a test key starts no backtests or studies; use a live key of a paid plan";
  return `plan "${plan.name}" has no backtests or studies; they need a paid plan`;
}

/** Besides `Accept-Encoding`, which every answer varies with. */
const VARY_LINE = "\r\nVary: Accept";

const unzip = promisify(gunzip);

/** The form in which a poll wants its answer. */
interface PollForm extends ChosenForm {
  /** The list of the result whose rows CSV has. */
  readonly part: string;
}

/** The form of a poll. Other parameters are ignored, as all were before there was any. Throws DomainError. */
function pollForm(endpoint: PollEndpoint, request: HttpRequest): PollForm {
  const form = chooseForm(request, formatsOf(endpoint));
  checkFields(endpoint.data, form.fields);
  const { parts } = endpoint;
  const part = new URLSearchParams(form.query).get("part") ?? parts[0]!; // it has some
  if (parts.includes(part)) return { ...form, part };
  const allowed = parts.map((each) => `"${each}"`).join(" or ");
  const message = `parameter "part" must be ${allowed}, got ${quoted(part)}`;
  throw new DomainError("invalid_parameter", message);
}

const NO_RESULT = '"result":null';

/** `data` of a job as JSON, before and after its result, which is long and is stored as JSON. */
function jobText(
  { data }: PollEndpoint,
  { job, attribution }: StoredJob,
): readonly [string, string] {
  const text = JSON.stringify(data.from({ ...job, attribution, result: null } as never)); // a job of the endpoint's kind
  const at = text.indexOf(NO_RESULT); // no text before it can contain a quote that is not escaped
  return [`${text.slice(0, at)}"result":`, text.slice(at + NO_RESULT.length)];
}

/** The answer to a poll. A result takes up to 300 KB. A job without one has no rows and is answered in JSON. */
async function jobAnswer(
  endpoint: PollEndpoint,
  stored: StoredJob,
  { format, fields, part }: PollForm,
  request: HttpRequest,
): Promise<Answer> {
  const { status, id } = stored.job;
  const again = status === "done" || status === "error" ? "" : POLL_AGAIN;
  const [before, after] = jobText(endpoint, stored);
  const result = stored.result === null ? "null" : await unzip(stored.result);
  const inJson = format === json || stored.result === null;
  if (inJson && fields.length === 0) {
    return await answerOfParts([before, result, after], request, VARY_LINE + again);
  }
  const data = JSON.parse(`${before}${String(result)}${after}`) as object;
  const form = { format: inJson ? json : format, fields };
  const answer = privateAnswer(endpoint, form, data, inJson ? {} : { id, part });
  if (needsCompressing(answer, request)) await answer.body.compress();
  return { ...answer, headers: answer.headers + again };
}

const KEY_MAX_LENGTH = 255;
/** Other bytes all arrive as the same replacement character, so that different keys would be equal. */
const KEY = new RegExp(`^[ -~]{1,${KEY_MAX_LENGTH}}$`);
const JOB_ID = /^[1-9]\d{0,15}$/;
/** Takes the place of an invalid id. No job has it, and it is looked up like any other. */
const NO_JOB = 0;

function idOf(text: string): number {
  const id = JOB_ID.test(text) ? Number(text) : NO_JOB;
  return Number.isSafeInteger(id) ? id : NO_JOB;
}

/** The `Idempotency-Key` header, undefined when there is none. */
function idempotencyKeyOf(request: HttpRequest): string | undefined {
  const { idempotencyKey, idempotencyKeyCount } = request;
  if (idempotencyKeyCount === 0) return undefined;
  if (idempotencyKeyCount === 1 && KEY.test(idempotencyKey)) return idempotencyKey;
  throw new DomainError(
    "invalid_parameter",
    `header "Idempotency-Key" must be given once with 1 to ${KEY_MAX_LENGTH} printable ASCII characters, got ${faultOf(request)}`,
  );
}

function faultOf({ idempotencyKey, idempotencyKeyCount }: HttpRequest): string {
  if (idempotencyKeyCount > 1) return `${idempotencyKeyCount} of them`;
  if (idempotencyKey.length > KEY_MAX_LENGTH) return `${idempotencyKey.length} characters`;
  // The socket library passes an empty text if it cannot read what was sent.
  return idempotencyKey === "" ? "an empty one, or other characters" : "other characters";
}
