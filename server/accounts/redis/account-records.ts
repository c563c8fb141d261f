import { luaScript } from "../../redis/lua-script.ts";
import type { KeyEnvironment } from "../accounts.ts";
import type { AccountRecord, AccountReport, EndpointUsage, KeyRecord } from "../admin.ts";
import { accountRecord, allowancesOf, noSuchAccount } from "../admin-rules.ts";
import { monthOf } from "../period.ts";
import { FREE, type PlanTable } from "../plans.ts";
import { accountKey, callsKey, MORE_UNITS, usedField } from "./keys.ts";

/** A Redis hash as an alternating list of fields and values. */
export type Flat = readonly string[];

/** ARGV: an account's hash, the calls of a month, its id. Returns an `AccountReply`. */
export const READ_ACCOUNT = luaScript(
  "read-account",
  `
local keys = {}
for _, id in ipairs(redis.call('ZRANGE', 'hs:account-keys:' .. ARGV[3], 0, -1)) do
  local hash = redis.call('HGET', 'hs:key-ids', id)
  if hash then keys[#keys + 1] = redis.call('HGETALL', 'hs:key:' .. hash) end
end
return { redis.call('HGETALL', ARGV[1]), redis.call('HGETALL', ARGV[2]), keys }`,
);

/** The account, the calls of a month, and its keys, oldest first. */
export type AccountReply = readonly [account: Flat, calls: Flat, keys: readonly Flat[]];

/** The arguments of `READ_ACCOUNT` for an account at an instant. */
export function readAccountValues(accountId: string, nowMs: number): readonly string[] {
  return [accountKey(accountId), callsKey(accountId, monthOf(nowMs).name), accountId];
}

/** The record of an account at an instant. */
export function accountOf(id: string, flat: Flat, nowMs: number): AccountRecord {
  const fields = fieldsOf(flat);
  const email = fields.get("email");
  if (email === undefined) throw noSuchAccount(id);
  const [plan, createdMs] = [fields.get("plan") ?? FREE, Number(fields.get("created"))];
  return accountRecord({ id, email, plan, createdMs }, nowMs);
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
    env: text("env") === "test" ? "test" : "live",
    prefix: text("prefix"),
    lastFour: text("last4"),
    createdMs: Number(text("created")),
    lastUsedMs: instant("used"),
    expiresMs: instant("expires"),
    revokedMs: instant("revoked"),
  };
}

/** What an account may use, and what it has used. */
export function reportOf(
  id: string,
  [account, calls, keys]: AccountReply,
  plans: PlanTable,
  nowMs: number,
): AccountReport {
  const fields = fieldsOf(account);
  const usedIn = (env: KeyEnvironment, period: string) =>
    Number(fields.get(usedField(env, period)) ?? 0);
  const allowances = allowancesOf(accountOf(id, account, nowMs), plans, nowMs, usedIn);
  return { allowances, endpoints: endpointsOf(calls), keys: keys.map(keyOf) };
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
