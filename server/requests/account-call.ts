// oxlint-disable typescript/unbound-method -- `next` calls a step with the call as `this`: no closure a request
import {
  AccountsUnavailable,
  type Accounts,
  type Allowance,
  type Caller,
  type Plan,
  type QuotaState,
  type RateDecision,
} from "../accounts/accounts.ts";
import { bearerOf } from "../accounts/bearer.ts";
import { retryAfter, type ErrorReplies } from "../http/error-replies.ts";
import { DomainError, failureOf, type Failure } from "../http/errors.ts";
import type { Exchange } from "../http/exchange.ts";
import { quoted } from "../http/quoted.ts";
import { BODY_MAX_BYTES, type HttpRequest } from "../http/request.ts";
import type { Answer } from "./answer.ts";
import { metaTail } from "./meta-tail.ts";
import type { FrequentRefusals, Refusal } from "./frequent-refusals.ts";
import type { SnapshotAnswers } from "./snapshot-answers.ts";

/** What a call needs from the server around it. */
export interface CallContext {
  readonly accounts: Accounts;
  readonly errorReply: ErrorReplies;
  readonly refusals: FrequentRefusals;
  /** Answers of the current snapshot; undefined while there is none. */
  readonly answers: SnapshotAnswers | undefined;
  /** Header lines that every response carries besides its own. */
  commonLines(request: HttpRequest): string;
  /** Reports failures that are our fault. */
  defect(request: HttpRequest, error: unknown): void;
  /** Reports each charge that has reached the store. */
  charged(request: HttpRequest, units: number): void;
  /** Reports why the accounts could not answer a request. */
  outage(error: Error): void;
}

const UNAVAILABLE_RETRY_SECONDS = 2;

/**
 * One request of an account. It passes the checks that all calls share, in the contract's order: key, minute,
 * then what the kind of call adds. Each step calls the next, directly if the store answers directly, so that
 * a request does not cost a promise.
 */
export abstract class AccountCall<Context extends CallContext = CallContext> {
  readonly nowMs: number;
  caller!: Caller; // set by `#known`; nothing reads it earlier
  protected readonly context: Context;
  protected readonly exchange: Exchange;
  #rate: RateDecision | undefined = undefined;

  constructor(context: Context, exchange: Exchange) {
    this.context = context;
    this.exchange = exchange;
    this.nowMs = exchange.request.nowMs;
  }

  /** Continues after the checks that all calls share. May throw anything that `fail` accepts. */
  protected abstract proceed(): void;

  start(): void {
    const { authorization, authorizationCount } = this.exchange.request;
    if (authorizationCount > 1) this.#send(this.context.refusals.badKey, undefined);
    else this.next(this.context.accounts.authenticate(authorization, this.nowMs), this.#known);
  }

  #known(caller: Caller | undefined): void {
    if (caller === undefined) {
      const { noKey, badKey } = this.context.refusals;
      const sent = bearerOf(this.exchange.request.authorization);
      this.#send(sent === "" ? noKey : badKey, undefined);
      return;
    }
    this.caller = caller;
    this.exchange.request.accountId = caller.accountId;
    this.next(this.context.accounts.admit(caller, this.nowMs), this.#admitted);
  }

  #admitted(rate: RateDecision): void {
    this.#rate = rate;
    if (rate.admitted) {
      this.proceed();
      return;
    }
    const { refusals } = this.context;
    const reply = refusals.rateLimited(this.caller.plan, rate.retryAfterSeconds);
    this.withMonth((month) => this.#send(reply, month?.quota));
  }

  /** Answers with the failure of any step. */
  fail(error: unknown): void {
    if (error instanceof AccountsUnavailable) {
      this.context.outage(error);
      const message = "the accounts are out of reach; nothing was charged; retry shortly";
      this.#reply(
        { code: "unavailable", message },
        retryAfter(UNAVAILABLE_RETRY_SECONDS),
        undefined,
      );
      return;
    }
    const failure = failureOf(error);
    if (failure.code === "internal_error") this.context.defect(this.exchange.request, error);
    const lines = failure.code === "unavailable" ? retryAfter(UNAVAILABLE_RETRY_SECONDS) : "";
    this.refuse(failure, lines);
  }

  /** Answers of the current snapshot. */
  protected snapshotAnswers(): SnapshotAnswers {
    const { answers } = this.context;
    if (answers !== undefined) return answers;
    throw new DomainError("unavailable", "no snapshot is loaded yet; retry shortly");
  }

  /** Checks a body's size and type; its contents are checked next. */
  protected checkBody(): void {
    const { bodyTooLarge, contentType, contentEncoding } = this.exchange.request;
    if (bodyTooLarge) {
      const message = `the body is larger than the allowed ${BODY_MAX_BYTES} bytes`;
      throw new DomainError("payload_too_large", message);
    }
    if (!/^application\/json[ \t]*(;|$)/i.test(contentType)) {
      const got = contentType === "" ? "none" : quoted(contentType);
      const message = `"Content-Type" must be "application/json", got ${got}`;
      throw new DomainError("unsupported_media_type", message);
    }
    // RFC 9110, 8.4 and 15.5.16: an encoding that the server does not undo is refused and not guessed at.
    if (contentEncoding !== "" && contentEncoding.toLowerCase() !== "identity") {
      const message = `"Content-Encoding" must be absent or "identity", got ${quoted(contentEncoding)}`;
      throw new DomainError("unsupported_media_type", message);
    }
  }

  /** Runs the next step once its value is there. */
  protected next<T>(value: T | Promise<T>, step: (value: T) => void): void {
    if (value instanceof Promise) {
      value.then((known) => this.#guarded(step, known)).catch((error: unknown) => this.fail(error));
    } else {
      this.#guarded(step, value);
    }
  }

  #guarded<T>(step: (value: T) => void, value: T): void {
    try {
      step.call(this, value);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Answers 200. */
  protected answer({ headers, body }: Answer, plan: Plan, { used, quota }: QuotaState): void {
    this.exchange.send({
      status: "200 OK",
      headers,
      minute: this.minute,
      month: quota,
      lastHeaders: this.#common(),
      shared: body,
      tail: metaTail(plan, used, quota),
    });
  }

  /** Answers 304: what the caller has is still valid. */
  protected notModified(answer: Answer): void {
    this.withMonth((month) =>
      this.exchange.send({
        status: "304 Not Modified",
        headers: answer.headers, // read when sent, because a written answer makes its lines only then
        minute: this.minute,
        month: month?.quota,
        lastHeaders: this.#common(),
      }),
    );
  }

  protected outOfQuota(plan: Plan, month: QuotaState): void {
    this.#send(this.context.refusals.outOfQuota(plan, month), month.quota);
  }

  /**
   * Answers a failure, with the account's limits if there is an account. `known` is the account's month, if
   * it was read.
   */
  protected refuse(failure: Failure, lines = "", known?: QuotaState): void {
    if (this.#rate === undefined || known !== undefined) this.#reply(failure, lines, known?.quota);
    else this.withMonth((month) => this.#reply(failure, lines, month?.quota));
  }

  /**
   * Goes on with the present month, or without it: an answer that costs nothing must not fail for lack of it.
   */
  protected withMonth(step: (month: QuotaState | undefined) => void): void {
    let state: QuotaState | Promise<QuotaState>;
    try {
      state = this.context.accounts.quota(this.caller, this.nowMs);
    } catch {
      step.call(this, undefined);
      return;
    }
    if (!(state instanceof Promise)) {
      step.call(this, state);
      return;
    }
    state
      .then(
        (month) => step.call(this, month),
        () => step.call(this, undefined),
      )
      .catch((error: unknown) => this.fail(error));
  }

  /** The account's minute, including this request. */
  protected get minute(): Allowance {
    return this.#rate!.minute; // set in every step from `proceed` on
  }

  #common(): string {
    return this.context.commonLines(this.exchange.request);
  }

  #reply(failure: Failure, lines: string, month: Allowance | undefined): void {
    this.#send(this.context.errorReply(failure, lines), month);
  }

  /** Sends a reply with the account's limits, if there is an account. */
  #send(refusal: Refusal, month: Allowance | undefined): void {
    const { status, code, headers, body } = refusal;
    const minute = this.#rate?.minute;
    const lastHeaders = this.#common();
    this.exchange.send({ status, code, headers, body, minute, month, lastHeaders });
  }
}
