export { AccountsUnavailable } from "./redis/accounts-unavailable.ts";
import type { AccountReport } from "./admin.ts";
import type { KeyEnvironment } from "./keys.ts";
import type { Plan } from "./plans.ts";

/**
 * Accounts as the HTTP side uses them: who is calling, whether the rate limit admits the request, and whether the quota
 * covers it. The SQLite store and Redis implement `Accounts`.
 */

/** The plans of an account by environment, before and after the end of its trial. */
export interface AccountPlans {
  readonly live: readonly [before: Plan, after: Plan];
  readonly test: readonly [before: Plan, after: Plan];
  /** Infinity if the account is not on a trial. */
  readonly trialEndsMs: number;
}

/** An account as its store read it. */
export interface AccountInForce {
  readonly id: string;
  readonly plans: AccountPlans;
  /** Redis decides a charge only for this revision; "" in a state file, which has one owner. */
  readonly revision: string;
}

/**
 * The account and key of a request. `plan` is the plan in force now: "free" once a trial is over. For a `test` key it has
 * the limits of test keys (the free plan's calls, no backtests).
 */
export interface Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly env: KeyEnvironment;
  readonly plan: Plan;
  /** What stores decide by. */
  readonly account: AccountInForce;
}

/** One limit as the RateLimit headers show it. Seconds are whole, rounded up. */
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

/** The usage of an account's quota in the current period: a month, or its trial. */
export interface QuotaState {
  readonly used: number;
  readonly quota: Allowance;
}

/** The charge of a job or a check: the quota after it, or as it is if nothing was charged. */
export interface QuotaDecision extends QuotaState {
  readonly charged: boolean;
  /** The plan in force at the decision. */
  readonly plan: Plan;
}

/** The outcome of a request: the account after it, or as it is if the charge was refused. */
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
  /** The result of `admit`; undefined if the store decides the rate together with the charge. */
  readonly rate: RateDecision | undefined;
  /** Read just before the decision. If it is closed, nothing is charged, and `settle` is not called. */
  readonly connection: { readonly open: boolean };
  /**
   * Called once, when the charge has reached the operating system (or Redis), or has failed. The error is
   * `AccountsUnavailable` if the store could not answer, and otherwise a defect. Never throws.
   */
  settle(outcome: ChargeOutcome | Error): void;
}

/** Units for a request that the rate limit has already counted, charged as of `nowMs`. */
export interface Spending extends Omit<ChargeRequest, "settle"> {
  /** The decision when it was counted. */
  readonly rate: RateDecision;
}

/** The embedded store answers at once, and Redis with a promise. */
export type Soon<T> = T | Promise<T>;

/** The accounts of a server. Every method may throw or reject with `AccountsUnavailable`, which is answered 503. */
export interface Accounts {
  /**
   * Finds the caller from the `Authorization` header as sent (`Bearer` and the key). Undefined if the key is
   * missing, malformed, mistyped, unknown, expired or revoked; the client does not learn which.
   */
  authenticate(authorization: string, nowMs: number): Promise<Caller | undefined>;
  /** The same for a caller that is found without waiting. For any other, ask `authenticate`. */
  knownCaller(authorization: string, nowMs: number): Caller | undefined;
  /** The caller with the key of this id, in whose name a link is; undefined as for `authenticate`. */
  callerOf(keyId: string, nowMs: number): Promise<Caller | undefined>;
  /** The secret of keyed hashes, which signs links. */
  secret(): Promise<string>;
  /** Counts a request for the rate limit; undefined if the charge decides that (Redis). */
  admit(caller: Caller, nowMs: number): RateDecision | undefined;
  /** Adds a request to the batch of this turn of the event loop, which is decided and stored at the turn's end. */
  charge(request: ChargeRequest): void;
  /**
   * Charges units, if the quota covers them, for work done since `charge` counted the request. Does not settle if the
   * connection is gone by then.
   */
  spend(spending: Spending): Promise<QuotaDecision>;
  /** The account's quotas, keys and calls of this month, for the account itself. */
  report(caller: Caller, nowMs: number): Promise<AccountReport>;
  /** The requests in an account's rate limit window. */
  rateUsed(accountId: string): Promise<number>;
  /** Fails with `AccountsUnavailable` if the store cannot be used now; for /readyz and metrics. */
  ping(): Promise<void>;
  /** Stores pending charges and closes the store. */
  close(): Promise<void>;
}

/** The two clocks of a process, passed in so that tests can move them. */
export interface AccountsClock {
  /** Wall time, milliseconds since 1970, as `Date.now`. */
  readonly nowMs: () => number;
  /** Monotonic time in milliseconds from any instant, as `performance.now`. */
  readonly monotonicMs: () => number;
}
