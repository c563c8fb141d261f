import type { KeyEnvironment } from "./accounts.ts";

/** What the operator does to accounts and keys. Works while servers run; they see it at their next request. */
export interface AccountsAdmin {
  /** A new account with its first live key. E-mail addresses are unique, whatever their case. */
  createAccount(request: { readonly email: string; readonly plan: string }): Promise<NewAccount>;
  /** The account of this id or e-mail address. */
  findAccount(idOrEmail: string): Promise<AccountRecord>;
  /** Accounts by age, oldest first, a page at a time: those after `after`. An empty page is the end. */
  listAccounts(after: AccountRecord | undefined, limit: number): Promise<readonly AccountRecord[]>;
  /** Holds from the account's next request and keeps what is used. */
  setPlan(accountId: string, plan: string): Promise<AccountRecord>;
  usageOf(accountId: string): Promise<AccountUsage>;
  createKey(accountId: string, env: KeyEnvironment): Promise<NewKey>;
  listKeys(accountId: string): Promise<readonly KeyRecord[]>;
  /** A new key of the same account and environment; the old one ends after the grace period, at once without one. */
  rotateKey(key: KeyReference, graceMs: number): Promise<RotatedKey>;
  /** Ends a key for good. Revoking one that is revoked already changes nothing. */
  revokeKey(key: KeyReference): Promise<KeyRecord>;
  close(): Promise<void>;
}

export type KeyReference = { readonly id: string } | { readonly key: string };

export interface AccountRecord {
  readonly id: string;
  readonly email: string;
  /** The plan in force now. */
  readonly plan: string;
  readonly createdMs: number;
  /** The end of the trial, on a trial; null otherwise. */
  readonly trialEndsMs: number | null;
}

export interface KeyRecord {
  readonly id: string;
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdMs: number;
  /** To the minute; null where it was never used. */
  readonly lastUsedMs: number | null;
  /** When a rotated key's grace ends; null where it has no end. */
  readonly expiresMs: number | null;
  readonly revokedMs: number | null;
}

/** Whether a key is neither revoked nor past its grace at an instant. */
export function isInForce({ revokedMs, expiresMs }: KeyRecord, nowMs: number): boolean {
  return revokedMs === null && (expiresMs === null || nowMs < expiresMs);
}

/** A key at the only moment it is known in full. */
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

/** What an account may know of itself. */
export interface AccountReport extends AccountUsage {
  /** Keys in force, oldest first. */
  readonly keys: readonly KeyRecord[];
}

export interface AccountUsage {
  /** The allowances in force now: live and test. */
  readonly allowances: readonly AllowanceUsage[];
  /** Charged calls of this month by day and endpoint, oldest day first. */
  readonly endpoints: readonly EndpointUsage[];
}
