import type { Plan, QuotaState } from "../accounts/accounts.ts";
import { retryAfter, type ErrorReplies, type ErrorReply } from "../http/error-replies.ts";
import type { ErrorCode, Failure } from "../http/errors.ts";

const NO_KEY: Failure = {
  code: "missing_api_key",
  message: 'no API key: send the header "Authorization: Bearer <key>"',
};
/** One text for all cases, so that nobody learns which keys once existed. */
const BAD_KEY: Failure = {
  code: "invalid_api_key",
  message: "the API key is malformed, mistyped, unknown or revoked",
};

/** An error's reply, without the caller's limits. */
export interface Refusal {
  readonly status: string;
  readonly code: ErrorCode;
  readonly headers: string;
  readonly body: string | Buffer;
}

interface OutOfQuota {
  readonly used: number;
  readonly limit: number;
  readonly resetSeconds: number;
  readonly refusal: Refusal;
}

/**
 * Replies to the requests that floods consist of. They are written once, because refusing must cost less than
 * answering. The part that differs between callers, their limits, is added when one is sent.
 */
export class FrequentRefusals {
  readonly noKey: Refusal;
  readonly badKey: Refusal;
  readonly #errorReply: ErrorReplies;
  /** By seconds to wait, which are at most 60. */
  readonly #rateLimited = new WeakMap<Plan, Refusal[]>();
  /** The last one for each plan: callers who have used up their allowance differ only by the second. */
  readonly #outOfQuota = new WeakMap<Plan, OutOfQuota>();

  constructor(errorReply: ErrorReplies) {
    this.#errorReply = errorReply;
    this.noKey = written(errorReply(NO_KEY));
    this.badKey = written(errorReply(BAD_KEY));
  }

  rateLimited(plan: Plan, seconds: number): Refusal {
    let replies = this.#rateLimited.get(plan);
    if (replies === undefined) {
      replies = [];
      this.#rateLimited.set(plan, replies);
    }
    return (replies[seconds] ??= written(this.#rateLimitedReply(plan, seconds)));
  }

  outOfQuota(plan: Plan, { used, quota }: QuotaState): Refusal {
    const { limit, resetSeconds } = quota;
    const last = this.#outOfQuota.get(plan);
    if (last?.used === used && last.limit === limit && last.resetSeconds === resetSeconds) {
      return last.refusal;
    }
    const message = `plan "${plan.name}" allows ${limit} calls and ${used} are used; the quota renews in ${resetSeconds} s`;
    const reply = this.#errorReply({ code: "quota_exceeded", message }, retryAfter(resetSeconds));
    const refusal = written(reply);
    this.#outOfQuota.set(plan, { used, limit, resetSeconds, refusal });
    return refusal;
  }

  #rateLimitedReply({ name, ratePerMinute }: Plan, seconds: number): ErrorReply {
    const message = `plan "${name}" allows ${ratePerMinute} requests in any 60 seconds; retry in ${seconds} s`;
    return this.#errorReply({ code: "rate_limited", message }, retryAfter(seconds));
  }
}

/** The reply as the bytes to send. */
function written({ status, code, headers, body }: ErrorReply): Refusal {
  return { status, code, headers, body: Buffer.from(body) };
}
