/** What a request is answered with, and how an answer, a 304 or an error is sent. */
import { AccountsUnavailable, type Caller, type ChargeOutcome } from "../../accounts/accounts.ts";
import { FairQueue } from "../fair-queue.ts";
import { CorsPolicy } from "../http/cors.ts";
import { DomainError, failureOf, type Failure } from "../http/errors.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import { errorReplies, retryAfter, type Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import type { Answer, SnapshotAnswers } from "./answer.ts";
import {
  ByteLimit,
  LARGE_BYTES,
  largeBytesOf,
  REFUSALS_PER_SECOND,
  WindowLimit,
} from "./limits.ts";
import { UNAVAILABLE_RETRY_SECONDS, type Refusal } from "./refusals.ts";
import type { ServiceMeter, ServiceOptions } from "./service-options.ts";
import { TableUse } from "./table-use.ts";

const TABLE_BYTES_PER_DAY = 4 * 1024 ** 3;

/** What answering a request needs around it. `Service` is the one that there is. */
export abstract class RequestContext {
  readonly parts: ServiceOptions;
  readonly byteLimit = new ByteLimit();
  /** Work on the event loop, in which accounts and networks take turns. */
  readonly making: FairQueue;
  readonly tableUse: TableUse;
  /** Replaced by a single assignment, so that every request sees one snapshot; undefined while there is none. */
  answers: SnapshotAnswers | undefined = undefined;
  protected abstract readonly meter: ServiceMeter | undefined;
  readonly #refusals = new WindowLimit(1000);
  readonly #errorReply: ReturnType<typeof errorReplies>;
  readonly #cors: CorsPolicy | undefined;

  constructor(options: ServiceOptions) {
    const { accounts, corsOrigins, tableBytesPerDay = TABLE_BYTES_PER_DAY } = options;
    this.parts = options;
    this.making = new FairQueue(options.monotonicMs);
    this.tableUse = new TableUse(accounts, tableBytesPerDay);
    this.#errorReply = errorReplies(options.publicUrl);
    this.#cors = corsOrigins.length === 0 ? undefined : new CorsPolicy(corsOrigins);
  }

  /** Refuses a request without a valid key. */
  abstract refuseKey(response: PendingResponse, refusal: Refusal): void;

  /** The reply to a failure. `lines` are additional header lines. */
  error(request: HttpRequest, failure: Failure, lines = ""): Reply {
    const reply = this.#errorReply(failure, lines + this.commonLines(request));
    if (failure.code !== "rate_limited") return reply;
    const { accountId, nowMs } = request;
    const close = this.#refusals.admit(accountId, 1, REFUSALS_PER_SECOND, nowMs) > 0;
    return { ...reply, close };
  }

  /** Header lines that every response carries besides its own. */
  commonLines({ origin }: HttpRequest): string {
    return this.#cors?.lines(origin) ?? "";
  }

  preflightLines({ origin }: HttpRequest, methods: string): string {
    return this.#cors?.preflightLines(origin, methods) ?? "";
  }

  /** Reports a failure that is our fault. */
  defect(request: HttpRequest, error: unknown): Reply {
    this.parts.log.defect(request, error);
    return this.#errorReply(failureOf(error));
  }

  /** Reports a charge that has reached the store. */
  charged(request: HttpRequest, units: number): void {
    this.meter?.charged(request, units);
  }

  /** Reports why the accounts could not answer a request. */
  outage(error: Error): void {
    this.meter?.outage(error);
    this.parts.log.outage(error);
  }
}

export interface Call {
  readonly response: PendingResponse;
  readonly request: HttpRequest;
  readonly context: RequestContext;
}

/** An account's limits as far as they are known. Every reply to a known account carries them. */
type Limits = Partial<Pick<ChargeOutcome, "rate" | "quota">> | undefined;

/** The answer to a request of a known account. It is sent once its `units` are charged. */
export interface Priced {
  readonly units: number;
  send(outcome: ChargeOutcome): void;
}

/** An answer that costs nothing, at least not yet, and takes its time. */
export function freeLater(call: Call, send: (outcome: ChargeOutcome) => Promise<void>): Priced {
  return { units: 0, send: (outcome) => void guardedLater(call, outcome, () => send(outcome)) };
}

/** Sends a 200 with the caller's `meta`. A large one waits its turn, because writing it takes a millisecond. */
export function sendAnswer(
  call: Call,
  { format, headers, body }: Answer,
  outcome: ChargeOutcome,
): void {
  const { context, request, response } = call;
  const { quota, rate } = outcome;
  const send = () =>
    response.send({
      status: "200 OK",
      headers: headers + context.commonLines(request),
      rateWindow: rate.window,
      quota,
      contentType: format.contentType,
      shared: body,
      suffix: format.end(metaText(outcome, context.answers?.ageAt(request.nowMs) ?? "")),
    });
  if (body.prefixBytes < LARGE_BYTES) send();
  else void guardedLater(call, outcome, () => context.making.add(request.accountId, send));
}

/** The seconds to wait if the account has had too many bytes of large answers; otherwise 0. */
export function secondsToWait(
  { context, request }: Call,
  { plan }: Caller,
  { body }: Answer,
): number {
  const { prefixBytes } = body;
  if (prefixBytes < LARGE_BYTES) return 0;
  return context.byteLimit.admit(request.accountId, prefixBytes, largeBytesOf(plan), request.nowMs);
}

/** The `meta` of a 200 as JSON: the account after this call, and `age`, further members. */
function metaText({ plan, used, quota: { limit, remaining } }: ChargeOutcome, age: string): string {
  // Needs no escaping: a plan's name may have letters, digits, "-" and "_" only.
  return `{"plan":"${plan.name}","quota":{"used":${used},"limit":${limit},"remaining":${remaining}}${age}}`;
}

/** Sends a 304: what the caller has is still valid. */
export function sendNotModified(
  { context, request, response }: Call,
  answer: Answer,
  { rate, quota }: ChargeOutcome,
): void {
  const headers = answer.headers + context.commonLines(request);
  response.send({ status: "304 Not Modified", headers, rateWindow: rate.window, quota });
}

export function sendError(call: Call, { failure, lines }: Refusal, limits: Limits): void {
  const { context, response, request } = call;
  const reply = context.error(request, failure, lines);
  response.send({
    ...reply,
    rateWindow: limits?.rate?.window,
    quota: limits?.quota,
    close: reply.close === true || failure.code === "upload_too_slow", // the rest of it would come as slowly
  });
}

export function fail(call: Call, error: unknown, limits: Limits): void {
  const { context, request } = call;
  let failure = failureOf(error);
  if (error instanceof AccountsUnavailable) {
    context.outage(error);
    const message = "the accounts are out of reach; nothing was charged; retry shortly";
    failure = { code: "unavailable", message };
  } else if (failure.code === "internal_error") {
    context.defect(request, error);
  }
  const usual = failure.code === "unavailable" ? retryAfter(UNAVAILABLE_RETRY_SECONDS) : "";
  const lines = (error instanceof DomainError && error.lines) || usual;
  sendError(call, { failure, lines }, limits);
}

/** Runs a step, and answers with its failure. */
export function guarded(call: Call, limits: Limits, step: () => void): void {
  try {
    step();
  } catch (error) {
    fail(call, error, limits);
  }
}

/** The same for a step that takes its time. */
export async function guardedLater(
  call: Call,
  limits: Limits,
  step: () => Promise<void>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    fail(call, error, limits);
  }
}

/** Answers of the current snapshot. Throws DomainError while there is none. */
export function snapshotAnswers({ context }: Call): SnapshotAnswers {
  if (context.answers !== undefined) return context.answers;
  throw new DomainError("unavailable", "no snapshot is loaded yet; retry shortly");
}
