import { luaScript } from "./lua-script.ts";
import type { AccountRow, StoredAccount } from "../admin-store.ts";
import type { EndpointUsage, KeyRecord, PeriodUsage } from "../admin.ts";
import { emailIdentity } from "../email.ts";
import type { KeyEnvironment } from "../keys.ts";
import { monthOf } from "../period.ts";
import { FREE, TRIAL } from "../plans.ts";

/**
 * The layout of accounts in Redis. Ids consist of random letters and digits, so nothing in a name needs escaping, and
 * the names are written out. The hashes of an account or a key are small enough for Redis to pack.
 *
 * | key                        | what                                                                          |
 * | -------------------------- | ----------------------------------------------------------------------------- |
 * | hs:store                   | hash: `id` of this store, `format`, `revision` (raised by every change), `secret` of keyed hashes, `changes` |
 * | hs:tried                   | hash: `at`, when a server last checked that it can write                       |
 * | hs:accounts                | sorted set: accounts by when they were made                                    |
 * | hs:emails                  | hash: e-mail identity to account                                               |
 * | hs:plans                   | hash: plan to its number of accounts                                           |
 * | hs:account:ID              | hash: `email`, `plan`, `created`, `suspended`, `rev`, `rate` and `used:ENV:PERIOD` for each period |
 * | hs:account-keys:ID         | sorted set: the account's keys by when they were made                          |
 * | hs:key-ids                 | hash: key id to the key's SHA-256                                              |
 * | hs:key:SHA256              | hash: `id`, `account`, `env`, `prefix`, `last4`, `created`, `used`, `expires`, `revoked`, `name` |
 * | hs:calls:ID:MONTH          | hash: `DAY|ENV|ENDPOINT` to charged calls; with `|more`, units beyond one per call |
 * | hs:rate:ID                 | list: the admissions of the last 60 seconds                                    |
 * | hs:audit                   | sorted set: the changes of a year by their number, as JSON                     |
 * | hs:former:ADDRESS          | hash: `left`, `created` and `used:ENV:PERIOD` of the account that left it      |
 * | hs:former-usage            | hash: `PLAN|ENV|PERIOD` to the usage of deleted accounts                       |
 * | hs:link:SHA256             | hash: `purpose`, `account`, `sealed`, `created`, `used`                        |
 * | hs:links                   | sorted set: links by when they were made                                       |
 * | hs:share:NAME              | hash: `taken`, `until`; see `shares.ts`                                        |
 * | hs:session:SHA256          | hash: `account`, `device`, `created`, `day`                                    |
 * | hs:sessions:ID             | sorted set: the account's sessions by when they were made                      |
 * | hs:writer:PROCESS          | hash: the last group of charges of a server                                    |
 */
export const accountKey = (accountId: string) => `hs:account:${accountId}`;
/** `day` is a month, "2026-02", or a day in it, "2026-02-10". */
const callsKey = (accountId: string, day: string) =>
  `hs:calls:${accountId}:${day.slice(0, "YYYY-MM".length)}`;

/** The field of an account's hash that counts a period's units. */
export const usedField = (env: KeyEnvironment, period: string) => `used:${env}:${period}`;
export const callsField = (day: string, env: KeyEnvironment, endpoint: string) =>
  `${day}|${env}|${endpoint}`;
/** Suffix of the field that counts units beyond one per call, which most endpoints do not have. */
const MORE_UNITS = "|more";

/** A Redis hash as an alternating list of fields and values. */
export type Flat = readonly string[];

/** ARGV: an account's hash, the calls of a month. Returns an `AccountReply`. */
export const READ_ACCOUNT = luaScript(
  "read-account",
  "return { redis.call('HGETALL', ARGV[1]), redis.call('HGETALL', ARGV[2]) }",
);
export type AccountReply = readonly [account: Flat, calls: Flat];

/** ARGV: an account's id. Returns the hashes of its keys, oldest first. */
export const LIST_KEYS = luaScript(
  "list-keys",
  `
local keys = {}
for _, id in ipairs(redis.call('ZRANGE', 'hs:account-keys:' .. ARGV[1], 0, -1)) do
  local hash = redis.call('HGET', 'hs:key-ids', id)
  if hash then keys[#keys + 1] = redis.call('HGETALL', 'hs:key:' .. hash) end
end
return keys`,
);

/** The arguments of `READ_ACCOUNT` for an account at an instant. */
export function readAccountValues(accountId: string, nowMs: number): readonly string[] {
  return [accountKey(accountId), callsKey(accountId, monthOf(nowMs).name)];
}

/** An account in Redis. A change is applied only to this revision. */
export interface AccountInRedis extends StoredAccount {
  readonly revision: string;
}

/** A new account, as scripts expect it. */
export function openingOf({ id, email, plan, createdMs }: AccountRow, former: string) {
  const made = { created: String(createdMs), former, continues: plan === TRIAL };
  return { id, email, identity: emailIdentity(email), plan, ...made };
}

/** Undefined if there is no such account. */
export function storedAccountOf(
  id: string,
  [account, calls]: AccountReply,
): AccountInRedis | undefined {
  const row = accountRowOf(id, account);
  if (row === undefined) return undefined;
  const fields = fieldsOf(account);
  return {
    ...row,
    revision: fields.get("rev") ?? "",
    endpoints: endpointsOf(calls),
    usedIn: (env, period) => Number(fields.get(usedField(env, period)) ?? 0),
  };
}

export function accountRowOf(id: string, flat: Flat): AccountRow | undefined {
  const fields = fieldsOf(flat);
  const email = fields.get("email");
  if (email === undefined) return undefined;
  const suspended = fields.get("suspended");
  return {
    id,
    email,
    plan: fields.get("plan") ?? FREE,
    createdMs: Number(fields.get("created")),
    suspendedMs: suspended === undefined ? null : Number(suspended),
  };
}

/** The usage of an account by period. */
export function usageOfAccount(id: string, flat: Flat): readonly PeriodUsage[] {
  const row = accountRowOf(id, flat);
  if (row === undefined) return [];
  const { createdMs, plan } = row;
  const used = [...fieldsOf(flat)].flatMap(([name, units]): PeriodUsage[] => {
    const [, env, period = ""] = /^used:(live|test):(.+)$/.exec(name) ?? [];
    if (env !== "live" && env !== "test") return [];
    return [{ accountId: id, createdMs, plan, env, period, used: Number(units) }];
  });
  return used.sort((a, b) => (a.period + a.env < b.period + b.env ? -1 : 1));
}

export function keyOf(flat: Flat): KeyRecord {
  const fields = fieldsOf(flat);
  const text = (name: string) => fields.get(name) ?? "";
  const instant = (name: string) => {
    const value = fields.get(name);
    return value === undefined ? null : Number(value);
  };
  return {
    id: text("id"),
    accountId: text("account"),
    name: text("name"),
    env: text("env") === "test" ? "test" : "live",
    prefix: text("prefix"),
    lastFour: text("last4"),
    createdMs: Number(text("created")),
    lastUsedMs: instant("used"),
    expiresMs: instant("expires"),
    revokedMs: instant("revoked"),
  };
}

/** Counts by day, oldest first, without those that were refunded in full. */
function endpointsOf(flat: Flat): readonly EndpointUsage[] {
  const fields = fieldsOf(flat);
  return [...fields.keys()]
    .filter((name) => !name.endsWith(MORE_UNITS))
    .sort()
    .map((name) => {
      const [day = "", env = "", endpoint = ""] = name.split("|");
      const calls = Number(fields.get(name));
      const units = calls + Number(fields.get(name + MORE_UNITS) ?? 0);
      return { day, env: env as KeyEnvironment, endpoint, calls, units };
    })
    .filter(({ calls }) => calls > 0);
}

/** A hash's fields by name. */
export function fieldsOf(flat: Flat): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (let i = 0; i + 1 < flat.length; i += 2) fields.set(flat[i] ?? "", flat[i + 1] ?? "");
  return fields;
}
