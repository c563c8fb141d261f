/** The refusals of requests that need a key, in words. */
import type { ChargeOutcome } from "../../accounts/accounts.ts";
import type { Plan } from "../../accounts/plans.ts";
import { bearerOf } from "../../accounts/keys.ts";
import { retryAfter } from "../http/reply.ts";
import type { Failure } from "../http/errors.ts";
import { quoted } from "../http/quoted.ts";
import type { HttpRequest } from "../http/request.ts";
import type { JobKind } from "../../accounts/jobs/job.ts";
import type { Submission, SubmitOutcome } from "../../accounts/jobs/job-store.ts";

/** A failure and the header lines that belong to it. */
export interface Refusal {
  readonly failure: Failure;
  readonly lines?: string;
}

/** How soon to try again if the accounts or a snapshot are out of reach. */
export const UNAVAILABLE_RETRY_SECONDS = 2;
const CONCURRENCY_RETRY_SECONDS = 1;

const NO_KEY: Failure = {
  code: "missing_api_key",
  message: 'no API key: send the header "Authorization: Bearer <key>"',
};
/** One text for all cases, so that it does not reveal which keys once existed. */
const BAD_KEY: Failure = {
  code: "invalid_api_key",
  message: "the API key is malformed, mistyped, unknown or revoked",
};

export function keyRefusal({ authorization, authorizationCount }: HttpRequest): Refusal {
  const sentNone = authorizationCount <= 1 && bearerOf(authorization) === "";
  return { failure: sentNone ? NO_KEY : BAD_KEY };
}

export function rateLimited({ plan, rate }: ChargeOutcome): Refusal {
  const seconds = rate.retryAfterSeconds;
  const message = `plan "${plan.name}" allows ${plan.ratePerMinute} requests in any 60 seconds; retry in ${seconds} s`;
  return { failure: { code: "rate_limited", message }, lines: retryAfter(seconds) };
}

/** The refusal by `ByteLimit`, which is not a limit of the plan. */
export function tooManyLarge(seconds: number): Refusal {
  const message = `too many bytes of large answers in 10 seconds; retry in ${seconds} s`;
  return { failure: { code: "rate_limited", message }, lines: retryAfter(seconds) };
}

export function outOfQuota({
  plan,
  used,
  quota,
}: Pick<ChargeOutcome, "plan" | "used" | "quota">): Refusal {
  const { limit, resetSeconds } = quota;
  const message = `plan "${plan.name}" allows ${limit} calls and ${used} are used; the quota renews in ${resetSeconds} s`;
  return { failure: { code: "quota_exceeded", message }, lines: retryAfter(resetSeconds) };
}

/** The refusal of a request that costs more than is left of the quota. `cost` says how much that is. */
export function tooFewUnits(
  cost: string,
  { quota, plan }: Pick<ChargeOutcome, "quota" | "plan">,
): Refusal {
  const { remaining, limit, resetSeconds } = quota;
  const message = `${cost} and ${remaining} of the ${limit} of plan "${plan.name}" are left; the quota renews in ${resetSeconds} s`;
  return { failure: { code: "quota_exceeded", message }, lines: retryAfter(resetSeconds) };
}

type RefusedSubmission = Exclude<SubmitOutcome, { readonly jobId: number }>;

/** The refusal of a job that was not accepted. */
export function submissionRefusal(
  outcome: RefusedSubmission,
  plan: Plan,
  { kind, runs }: Pick<Submission, "kind" | "runs">,
): Refusal {
  switch (outcome.kind) {
    case "key_reused": {
      const message = `"Idempotency-Key" was used within the last 24 hours for a different request; use a new key`;
      return { failure: { code: "idempotency_key_reused", message } };
    }
    case "concurrency_exceeded": {
      const message = `plan "${plan.name}" allows ${plan.concurrentRuns} backtests and studies at once and ${outcome.running} are queued or running; wait for one to end`;
      const lines = retryAfter(CONCURRENCY_RETRY_SECONDS);
      return { failure: { code: "concurrency_exceeded", message }, lines };
    }
    case "quota_exceeded":
      return tooFewUnits(
        `this ${kind} costs ${runs * (plan.backtestUnits ?? 0)} calls`,
        outcome.decision,
      );
  }
}

export function noSuchJob(id: string, kind: JobKind): Refusal {
  const message = `this account has no ${kind} with the id ${quoted(id)}`;
  return { failure: { code: "job_not_found", message } };
}
