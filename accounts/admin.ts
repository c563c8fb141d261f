import type { KeyEnvironment } from "./keys.ts";

export type KeyReference = { readonly id: string } | { readonly key: string };

export interface AccountRecord {
  readonly id: string;
  readonly email: string;
  /** The plan in force now. */
  readonly plan: string;
  readonly createdMs: number;
  /** The end of the trial, on a trial; null otherwise. */
  readonly trialEndsMs: number | null;
  /** Null if it is not suspended. */
  readonly suspendedMs: number | null;
}

/** Who changes an account: its owner on the page, a command, or a program on the admin socket. */
export type Who = "page" | "command" | "admin";

/** A change of an account, in words that contain neither address nor key. */
export interface ChangeLine {
  readonly number: number;
  readonly atMs: number;
  readonly who: Who;
  readonly what: string;
  readonly accountId: string;
}

/** The usage of a period, which is a month such as "2026-02" or "trial". */
export interface PeriodUsage {
  /** Null for the sum of deleted accounts. */
  readonly accountId: string | null;
  readonly createdMs: number | null;
  readonly plan: string;
  readonly env: KeyEnvironment;
  readonly period: string;
  readonly used: number;
}

/** The last account of a page. */
export type PageEnd = Pick<AccountRecord, "id" | "createdMs">;

export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  /** "" for none. */
  readonly name: string;
  readonly env: KeyEnvironment;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdMs: number;
  /** To the minute; null if never used. */
  readonly lastUsedMs: number | null;
  /** The end of a rotated key's grace period; null if the key does not expire. */
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
}

/** Whether a key is neither revoked nor expired at an instant. */
export function isInForce({ revokedMs, expiresMs }: KeyRecord, nowMs: number): boolean {
  return revokedMs === null && (expiresMs === null || nowMs < expiresMs);
}

/** A key with its full text, which is known only when the key is made. */
export interface NewKey {
  readonly key: string;
  readonly record: KeyRecord;
}

export interface NewAccount extends NewKey {
  readonly account: AccountRecord;
}

export interface RotatedKey extends NewKey {
  readonly replaced: KeyRecord;
}

export interface AllowanceUsage {
  readonly env: KeyEnvironment;
  /** "2026-02" or "trial". */
  readonly period: string;
  readonly used: number;
  readonly limit: number;
  readonly endsMs: number;
}

export interface EndpointUsage {
  readonly day: string;
  readonly env: KeyEnvironment;
  readonly endpoint: string;
  readonly calls: number;
  readonly units: number;
}

/** The report of an account to itself. */
export interface AccountReport extends AccountUsage {
  /** The keys in force, oldest first. */
  readonly keys: readonly KeyRecord[];
}

export interface AccountUsage {
  /** The allowances in force now: live and test. */
  readonly allowances: readonly AllowanceUsage[];
  /** Charged calls of this month by day and endpoint, oldest day first. */
  readonly endpoints: readonly EndpointUsage[];
}

const TITLES = "account_id,plan,env,period,used";

/** Usage by account and period as CSV, for billing. None of the texts needs quotes. */
export function usageCsv(rows: readonly PeriodUsage[], { withTitles = true } = {}): string {
  const lines = rows.map(({ accountId, plan, env, period, used }) =>
    [accountId ?? "", plan, env, period, used].join(","),
  );
  return [...(withTitles ? [TITLES] : []), ...lines].map((line) => `${line}\r\n`).join("");
}
