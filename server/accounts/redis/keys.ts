import type { KeyEnvironment } from "../keys.ts";

/**
 * Where accounts are in Redis. Ids are random and of letters and digits, so nothing in a name needs
 * escaping; scripts write the names out. Hashes of an account or a key are small enough for Redis to keep them
 * packed.
 *
 * | key                        | what                                                                          |
 * | -------------------------- | ----------------------------------------------------------------------------- |
 * | hs:store                   | hash: `id` of this store, `format`, `revision` (up by one with every change), `secret` of keyed hashes, `changes` |
 * | hs:tried                   | hash: `at`, when a server last tried whether it can write                      |
 * | hs:accounts                | sorted set: accounts by the instant they were made                             |
 * | hs:emails                  | hash: e-mail identity to account                                               |
 * | hs:plans                   | hash: plan to how many accounts are on it                                      |
 * | hs:account:ID              | hash: `email`, `plan`, `created`, `suspended`, `rev`, `rate` and `used:ENV:PERIOD` for each period |
 * | hs:account-keys:ID         | sorted set: the account's keys by the instant they were made                   |
 * | hs:key-ids                 | hash: key id to the key's SHA-256                                              |
 * | hs:key:SHA256              | hash: `id`, `account`, `env`, `prefix`, `last4`, `created`, `used`, `expires`, `revoked`, `name` |
 * | hs:calls:ID:MONTH          | hash: `DAY|ENV|ENDPOINT` to charged calls; with `|more`, units beyond one a call |
 * | hs:rate:ID                 | list: the admissions of the last 60 seconds                                    |
 * | hs:audit                   | sorted set: changes of a year by their number, as JSON                         |
 * | hs:former:ADDRESS          | hash: `left`, `created` and `used:ENV:PERIOD` of the account that left it      |
 * | hs:former-usage            | hash: `PLAN|ENV|PERIOD` to what accounts that are gone used                    |
 * | hs:link:SHA256             | hash: `purpose`, `account`, `address`, `sealed`, `network`, `new`, `created`, `used` |
 * | hs:links                   | sorted set: `LINK|ADDRESS|NETWORK|NEW|FORM` by the instant it was made          |
 * | hs:opened:NETWORK          | sorted set: links that opened accounts by the instant they were made           |
 * | hs:session:SHA256          | hash: `account`, `device`, `created`, `day`                                    |
 * | hs:sessions:ID             | sorted set: the account's sessions by the instant they were made               |
 * | hs:writer:PROCESS          | hash: how far a server's charges have come                                     |
 */
export const STORE = "hs:store";
export const EMAILS = "hs:emails";
export const PLANS = "hs:plans";
export const KEY_IDS = "hs:key-ids";
export const FORMER_USAGE = "hs:former-usage";

export const accountKey = (accountId: string) => `hs:account:${accountId}`;
export const keyKey = (hash: string) => `hs:key:${hash}`;
export const writerKey = (process: string) => `hs:writer:${process}`;
/** `day` names the month: it is "2026-02" or a day in it, "2026-02-10". */
export const callsKey = (accountId: string, day: string) =>
  `hs:calls:${accountId}:${day.slice(0, "YYYY-MM".length)}`;

/** The field of an account's hash that counts a period's units. */
export const usedField = (env: KeyEnvironment, period: string) => `used:${env}:${period}`;
export const callsField = (day: string, env: KeyEnvironment, endpoint: string) =>
  `${day}|${env}|${endpoint}`;
/** Suffix of the field that counts units beyond one a call. Most endpoints have none. */
export const MORE_UNITS = "|more";
