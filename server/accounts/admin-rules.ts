/**
 * Rules shared by both account stores: how ids are made, how many keys an account may have, and how refusals
 * are worded.
 */
import type { KeyReference } from "./admin.ts";
import { randomBase62 } from "./base62.ts";
import { AccountsRefused } from "./refused.ts";

const ACCOUNT_ID_LENGTH = 16;
const KEY_ID_LENGTH = 12;
/** How many keys of one account may be in force at once. */
export const ACTIVE_KEYS_MAX = 1_000;

export function drawAccountId(): string {
  return `acc_${randomBase62(ACCOUNT_ID_LENGTH)}`;
}

export function drawKeyId(): string {
  return `key_${randomBase62(KEY_ID_LENGTH)}`;
}

export function emailTaken(email: string, accountId: string): AccountsRefused {
  return new AccountsRefused("email_taken", `"${email}" already has an account: ${accountId}`);
}

export function noSuchAccount(idOrEmail: string): AccountsRefused {
  return new AccountsRefused("no_such_account", `there is no account "${idOrEmail}"`);
}

export function trialOver(accountId: string, endedMs: number): AccountsRefused {
  const ended = new Date(endedMs).toISOString();
  return new AccountsRefused("trial_over", `the trial of account ${accountId} ended at ${ended}`);
}

export function noSuchKey(reference: KeyReference): AccountsRefused {
  const which = "id" in reference ? `with the id "${reference.id}"` : "like the one given";
  return new AccountsRefused("no_such_key", `there is no key ${which}`);
}

export function keyEnded(keyId: string): AccountsRefused {
  const message = `key ${keyId} no longer holds: create a new one instead`;
  return new AccountsRefused("key_ended", message);
}

export function tooManyKeys(accountId: string, active: number): AccountsRefused {
  const message = `account ${accountId} has ${active} keys in force, the most there may be: revoke one first`;
  return new AccountsRefused("too_many_keys", message);
}
