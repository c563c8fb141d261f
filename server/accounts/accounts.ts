import type { AccountReport } from "./admin.ts";

/**
 * What the HTTP side knows of accounts: who is calling, whether the minute admits the request, and
 * whether the month pays for it. The embedded store and Redis stand behind this interface.
 *
 * Answers are synchronous where the store is local, so that a request costs no promise; callers
 * handle both. Every method may throw (or reject with) `AccountsUnavailable`, which is a 503:
 * then nothing was charged.
 */

export type KeyEnvironment = "live" | "test";

/** What an account may do. Read from the plan table; see `plans.ts`. */
export interface Plan {
  readonly name: string;
  /** Dollars a month; null where the plan costs nothing. */
  readonly priceUsd: number | null;
  /** Calls a calendar month, UTC; on a trial, calls in all. */
  readonly callsPerMonth: number;
  readonly ratePerMinute: number;
  /** Units one backtest costs; null where backtests are not sold. */
  readonly backtestUnits: number | null;
  readonly concurrentRuns: number | null;
}

/**
 * The account and key of a request. `plan` is the plan in force now: a trial that is over reads
 * "free". For a `test` key its numbers are those of test keys (the free plan's calls, no backtests).
 * Callers come from `authenticate` and are handed back as they are.
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
  /** 0 when admitted. */
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
  /** The plan the charge was decided under: newer than the caller's when it changed in between. */
  readonly plan: Plan;
}

/** A charge, and who is told of it: the object may be the request's own, which saves one, and a promise. */
export interface ChargeRequest {
  readonly caller: Caller;
  readonly units: number;
  readonly nowMs: number;
  /** Under what name the call appears in the account's usage, for example "/signals". */
  readonly endpoint: string;
  /** False when nobody waits for the answer any more: then nothing is charged, and `settle` is not called. */
  readonly wanted?: boolean;
  /**
   * Called once, when the charge is with the operating system or is known to have failed: with
   * `AccountsUnavailable` where the store could not answer, with another error where we have a defect.
   */
  settle(outcome: ChargeDecision | Error): void;
}

export interface Accounts {
  /**
   * Who calls, by the `Authorization` header as sent: `Bearer` and the key. Undefined: none, malformed, mistyped, unknown, expired
   * or revoked. Nobody learns which.
   */
  authenticate(
    credentials: string,
    nowMs: number,
  ): Caller | undefined | Promise<Caller | undefined>;
  /** Counts one request against the account's minute, or refuses it. */
  admit(caller: Caller, nowMs: number): RateDecision | Promise<RateDecision>;
  /**
   * Charges units to the account's month, or none of them when they do not all fit, and tells the request. Charges of one
   * event-loop turn share one commit.
   */
  charge(request: ChargeRequest): void;
  /** The month without charging, for answers that cost nothing. */
  quota(caller: Caller, nowMs: number): QuotaState | Promise<QuotaState>;
  /** The account's allowances, keys and calls of this month, for the account itself. */
  report(caller: Caller, nowMs: number): AccountReport | Promise<AccountReport>;
  /** Settles what is pending and lets the store go. */
  close(): Promise<void>;
}

/** The store cannot answer: locked too long, disk full, unreadable. Nothing was charged. */
export class AccountsUnavailable extends Error {
  override readonly name = "AccountsUnavailable";
}
