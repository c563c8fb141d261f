import { luaScript } from "./lua-script.ts";
import type { Former, StoredAccount } from "../records.ts";
import type { EndpointUsage, PeriodUsage } from "../admin.ts";
import type { KeyEnvironment } from "../keys.ts";
import { monthOf } from "../in-force.ts";
import { recordOf } from "./record-hashes.ts";

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

/** The arguments of `READ_ACCOUNT` for an account at an instant. */
export function readAccountValues(accountId: string, nowMs: number): readonly string[] {
  return [accountKey(accountId), callsKey(accountId, monthOf(nowMs).name)];
}

/** Undefined if there is no such account. */
export function storedAccountOf(
  id: string,
  [account, calls]: AccountReply,
): StoredAccount | undefined {
  const fields = fieldsOf(account);
  const row = recordOf("account", id, fields);
  return (
    row && {
      ...row,
      endpoints: endpointsOf(calls),
      usedIn: (env, period) => Number(fields.get(usedField(env, period)) ?? 0),
    }
  );
}

/** The usage of an account by period. */
export function usageOfAccount(id: string, flat: Flat): readonly PeriodUsage[] {
  const fields = fieldsOf(flat);
  const row = recordOf("account", id, fields);
  if (row === undefined) return [];
  const { createdMs, plan } = row;
  return usedIn(fields)
    .map(([env, period, used]) => ({ accountId: id, createdMs, plan, env, period, used }))
    .sort((a, b) => (a.period + a.env < b.period + b.env ? -1 : 1));
}

/** The usage in a hash of an account or a former one. */
export function usedIn(fields: ReadonlyMap<string, string>): Former["usage"] {
  return [...fields].flatMap(([name, units]) => {
    const [, env, period = ""] = /^used:(live|test):(.+)$/.exec(name) ?? [];
    return env === "live" || env === "test" ? [[env, period, Number(units)] as const] : [];
  });
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
