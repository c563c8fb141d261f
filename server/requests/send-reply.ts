/** Sends what a request of an account ends with: an answer, a 304 or an error. */
import { AccountsUnavailable, type ChargeOutcome, type Accounts } from "../../accounts/accounts.ts";
import { staleDays } from "../../api/age.ts";
import type { CheckSlots } from "../checks/check-slots.ts";
import type { RunCheck } from "../checks/run-check.ts";
import type { FairQueue } from "../fair-queue.ts";
import { DomainError, failureOf, type Failure } from "../http/errors.ts";
import type { PendingResponse } from "../http/http-handler.ts";
import { retryAfter, type Reply } from "../http/reply.ts";
import type { HttpRequest } from "../http/request.ts";
import type { JobIntakeStore } from "../../accounts/jobs/job-store.ts";
import type { Answer, SnapshotAnswers } from "./answer.ts";
import { LARGE_BYTES, type ByteLimit } from "./limits.ts";
import type { TableFiles } from "./table-files.ts";
import type { TableUse } from "./table-use.ts";
import { UNAVAILABLE_RETRY_SECONDS, type Refusal } from "./refusals.ts";

export interface RequestParts {
  readonly accounts: Accounts;
  readonly jobs: Pick<JobIntakeStore, "submit" | "find" | "underWay">;
  readonly wakeBacktests: () => void;
  /** Why jobs on this snapshot do not run beside this server; absent where none are to. */
  readonly backtestFault?: ((snapshotId: string) => string | undefined) | undefined;
  readonly checkSlots: CheckSlots;
  readonly runCheck: RunCheck;
  /** The snapshots whose files are sent. */
  readonly tables: TableFiles;
  /** Whether files with daily prices are not. */
  readonly withholdsPrices?: boolean | undefined;
  /** Where clients reach this server, without a trailing slash. */
  readonly publicUrl: string;
  readonly nowMs: () => number;
}

/** What answering a request needs from the server around it. `Service` has it. */
export interface RequestContext {
  readonly parts: RequestParts;
  /** Answers of the current snapshot; undefined while there is none. */
  readonly answers: SnapshotAnswers | undefined;
  readonly byteLimit: ByteLimit;
  /** Work on the event loop, in which accounts and networks take turns. */
  readonly making: FairQueue;
  readonly tableUse: TableUse;
  /** Refuses a request without a valid key. */
  refuseKey(response: PendingResponse, refusal: Refusal): void;
  /** The reply to a failure. `lines` are additional header lines. */
  error(request: HttpRequest, failure: Failure, lines?: string): Reply;
  /** Header lines that every response carries besides its own. */
  commonLines(request: HttpRequest): string;
  /** Reports a failure that is our fault. */
  defect(request: HttpRequest, error: unknown): void;
  /** Reports a charge that has reached the store. */
  charged(request: HttpRequest, units: number): void;
  /** Reports why the accounts could not answer a request. */
  outage(error: Error): void;
}

export interface Call {
  readonly response: PendingResponse;
  readonly request: HttpRequest;
  readonly context: RequestContext;
}

/** An account's limits as far as they are known. Every reply to a known account carries them. */
type Limits = Partial<Pick<ChargeOutcome, "rate" | "quota">> | undefined;

/** Sends a 200 with the caller's `meta`. A large one waits its turn, because writing it takes a millisecond. */
export function sendAnswer(
  call: Call,
  { format, headers, body }: Answer,
  outcome: ChargeOutcome,
): void | Promise<void> {
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
      suffix: format.end(metaText(outcome, ageText(call))),
    });
  if (body.prefixBytes < LARGE_BYTES) return send();
  return context.making.add(request.accountId, send);
}

/** The `meta` of a 200 as JSON: the account after this call, and `age`, further members. */
function metaText({ plan, used, quota: { limit, remaining } }: ChargeOutcome, age: string): string {
  // Needs no escaping: a plan's name may have letters, digits, "-" and "_" only.
  return `{"plan":"${plan.name}","quota":{"used":${used},"limit":${limit},"remaining":${remaining}}${age}}`;
}

/** What `meta` says of old prices. It isn't part of `data`, which is kept and does not know what day it is. */
function ageText({ context: { answers }, request }: Call): string {
  const days = answers && staleDays(answers.snapshot.manifest.asOf, request.nowMs);
  return days === undefined ? "" : `,"stale":true,"age_days":${days}`;
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

/** Runs a step, and answers with its failure, now or later. */
export function guarded(call: Call, limits: Limits, step: () => void | Promise<void>): void {
  try {
    const done = step();
    if (done instanceof Promise) done.catch((error: unknown) => fail(call, error, limits));
  } catch (error) {
    fail(call, error, limits);
  }
}

/** Answers of the current snapshot. Throws DomainError while there is none. */
export function snapshotAnswers({ context }: Call): SnapshotAnswers {
  if (context.answers !== undefined) return context.answers;
  throw new DomainError("unavailable", "no snapshot is loaded yet; retry shortly");
}
