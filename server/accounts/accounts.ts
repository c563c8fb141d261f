export { AccountsUnavailable } from "../redis/accounts-unavailable.ts";
import type { AccountReport } from "./admin.ts";
import type { KeyEnvironment } from "./keys.ts";
import type { Plan } from "./plans.ts";

/**
 * What the HTTP side knows about accounts: who is calling, whether the rate limit admits the request, and whether
 * the quota covers it. Both the SQLite store and Redis implement this interface.
 */

/**
 * The account and key behind a request. `plan` is the plan in force now: "free" once a trial is over. For a
 * `test` key it holds the limits of test keys (the free plan's calls, no backtests). Pass on the very object
 * that `authenticate` returned, never a copy.
 */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly env: KeyEnvironment;
  readonly plan: Plan;
}

/** One limit as the RateLimit fields show it. Seconds are whole, rounded up. */
export interface Allowance {
  readonly limit: number;
  readonly remaining: number;
  /** Seconds until `remaining` grows again if nothing more is used. */
  readonly resetSeconds: number;
  readonly windowSeconds: number;
}

/** Whether the rate limit window has room for a request. A refused request counts against nothing. */
export interface RateDecision {
  readonly admitted: boolean;
  readonly window: Allowance;
  /** 0 if admitted. */
  readonly retryAfterSeconds: number;
}

/** What an account has used of its quota in the current period: a month, or its trial. */
export interface QuotaState {
  readonly used: number;
  readonly quota: Allowance;
}

/** A charge of a job or a check: the quota after it, or as it is if nothing was charged. */
export interface QuotaDecision extends QuotaState {
  readonly charged: boolean;
  /** The plan in force at the decision. */
  readonly plan: Plan;
}

/** What became of a request: the account after it, or as it is if the charge was refused. */
export interface ChargeOutcome extends QuotaState {
  /** A request of 0 units that passes is "charged". */
  readonly kind: "charged" | "quota_exceeded" | "rate_limited";
  /** The plan in force at the decision. */
  readonly plan: Plan;
  readonly rate: RateDecision;
}

/** One request of an account: polls, 304s and errors after authentication have 0 units. */
export interface ChargeRequest {
  readonly caller: Caller;
  /** When the request arrived, milliseconds since 1970. */
  readonly nowMs: number;
  /** The name under which the account's usage lists the call, for example "/signals". */
  readonly endpoint: string;
  readonly units: number;
  /** What `admit` returned; undefined if the store decides the rate together with the charge. */
  readonly rate: RateDecision | undefined;
  /** Looked at just before the decision. If it is gone, nothing is charged, and `settle` is not called. */
  readonly connection: { readonly open: boolean };
  /**
   * Called once, when the charge has reached the operating system (Redis: was written there), or has failed. The
   * error is `AccountsUnavailable` if the store could not answer; any other error is a defect of ours. Never throws.
   */
  settle(outcome: ChargeOutcome | Error): void;
}

/** Units for a request that the rate limit has counted already, charged as of `nowMs`. */
export interface Spending extends Omit<ChargeRequest, "settle"> {
  /** The decision when it was counted. */
  readonly rate: RateDecision;
}

/** What requests need of the accounts. Every method may throw or reject with `AccountsUnavailable`, a 503. */
export interface Accounts {
  /**
   * Finds the caller from the `Authorization` header as sent (`Bearer` and the key). Undefined if the key is
   * missing, malformed, mistyped, unknown, expired or revoked; the client does not learn which.
   */
  authenticate(
    authorization: string,
    nowMs: number,
  ): Caller | undefined | Promise<Caller | undefined>;
  /** Counts a request against the rate limit for good; undefined if the charge decides that (Redis). */
  admit(caller: Caller, nowMs: number): RateDecision | undefined;
  /** Adds a request to this turn's batch, which is decided, stored once and settled at the end of the turn. */
  charge(request: ChargeRequest): void;
  /**
   * Charges units, if the quota covers them, for work done since `charge` counted the request. Does not settle if the
   * connection is gone by then.
   */
  spend(spending: Spending): QuotaDecision | Promise<QuotaDecision>;
  /** The account's quotas, keys and calls this month, as shown to the account itself. */
  report(caller: Caller, nowMs: number): AccountReport | Promise<AccountReport>;
  /** Requests of an account that its rate limit window counts now. */
  rateUsed(accountId: string): number | Promise<number>;
  /** Fails with `AccountsUnavailable` if the store cannot be used now; for /readyz and metrics. */
  ping(): void | Promise<void>;
  /** Stores what is pending and closes the store. */
  close(): Promise<void>;
}

/** The two clocks of a process, injected so that tests move them. */
export interface AccountsClock {
  /** Wall time, milliseconds since 1970, as `Date.now`. */
  readonly nowMs: () => number;
  /** Time that never jumps, in milliseconds from any instant, as `performance.now`. */
  readonly monotonicMs: () => number;
}
