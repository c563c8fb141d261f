import { luaScript } from "../../redis/lua-script.ts";
import type { KeyEnvironment } from "../keys.ts";
import type { EndpointUsage, KeyRecord } from "../admin.ts";
import type { AccountRow, StoredAccount } from "../admin-store.ts";
import { monthOf } from "../period.ts";
import { emailIdentity } from "../email.ts";
import { FREE, TRIAL } from "../plans.ts";
import { accountKey, callsKey, MORE_UNITS, usedField } from "./keys.ts";

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

/** An account as Redis has it; a change is made only to this revision. */
export interface AccountInRedis extends StoredAccount {
  readonly revision: string;
}

/** A new account as scripts take it. */
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

/** Oldest day first. A count that was taken back in full is left out. */
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
