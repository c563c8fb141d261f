import type {
  Accounts,
  Allowance,
  Caller,
  ChargeDecision,
  ChargeRequest,
  QuotaState,
  RateDecision,
} from "./accounts/accounts.ts";
import { AccountsUnavailable } from "./accounts/accounts.ts";
import { bearerOf } from "./http/bearer.ts";
import { matchesEtag } from "./http/conditional.ts";
import type { ErrorReplies } from "./http/error-replies.ts";
import { retryAfter } from "./http/error-replies.ts";
import type { Failure } from "./http/errors.ts";
import { DomainError, failureOf } from "./http/errors.ts";
import type { Exchange } from "./http/exchange.ts";
import { rateLimitLines } from "./http/rate-limit-fields.ts";
import type { HttpRequest } from "./http/request.ts";
import type { Endpoint } from "./routes/endpoint.ts";
import type { SnapshotAnswer, SnapshotAnswers } from "./snapshot-answers.ts";

/** What a call needs of the server around it. */
export interface ApiContext {
  readonly accounts: Accounts;
  readonly errorReply: ErrorReplies;
  /** Answers of the snapshot in force; undefined while there is none. */
  readonly answers: SnapshotAnswers | undefined;
  /** Lines every response carries besides its own. */
  commonLines(request: HttpRequest): string;
  /** Told of failures that are ours. */
  defect(request: HttpRequest, error: unknown): void;
}

const UNAVAILABLE_RETRY_SECONDS = 2;
const UNITS_PER_CALL = 1;

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
 * One request for an endpoint, through the checks in the contract's order: key, minute, size and type, parameters,
 * month, answer. Each step calls the next, at once where the store answers at once, so that a request costs no
 * promise. It is also its own charge, which saves an object a request.
 */
export class ApiCall implements ChargeRequest {
  readonly units = UNITS_PER_CALL;
  readonly nowMs: number;
  readonly endpoint: string;
  caller!: Caller; // known from the second step on; a charge is not made before
  readonly #context: ApiContext;
  readonly #exchange: Exchange;
  readonly #endpoint: Endpoint;
  #rate: RateDecision | undefined = undefined;
  #answer: SnapshotAnswer | undefined = undefined;

  constructor(context: ApiContext, exchange: Exchange, endpoint: Endpoint) {
    this.#context = context;
    this.#exchange = exchange;
    this.#endpoint = endpoint;
    this.endpoint = endpoint.path;
    this.nowMs = exchange.request.nowMs;
  }

  /** Begins. What it throws is for `fail`, as is what any later step throws. */
  start(): void {
    const { request } = this.#exchange;
    const key = bearerOf(request.authorization);
    if (request.authorizationCount > 1) {
      this.#refuse(BAD_KEY);
    } else if (key === "") {
      this.#refuse(NO_KEY);
    } else {
      const caller = this.#context.accounts.authenticate(key, this.nowMs);
      if (caller instanceof Promise) this.#later(caller, (known) => this.#known(known));
      else this.#known(caller);
    }
  }

  #known(caller: Caller | undefined): void {
    if (caller === undefined) {
      this.#refuse(BAD_KEY);
      return;
    }
    this.caller = caller;
    this.#exchange.request.accountId = caller.accountId;
    const rate = this.#context.accounts.admit(caller, this.nowMs);
    if (rate instanceof Promise) this.#later(rate, (known) => this.#admitted(known));
    else this.#admitted(rate);
  }

  #admitted(rate: RateDecision): void {
    this.#rate = rate;
    if (!rate.admitted) {
      const { name, ratePerMinute } = this.caller.plan;
      const seconds = rate.retryAfterSeconds;
      const message = `plan "${name}" allows ${ratePerMinute} requests in any 60 seconds; retry in ${seconds} s`;
      this.#refuse({ code: "rate_limited", message }, retryAfter(seconds));
      return;
    }
    this.#checkBody();
    const { answers } = this.#context;
    if (answers === undefined) {
      throw new DomainError("unavailable", "no snapshot is loaded yet; retry shortly");
    }
    const { request } = this.#exchange;
    this.#answer = answers.find(this.#endpoint, request.query);
    if (matchesEtag(request.ifNoneMatch, this.#answer.etag)) {
      this.#withMonth((month) => this.#notModified(month));
    } else {
      this.#context.accounts.chargeLater(this);
    }
  }

  /** The store's word on the charge: the last step. */
  settle(outcome: ChargeDecision | AccountsUnavailable): void {
    if (!this.#exchange.open) return; // charged all the same: the client left after it had asked
    if (outcome instanceof Error) this.fail(outcome);
    else if (outcome.charged) this.#send(outcome);
    else this.#outOfQuota(outcome);
  }

  /** Answers a failure of any step. */
  fail(error: unknown): void {
    if (error instanceof AccountsUnavailable) {
      const message = "the accounts are out of reach; nothing was charged; retry shortly";
      const lines = retryAfter(UNAVAILABLE_RETRY_SECONDS) + this.#limits(undefined);
      this.#reply({ code: "unavailable", message }, lines);
      return;
    }
    const failure = failureOf(error);
    if (failure.code === "internal_error") this.#context.defect(this.#exchange.request, error);
    const lines = failure.code === "unavailable" ? retryAfter(UNAVAILABLE_RETRY_SECONDS) : "";
    this.#refuse(failure, lines);
  }

  #later<T>(value: Promise<T>, step: (value: T) => void): void {
    value.then(step).catch((error: unknown) => this.fail(error));
  }

  #checkBody(): void {
    if (this.#endpoint.takesBody === undefined) return;
    const { bodyTooLarge, contentType } = this.#exchange.request;
    if (bodyTooLarge) {
      throw new DomainError("payload_too_large", "the body is larger than the allowed 16384 bytes");
    }
    if (!/^application\/json *(;|$)/i.test(contentType)) {
      throw new DomainError("unsupported_media_type", `"Content-Type" must be "application/json"`);
    }
  }

  #send({ plan, used, quota }: ChargeDecision): void {
    const { limit, remaining } = quota;
    const answer = this.#answer!; // found before anything is charged
    this.#exchange.send({
      status: "200 OK",
      headers: answer.headers + this.#limits(quota) + this.#common(),
      shared: answer.body,
      // Plan names are letters, digits, "-" and "_": the plan table checks them.
      tail: `{"plan":"${plan.name}","quota":{"used":${used},"limit":${limit},"remaining":${remaining}}}}`,
    });
  }

  #notModified(month: Allowance | undefined): void {
    const headers = this.#answer!.headers + this.#limits(month) + this.#common();
    this.#exchange.send({ status: "304 Not Modified", headers });
  }

  #outOfQuota({ plan, used, quota }: ChargeDecision): void {
    const seconds = quota.resetSeconds;
    const message = `plan "${plan.name}" allows ${quota.limit} calls and ${used} are used; the quota renews in ${seconds} s`;
    this.#reply({ code: "quota_exceeded", message }, retryAfter(seconds) + this.#limits(quota));
  }

  /** Answers a failure, with the account's limits where there is an account. */
  #refuse(failure: Failure, lines = ""): void {
    if (this.#rate === undefined) this.#reply(failure, lines);
    else this.#withMonth((month) => this.#reply(failure, lines + this.#limits(month)));
  }

  /** Goes on with the month as it stands, or without it: an answer that costs nothing does not fail for it. */
  #withMonth(step: (month: Allowance | undefined) => void): void {
    let state: QuotaState | Promise<QuotaState>;
    try {
      state = this.#context.accounts.quota(this.caller, this.nowMs);
    } catch {
      step(undefined);
      return;
    }
    if (state instanceof Promise) {
      const month = state.then(
        ({ quota }) => quota,
        () => undefined,
      );
      this.#later(month, step);
    } else {
      step(state.quota);
    }
  }

  #limits(month: Allowance | undefined): string {
    return this.#rate === undefined ? "" : rateLimitLines(this.#rate.minute, month);
  }

  #common(): string {
    return this.#context.commonLines(this.#exchange.request);
  }

  #reply(failure: Failure, lines: string): void {
    this.#exchange.send(this.#context.errorReply(failure, lines + this.#common()));
  }
}
