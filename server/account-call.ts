// oxlint-disable typescript/unbound-method -- `next` calls a step with the call as `this`: no closure a request
import type {
  Accounts,
  Allowance,
  Caller,
  Plan,
  QuotaState,
  RateDecision,
} from "./accounts/accounts.ts";
import { AccountsUnavailable } from "./accounts/accounts.ts";
import { bearerOf } from "./http/bearer.ts";
import type { ErrorReplies } from "./http/error-replies.ts";
import { retryAfter } from "./http/error-replies.ts";
import type { Failure } from "./http/errors.ts";
import { DomainError, failureOf } from "./http/errors.ts";
import type { Exchange } from "./http/exchange.ts";
import { quoted } from "./http/quoted.ts";
import { rateLimitLines } from "./http/rate-limit-fields.ts";
import type { HttpRequest } from "./http/request.ts";
import type { SharedBody } from "./http/shared-body.ts";
import type { SnapshotAnswers } from "./snapshot-answers.ts";

/** What a call needs of the server around it. */
export interface CallContext {
  readonly accounts: Accounts;
  readonly errorReply: ErrorReplies;
  /** Answers of the snapshot in force; undefined while there is none. */
  readonly answers: SnapshotAnswers | undefined;
  /** Lines every response carries besides its own. */
  commonLines(request: HttpRequest): string;
  /** Told of failures that are ours. */
  defect(request: HttpRequest, error: unknown): void;
  /** Told of each charge that is in the store. */
  charged(request: HttpRequest, units: number): void;
  /** Told why the accounts could not answer a request. */
  outage(error: Error): void;
}

/** The beginning of a 200, up to the caller's own `meta`. */
export interface Answer {
  /** Header lines. */
  readonly headers: string;
  /** `{"data":{...},"meta":` and room for the caller's own. */
  readonly body: SharedBody;
}

/** An answer that is made for one caller only. */
export const PRIVATE_ANSWER_HEADERS = "\r\nCache-Control: no-store\r\nVary: Accept-Encoding";

const UNAVAILABLE_RETRY_SECONDS = 2;

const NO_KEY: Failure = {
  code: "missing_api_key",
  message: 'no API key: send the header "Authorization: Bearer <key>"',
};
/** One text for all, so that nobody learns which keys once were. */
const BAD_KEY: Failure = {
  code: "invalid_api_key",
  message: "the API key is malformed, mistyped, unknown or revoked",
};

/**
 * One request of an account, through the checks that all share, in the contract's order: key, minute, then what the
 * kind of call adds. Each step calls the next, at once where the store answers at once, so that a request costs
 * no promise.
 */
export abstract class AccountCall<Context extends CallContext = CallContext> {
  readonly nowMs: number;
  caller!: Caller; // known from the second step on; nothing before it needs one
  protected readonly context: Context;
  protected readonly exchange: Exchange;
  #rate: RateDecision | undefined = undefined;

  constructor(context: Context, exchange: Exchange) {
    this.context = context;
    this.exchange = exchange;
    this.nowMs = exchange.request.nowMs;
  }

  /** What follows the checks that all calls share. May throw what `fail` takes. */
  protected abstract proceed(): void;

  start(): void {
    const { request } = this.exchange;
    const key = bearerOf(request.authorization);
    if (key === "") this.refuse(NO_KEY);
    else if (request.authorizationCount > 1) this.refuse(BAD_KEY);
    else this.next(this.context.accounts.authenticate(key, this.nowMs), this.#known);
  }

  #known(caller: Caller | undefined): void {
    if (caller === undefined) {
      this.refuse(BAD_KEY);
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
    const { name, ratePerMinute } = this.caller.plan;
    const seconds = rate.retryAfterSeconds;
    const message = `plan "${name}" allows ${ratePerMinute} requests in any 60 seconds; retry in ${seconds} s`;
    this.refuse({ code: "rate_limited", message }, retryAfter(seconds));
  }

  /** Answers a failure of any step. */
  fail(error: unknown): void {
    if (error instanceof AccountsUnavailable) {
      this.context.outage(error);
      const message = "the accounts are out of reach; nothing was charged; retry shortly";
      const lines = retryAfter(UNAVAILABLE_RETRY_SECONDS) + this.limits(undefined);
      this.#reply({ code: "unavailable", message }, lines);
      return;
    }
    const failure = failureOf(error);
    if (failure.code === "internal_error") this.context.defect(this.exchange.request, error);
    const lines = failure.code === "unavailable" ? retryAfter(UNAVAILABLE_RETRY_SECONDS) : "";
    this.refuse(failure, lines);
  }

  /** Answers of the snapshot in force. */
  protected snapshotAnswers(): SnapshotAnswers {
    const { answers } = this.context;
    if (answers !== undefined) return answers;
    throw new DomainError("unavailable", "no snapshot is loaded yet; retry shortly");
  }

  /** Checks a body's size and type; what it says is the next check. */
  protected checkBody(): void {
    const { bodyTooLarge, contentType } = this.exchange.request;
    if (bodyTooLarge) {
      throw new DomainError("payload_too_large", "the body is larger than the allowed 16384 bytes");
    }
    if (!/^application\/json *(;|$)/i.test(contentType)) {
      const got = contentType === "" ? "none" : quoted(contentType);
      const message = `"Content-Type" must be "application/json", got ${got}`;
      throw new DomainError("unsupported_media_type", message);
    }
  }

  /** Runs the next step when its value is there. */
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
    const { limit, remaining } = quota;
    this.exchange.send({
      status: "200 OK",
      headers: headers + this.limits(quota) + this.common(),
      shared: body,
      // Plan names are letters, digits, "-" and "_": the plan table checks them.
      tail: `{"plan":"${plan.name}","quota":{"used":${used},"limit":${limit},"remaining":${remaining}}}}`,
    });
  }

  protected outOfQuota(plan: Plan, { used, quota }: QuotaState): void {
    const seconds = quota.resetSeconds;
    const message = `plan "${plan.name}" allows ${quota.limit} calls and ${used} are used; the quota renews in ${seconds} s`;
    this.#reply({ code: "quota_exceeded", message }, retryAfter(seconds) + this.limits(quota));
  }

  /** Answers a failure, with the account's limits where there is an account. */
  protected refuse(failure: Failure, lines = ""): void {
    if (this.#rate === undefined) this.#reply(failure, lines);
    else this.withMonth((month) => this.#reply(failure, lines + this.limits(month?.quota)));
  }

  /** Goes on with the month as it stands, or without it: an answer that costs nothing does not fail for it. */
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

  /** The account's minute, this request counted. */
  protected get minute(): Allowance {
    return this.#rate!.minute; // known in every step from `proceed` on
  }

  protected limits(month: Allowance | undefined): string {
    return this.#rate === undefined ? "" : rateLimitLines(this.#rate.minute, month);
  }

  protected common(): string {
    return this.context.commonLines(this.exchange.request);
  }

  #reply(failure: Failure, lines: string): void {
    this.exchange.send(this.context.errorReply(failure, lines + this.common()));
  }
}
