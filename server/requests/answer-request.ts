import type { Caller, ChargeOutcome } from "../../accounts/accounts.ts";
import { matchesEtag } from "../http/request-fields.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import type { HttpRequest } from "../http/request.ts";
import { poll, submit } from "./job-answers.ts";
import { readBody, validateBody } from "../routes/body.ts";
import {
  dataOf,
  type CheckEndpoint,
  type ComputeEndpoint,
  type Endpoint,
  type ReadEndpoint,
  type SnapshotsEndpoint,
  type UsageEndpoint,
} from "../routes/endpoint.ts";
import { checkFields } from "../routes/fields.ts";
import { chooseForm, formatsOf, type ChosenForm } from "./formats/formats.ts";
import { NO_PARAMETERS, readQuery } from "../routes/parameters.ts";
import { SNAPSHOTS_QUERY } from "../routes/snapshots.ts";
import { usageOf } from "../routes/usage.ts";
import { needsCompressing, privateAnswer, type TaggedAnswer } from "./answer.ts";
import { snapshotsOf } from "./list-snapshots.ts";
import { answerCheck, sentCheck } from "./check-answers.ts";
import { keyRefusal, outOfQuota, rateLimited, tooManyLarge } from "./refusals.ts";
import {
  type Call,
  type Priced,
  type RequestContext,
  fail,
  freeLater,
  guarded,
  guardedLater,
  secondsToWait,
  sendAnswer,
  sendError,
  sendNotModified,
  snapshotAnswers,
} from "./send-reply.ts";

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
  const { accounts } = context.parts;
  guarded(call, undefined, () => {
    const hasOne = authorizationCount <= 1;
    const caller = hasOne ? accounts.knownCaller(authorization, nowMs) : undefined;
    if (caller !== undefined) return answerCaller(call, caller, endpoint, id);
    void guardedLater(call, undefined, async () => {
      const found = hasOne ? await accounts.authenticate(authorization, nowMs) : undefined;
      if (found === undefined) context.refuseKey(response, keyRefusal(response.request));
      else answerCaller(call, found, endpoint, id);
    });
  });
}

function answerCaller(call: Call, caller: Caller, endpoint: Endpoint, id: string): void {
  const { request, response, context } = call;
  const { nowMs } = request;
  const { accounts } = context.parts;
  request.accountId = caller.accountId;
  const rate = accounts.admit(caller, nowMs);
  const charge = (priced: Priced | undefined) =>
    accounts.charge({
      caller,
      nowMs,
      endpoint: endpoint.path,
      units: priced?.units ?? 0,
      rate,
      connection: response,
      settle(outcome) {
        if (outcome instanceof Error) return fail(call, outcome, rate && { rate });
        guarded(call, outcome, () => settled(call, priced, outcome));
      },
    });
  if (rate?.admitted === false) return charge(undefined);
  const cached = endpoint.kind === "read" ? cachedAnswer(call, endpoint) : undefined;
  if (cached !== undefined) return charge(readOf(call, caller, cached));
  void guardedLater(call, undefined, async () => {
    const made = await price(call, caller, endpoint, id).catch((error: unknown) =>
      free((outcome) => fail(call, error, outcome)),
    );
    if (made !== undefined) charge(made);
  });
}

/** An answer that can be sent at once. A request that is to be refused has none: writing a refusal takes its turn, too. */
function cachedAnswer(
  { request, context }: Call,
  endpoint: ReadEndpoint,
): TaggedAnswer | undefined {
  try {
    const answer = context.answers?.known(endpoint, chooseForm(request, formatsOf(endpoint)));
    return answer === undefined || needsCompressing(answer, request) ? undefined : answer;
  } catch {
    return undefined;
  }
}

/**
 * Makes the answer when it is the account's turn, or rejects with the refusal in its place. Undefined if the client has
 * left by then.
 */
async function price(
  call: Call,
  caller: Caller,
  endpoint: Endpoint,
  id: string,
): Promise<Priced | undefined> {
  const { request, response, context } = call;
  const { making } = context;
  const inTurn = <Made>(make: () => Made) =>
    making.add(caller.accountId, () => (response.open ? make() : undefined));
  if (endpoint.kind !== "read") return await inTurn(() => priced(call, caller, endpoint, id));
  const answer = await inTurn(() =>
    snapshotAnswers(call).find(endpoint, chooseForm(request, formatsOf(endpoint))),
  );
  if (answer === undefined) return undefined;
  if (needsCompressing(answer, request)) {
    await making.addAside(caller.accountId, () => answer.body.compress());
  }
  return readOf(call, caller, answer);
}

function priced(
  call: Call,
  caller: Caller,
  endpoint: Exclude<Endpoint, ReadEndpoint>,
  id: string,
): Priced {
  switch (endpoint.kind) {
    case "compute":
      return compute(call, endpoint);
    case "check":
      return check(call, caller, endpoint);
    case "submit":
      return submit(call, caller, endpoint);
    case "poll":
      return poll(call, caller, endpoint, id);
    case "usage":
      return usage(call, caller, endpoint);
    case "snapshots":
      return listSnapshots(call, caller, endpoint);
  }
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
  return freeLater(call, (outcome) => answerCheck(call, caller, sent, outcome));
}

/** GET of the account itself. */
function usage(call: Call, caller: Caller, endpoint: UsageEndpoint): Priced {
  const { context, request } = call;
  const { snapshot } = snapshotAnswers(call);
  const form = formAlone(endpoint, request);
  return freeLater(call, async (outcome) => {
    const report = await context.parts.accounts.report(caller, request.nowMs);
    const running = await context.parts.jobs.underWay(caller.accountId, request.nowMs);
    const facts = { caller, report, quotaState: outcome, rateWindow: outcome.rate.window, running };
    sendAnswer(call, privateAnswer(endpoint, form, usageOf(snapshot, facts)), outcome);
  });
}

/** GET of the snapshots and of the files of one. */
function listSnapshots(call: Call, caller: Caller, endpoint: SnapshotsEndpoint): Priced {
  const form = chooseForm(call.request, formatsOf(endpoint));
  const query = readQuery(SNAPSHOTS_QUERY, form.query);
  checkFields(endpoint.data, form.fields);
  return freeLater(call, async (outcome) => {
    const data = await snapshotsOf(call, caller, query);
    sendAnswer(call, privateAnswer(endpoint, form, data), outcome);
  });
}

/** Answers once the accounts have stored the request. Without a price, the rate limit refused it. */
function settled(call: Call, priced: Priced | undefined, outcome: ChargeOutcome): void {
  if (priced === undefined || outcome.kind === "rate_limited") {
    sendError(call, rateLimited(outcome), outcome);
  } else if (outcome.kind === "quota_exceeded") {
    sendError(call, outOfQuota(outcome), outcome);
  } else {
    if (priced.units > 0) call.context.charged(call.request, priced.units);
    priced.send(outcome);
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
