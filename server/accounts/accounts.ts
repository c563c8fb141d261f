import type { AccountReport } from "./admin.ts";

/**
 * What the HTTP side knows about accounts: who is calling, whether the minute's limit admits the request, and
 * whether the month's allowance covers it. Both the embedded store and Redis implement this interface.
 *
 * A local store answers synchronously, so that a request does not cost a promise; callers handle both. Every
 * method may throw (or reject with) `AccountsUnavailable`, which becomes a 503: nothing was charged.
 */

export type KeyEnvironment = "live" | "test";

/** What an account may do, from the plan table: see `plans.ts`. */
export interface Plan {
  readonly name: string;
  /** Dollars a month; null if the plan is free. */
  readonly priceUsd: number | null;
  /** Calls in a UTC calendar month; on a trial, calls over the whole trial. */
  readonly callsPerMonth: number;
  readonly ratePerMinute: number;
  /** Units one backtest costs; null if the plan has no backtests. */
  readonly backtestUnits: number | null;
  readonly concurrentRuns: number | null;
}

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

/** Whether the minute has room. A refused request counts against nothing. */
export interface RateDecision {
  readonly admitted: boolean;
  readonly minute: Allowance;
  /** 0 if admitted. */
  readonly retryAfterSeconds: number;
}

/** The account's month (or trial) as it stands. */
export interface QuotaState {
  readonly used: number;
  readonly quota: Allowance;
}

/** The month after this charge, or as it stands when the charge was refused. */
export interface ChargeDecision extends QuotaState {
  readonly charged: boolean;
  /** The plan the charge was decided under. It is newer than the caller's if the plan changed in between. */
  readonly plan: Plan;
}

/**
 * A charge and its callback. The request's own object may implement it, which saves an object and a promise.
 */
export interface ChargeRequest {
  readonly caller: Caller;
  readonly units: number;
  readonly nowMs: number;
  /** The name under which the account's usage lists the call, for example "/signals". */
  readonly endpoint: string;
  /** False once nobody waits for the answer any more: then nothing is charged and `settle` is not called. */
  readonly wanted?: boolean;
  /**
   * Called once: when the charge has reached the operating system, or is known to have failed. The error is
   * `AccountsUnavailable` if the store could not answer; any other error is a defect of ours.
   */
  settle(outcome: ChargeDecision | Error): void;
}

export interface Accounts {
  /**
   * Finds the caller from the `Authorization` header as sent (`Bearer` and the key). Undefined if the key is
   * missing, malformed, mistyped, unknown, expired or revoked; the client is not told which.
   */
  authenticate(
    credentials: string,
    nowMs: number,
  ): Caller | undefined | Promise<Caller | undefined>;
  /** Counts one request against the account's minute, or refuses it. */
  admit(caller: Caller, nowMs: number): RateDecision | Promise<RateDecision>;
  /** Charges all the units to the account's month, or none if they do not all fit, and tells the request. */
  charge(request: ChargeRequest): void;
  /** The month so far, charging nothing: for answers that cost nothing. */
  quota(caller: Caller, nowMs: number): QuotaState | Promise<QuotaState>;
  /** The account's allowances, keys and calls this month, as shown to the account itself. */
  report(caller: Caller, nowMs: number): AccountReport | Promise<AccountReport>;
  /** Settles what is pending and closes the store. */
  close(): Promise<void>;
}

/** The store cannot answer (locked too long, disk full, unreadable). Nothing was charged. */
export class AccountsUnavailable extends Error {
  override readonly name = "AccountsUnavailable";
}
