import { AcceptedBacktest } from "../../api/backtest.ts";
import type { Caller, ChargeOutcome } from "../../accounts/accounts.ts";
import { matchesEtag } from "../http/request-fields.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import type { HttpRequest } from "../http/request.ts";
import { idOf, jobAnswer, pollForm, submissionOf } from "./job-answers.ts";
import { readBody, validateBody } from "../routes/body.ts";
import {
  dataOf,
  type CheckEndpoint,
  type ComputeEndpoint,
  type Endpoint,
  type PollEndpoint,
  type ReadEndpoint,
  type SubmitEndpoint,
  type UsageEndpoint,
} from "../routes/endpoint.ts";
import { checkFields } from "../routes/fields.ts";
import { chooseForm, formatsOf, type ChosenForm } from "../routes/formats/formats.ts";
import { json } from "../routes/formats/json.ts";
import { NO_PARAMETERS, readQuery } from "../routes/parameters.ts";
import { usageOf } from "../routes/usage.ts";
import { needsCompressing, privateAnswer, type Answer, type TaggedAnswer } from "./answer.ts";
import { answerCheck, sentCheck } from "./check-answers.ts";
import { largeBytesOf } from "./limits.ts";
import {
  keyRefusal,
  noSuchJob,
  outOfQuota,
  rateLimited,
  submissionRefusal,
  tooManyLarge,
} from "./refusals.ts";
import {
  type Call,
  type RequestContext,
  fail,
  guarded,
  sendAnswer,
  sendError,
  sendNotModified,
  snapshotAnswers,
} from "./send-reply.ts";

/** The answer to a request of a known account. It is sent once its `units` are charged. */
interface Priced {
  readonly units: number;
  send(outcome: ChargeOutcome): void | Promise<void>;
}

/** Makes an answer when it is the account's turn. Throws DomainError. */
type Later = () => Priced | Promise<Priced>;

/**
 * Answers a request to an endpoint, in this order: key, rate, headers, parameters, answer, charge, send. The first check
 * that fails decides. From the key on, a request is one entry in the accounts' batch, which is stored at the end of the
 * turn of the event loop. `id` is the last segment of the path, for endpoints that take one.
 */
export function answerRequest(
  response: PendingResponse,
  endpoint: Endpoint,
  id: string,
  context: RequestContext,
): void {
  const call = { response, request: response.request, context };
  const { authorization, authorizationCount, nowMs } = response.request;
  guarded(call, undefined, () => {
    const caller =
      authorizationCount > 1
        ? undefined
        : context.parts.accounts.authenticate(authorization, nowMs);
    if (!(caller instanceof Promise)) return answerCaller(call, caller, endpoint, id);
    return caller.then((known) => answerCaller(call, known, endpoint, id));
  });
}

function answerCaller(
  call: Call,
  caller: Caller | undefined,
  endpoint: Endpoint,
  id: string,
): void | Promise<void> {
  const { request, context } = call;
  const { nowMs } = request;
  if (caller === undefined) {
    context.refuseKey(call.response, keyRefusal(request));
    return;
  }
  request.accountId = caller.accountId;
  const rate = context.parts.accounts.admit(caller, nowMs);
  const charge = (priced: Priced | undefined) =>
    context.parts.accounts.charge({
      caller,
      nowMs,
      endpoint: endpoint.path,
      units: priced?.units ?? 0,
      rate,
      connection: call.response,
      settle(outcome) {
        if (outcome instanceof Error) fail(call, outcome, rate && { rate });
        else guarded(call, outcome, () => settled(call, priced, outcome));
      },
    });
  const priced = rate?.admitted === false ? undefined : price(call, caller, endpoint, id);
  if (typeof priced !== "function") return charge(priced);
  const made = context.making.add(caller.accountId, () => call.response.open && priced());
  return made
    .catch((error: unknown) => free((outcome) => fail(call, error, outcome)))
    .then((late) => (late === false ? undefined : charge(late))); // false: the client has left
}

/** The answer, or the refusal in its place, with what it costs. A function makes one that has to wait its turn. */
function price(call: Call, caller: Caller, endpoint: Endpoint, id: string): Priced | Later {
  try {
    switch (endpoint.kind) {
      case "read":
        return read(call, caller, endpoint);
      case "compute":
        return () => compute(call, endpoint);
      case "check":
        return check(call, caller, endpoint);
      case "submit":
        return () => submit(call, caller, endpoint);
      case "poll":
        return poll(call, caller, endpoint, id);
      case "usage":
        return usage(call, caller, endpoint);
    }
  } catch (error) {
    return () => {
      throw error; // writing a refusal takes its turn, too
    };
  }
}

/** GET of snapshot data. */
function read(call: Call, caller: Caller, endpoint: ReadEndpoint): Priced | Later {
  const { request } = call;
  const answers = snapshotAnswers(call);
  const chosen = chooseForm(request, formatsOf(endpoint));
  const known = answers.known(endpoint, chosen);
  if (known !== undefined && !needsCompressing(known, request)) return readOf(call, caller, known);
  return () => {
    const answer = answers.find(endpoint, chosen);
    const priced = () => readOf(call, caller, answer);
    return needsCompressing(answer, request) ? answer.body.compress().then(priced) : priced();
  };
}

/** The answer to a read. A 304, for a caller that has it already, and a head without the body cost nothing. */
function readOf(call: Call, caller: Caller, answer: TaggedAnswer): Priced {
  const { ifNoneMatch, method } = call.request;
  if (ifNoneMatch !== "" && matchesEtag(ifNoneMatch, answer.etag)) {
    return free((outcome) => sendNotModified(call, answer, outcome));
  }
  if (method === "HEAD") return free((outcome) => sendAnswer(call, answer, outcome));
  const wait = secondsToWait(call, caller, answer);
  if (wait > 0) return free((outcome) => sendError(call, tooManyLarge(wait), outcome));
  return { units: 1, send: (outcome) => sendAnswer(call, answer, outcome) };
}

/** POST whose answer depends on its body alone. */
function compute(call: Call, endpoint: ComputeEndpoint): Priced {
  const { request } = call;
  validateBody(request);
  const { snapshot } = snapshotAnswers(call);
  const form = formAlone(endpoint, request);
  const data = dataOf(endpoint, snapshot, readBody(endpoint.body, request.body));
  const answer = privateAnswer(endpoint, form, data);
  return { units: 1, send: (outcome) => sendAnswer(call, answer, outcome) };
}

/** POST of a file. It counts for the rate when it arrives. Its units are charged with the answer. */
function check(call: Call, caller: Caller, endpoint: CheckEndpoint): Priced {
  const sent = sentCheck(call, endpoint);
  return free((outcome) => answerCheck(call, caller, sent, outcome));
}

/** POST of a job. The job store charges its units together with the job, and answers once both are stored. */
function submit(call: Call, caller: Caller, endpoint: SubmitEndpoint): Priced {
  const { request, context } = call;
  validateBody(request, endpoint.bodyMaxBytes);
  const submission = submissionOf(call, caller, endpoint);
  return free(async (outcome) => {
    const submitted = await context.parts.jobs.submit(submission);
    if (submitted.kind === "accepted") {
      context.charged(request, submission.runs * (caller.plan.backtestUnits ?? 0));
      context.parts.wakeBacktests();
    }
    if ("jobId" in submitted) {
      const { jobId: id, attribution } = submitted;
      const pollUrl = `${context.parts.publicUrl}${request.path}/${id}`;
      const data = AcceptedBacktest.from({ id, attribution, pollUrl });
      await sendAnswer(call, privateAnswer(endpoint, { format: json, fields: [] }, data), {
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
function poll(call: Call, caller: Caller, endpoint: PollEndpoint, id: string): Priced {
  const { context, request } = call;
  const { accountId } = caller;
  const form = pollForm(endpoint, request);
  return free(async (outcome) => {
    const stored = await context.parts.jobs.find(idOf(id), accountId, request.nowMs);
    if (stored?.job.kind !== endpoint.job) {
      sendError(call, noSuchJob(id, endpoint.job), outcome);
      return;
    }
    const answer = await context.making.add(accountId, () =>
      jobAnswer(endpoint, stored, form, request),
    );
    const wait = secondsToWait(call, caller, answer);
    if (wait > 0) sendError(call, tooManyLarge(wait), outcome);
    else await sendAnswer(call, answer, outcome);
  });
}

/** The seconds to wait if the account has had too many bytes of large answers; otherwise 0. */
function secondsToWait({ context, request }: Call, caller: Caller, { body }: Answer): number {
  const max = largeBytesOf(caller.plan);
  return context.byteLimit.admit(caller.accountId, body.prefixBytes, max, request.nowMs);
}

/** GET of the account itself. */
function usage(call: Call, caller: Caller, endpoint: UsageEndpoint): Priced {
  const { context, request } = call;
  const { snapshot } = snapshotAnswers(call);
  const form = formAlone(endpoint, request);
  return free(async (outcome) => {
    const report = await context.parts.accounts.report(caller, request.nowMs);
    const running = await context.parts.jobs.underWay(caller.accountId, request.nowMs);
    const facts = { caller, report, quotaState: outcome, rateWindow: outcome.rate.window, running };
    await sendAnswer(call, privateAnswer(endpoint, form, usageOf(snapshot, facts)), outcome);
  });
}

/** Answers once the accounts have stored the request. Without a price, the rate limit refused it. */
function settled(
  call: Call,
  priced: Priced | undefined,
  outcome: ChargeOutcome,
): void | Promise<void> {
  if (priced === undefined || outcome.kind === "rate_limited") {
    sendError(call, rateLimited(outcome), outcome);
  } else if (outcome.kind === "quota_exceeded") {
    sendError(call, outOfQuota(outcome), outcome);
  } else {
    if (priced.units > 0) call.context.charged(call.request, priced.units);
    return priced.send(outcome);
  }
}

/** The form of an answer to a request that has no other parameters. Throws DomainError. */
function formAlone(endpoint: ComputeEndpoint | UsageEndpoint, request: HttpRequest): ChosenForm {
  const form = chooseForm(request, formatsOf(endpoint));
  readQuery(NO_PARAMETERS, form.query);
  checkFields(endpoint.data, form.fields);
  return form;
}

function free(send: Priced["send"]): Priced {
  return { units: 0, send };
}
