import { REDIS_WAIT_MS, type RedisConnection } from "../../redis/connection.ts";
import { type LuaScript, luaScript } from "../../redis/lua-script.ts";
import type { RedisValue } from "../../redis/redis-link.ts";
import {
  endedWord,
  isWithin,
  SESSION_MS,
  SESSIONS_MAX,
  type AccessStore,
  type NewLink,
  type Session,
  type SigningIn,
  type SignInOutcome,
  type StoredLink,
  LINK_KEPT_MS,
  LINK_LIMITS,
} from "../access-store.ts";
import type { By } from "../admin-store.ts";
import { emailIdentity } from "../email.ts";
import { dateOf } from "../period.ts";
import { openingOf } from "./account-records.ts";
import { NOTE_LUA, OPEN_LUA, TOUCH_LUA } from "./admin-scripts.ts";

const GIVEN = "local given = cjson.decode(ARGV[1])\n";

/** `opened(network, now)`: the accounts that a network has opened while the rows of their links are kept. */
const OPENED_LUA = `
local function since(now, span) return '(' .. string.format('%.0f', tonumber(now) - span) end

local function opened(network, now)
  if network == '' then return 0 end
  return redis.call('ZCOUNT', 'hs:opened:' .. network, since(now, ${LINK_KEPT_MS}), '+inf')
end
`;

/** Stores a link unless a limit is reached. Counts the rows of the last hour, which are 200 at most. */
const ADD_LINK = luaScript(
  "add-link",
  `${OPENED_LUA}${GIVEN}
local now, all, new, address, network = given.created, 0, 0, 0, 0
redis.call('ZREMRANGEBYSCORE', 'hs:links', '-inf', string.format('%.0f', tonumber(now) - ${LINK_KEPT_MS}))
for _, row in ipairs(redis.call('ZRANGEBYSCORE', 'hs:links', since(now, ${LINK_LIMITS.windowMs}), '+inf')) do
  local of, from, kind, form = string.match(row, '^[^|]*|([^|]*)|([^|]*)|([^|]*)|(.*)$')
  if form == given.once then return 'repeated' end
  all = all + 1
  if kind == '1' then new = new + 1 end
  if of == given.address then address = address + 1 end
  if from == given.network then network = network + 1 end
end
local isNew = given.account == ''
if address >= ${LINK_LIMITS.address} or all >= ${LINK_LIMITS.all} then return 'limited' end
if given.network ~= '' and network >= ${LINK_LIMITS.network} then return 'limited' end
if isNew and (new >= ${LINK_LIMITS.unknown} or opened(given.network, now) >= ${LINK_LIMITS.opened}) then return 'limited' end
local link = 'hs:link:' .. given.hash
redis.call('HSET', link, 'purpose', given.purpose, 'account', given.account, 'address', given.address,
  'sealed', given.sealed, 'network', given.network, 'created', now)
redis.call('PEXPIRE', link, ${LINK_KEPT_MS})
local row = table.concat({ given.hash, given.address, given.network, isNew and '1' or '0', given.once }, '|')
redis.call('ZADD', 'hs:links', now, row)
redis.call('PEXPIRE', 'hs:links', ${LINK_KEPT_MS})
return 'made'`,
);

/** ARGV: a link whose mail was not sent. */
const WITHDRAW_LINK = luaScript(
  "withdraw-link",
  `
local created = redis.call('HGET', 'hs:link:' .. ARGV[1], 'created')
if not created then return end
for _, row in ipairs(redis.call('ZRANGEBYSCORE', 'hs:links', created, created)) do
  if string.sub(row, 1, #ARGV[1] + 1) == ARGV[1] .. '|' then redis.call('ZREM', 'hs:links', row) end
end
redis.call('DEL', 'hs:link:' .. ARGV[1])`,
);

/** Uses a link to open a session, and an account if there is none and one is given. Returns a `SignInOutcome`. */
const SIGN_IN = luaScript(
  "sign-in",
  `${TOUCH_LUA}${NOTE_LUA}${OPEN_LUA}${OPENED_LUA}${GIVEN}
local link, session, now = 'hs:link:' .. given.link, 'hs:session:' .. given.session, given.now
local row = redis.call('HMGET', link, 'account', 'used', 'network', 'created')
if not row[1] then return 'used' end
if row[2] then
  return row[2] == given.session and redis.call('EXISTS', session) == 1 and 'signed_in' or 'used'
end
local id = redis.call('HGET', 'hs:emails', given.identity)
if row[1] ~= '' and row[1] ~= id then return 'used' end
if not id then
  if not given.opens then return 'closed' end
  if opened(row[3], now) >= ${LINK_LIMITS.opened} then return 'limited' end
  id = given.opens.id
  open_account(given.opens, given.who, now)
  touch(id)
  if row[3] ~= '' then
    redis.call('ZADD', 'hs:opened:' .. row[3], row[4], given.link)
    redis.call('PEXPIRE', 'hs:opened:' .. row[3], ${LINK_KEPT_MS})
  end
elseif redis.call('HGET', 'hs:account:' .. id, 'suspended') then
  return 'suspended'
end
redis.call('HSET', link, 'used', given.session, 'account', id)
if given.replaces ~= '' then
  local before = redis.call('HGET', 'hs:session:' .. given.replaces, 'account')
  if before then redis.call('ZREM', 'hs:sessions:' .. before, given.replaces) end
  redis.call('DEL', 'hs:session:' .. given.replaces)
end
redis.call('HSET', session, 'account', id, 'device', given.device, 'created', now, 'day', given.day)
redis.call('PEXPIRE', session, ${SESSION_MS})
local own = 'hs:sessions:' .. id
redis.call('ZADD', own, now, given.session)
redis.call('PEXPIRE', own, ${SESSION_MS})
for _, each in ipairs(redis.call('ZRANGE', own, 0, -1 - given.max)) do
  redis.call('ZREM', own, each)
  redis.call('DEL', 'hs:session:' .. each)
end
return 'signed_in'`,
);

/** ARGV: a session and today. Returns its fields, with the day as it was before. */
const FIND_SESSION = luaScript(
  "find-session",
  `
local session = 'hs:session:' .. ARGV[1]
local fields = redis.call('HMGET', session, 'account', 'device', 'created', 'day')
if fields[4] and fields[4] ~= ARGV[2] then redis.call('HSET', session, 'day', ARGV[2]) end
return fields`,
);

/** ARGV: an account. Returns its sessions, newest first, each with its hash. */
const LIST_SESSIONS = luaScript(
  "list-sessions",
  `
local out = {}
for _, each in ipairs(redis.call('ZREVRANGE', 'hs:sessions:' .. ARGV[1], 0, -1)) do
  local fields = redis.call('HMGET', 'hs:session:' .. each, 'device', 'created', 'day')
  if fields[1] then out[#out + 1] = { each, fields[1], fields[2], fields[3] } end
end
return out`,
);

/** Ends one session of an account, or all if none is named. */
const END_SESSIONS = luaScript(
  "end-sessions",
  `${NOTE_LUA}${GIVEN}
local own, ended = 'hs:sessions:' .. given.account, 0
for _, each in ipairs(redis.call('ZRANGE', own, 0, -1)) do
  if given.session == '' or given.session == each then
    redis.call('DEL', 'hs:session:' .. each)
    ended = ended + redis.call('ZREM', own, each)
  end
end
if ended > 0 then note(given.who, given.what, given.account, given.now) end`,
);

export const ACCESS_SCRIPTS = [
  ADD_LINK,
  WITHDRAW_LINK,
  SIGN_IN,
  FIND_SESSION,
  LIST_SESSIONS,
  END_SESSIONS,
];

/** Links and sessions in Redis, for all servers that share it. */
export class RedisAccessStore implements AccessStore {
  readonly #redis: RedisConnection;

  constructor(redis: RedisConnection) {
    this.#redis = redis;
  }

  async addLink(link: NewLink): Promise<"made" | "repeated" | "limited"> {
    const { createdMs, accountId, ...rest } = link;
    const given = { ...rest, account: accountId ?? "", created: String(createdMs) };
    return (await this.#run(ADD_LINK, JSON.stringify(given))) as "made" | "repeated" | "limited";
  }

  async withdrawLink(hash: string): Promise<void> {
    await this.#run(WITHDRAW_LINK, hash);
  }

  async findLink(hash: string): Promise<StoredLink | undefined> {
    const fields = ["purpose", "account", "address", "sealed", "created", "used"];
    const { link } = this.#redis;
    const reply = await link.call("HMGET", [`hs:link:${hash}`, ...fields], REDIS_WAIT_MS);
    const [purpose, account, address, sealed, created, usedBy] = reply as (string | null)[];
    if (typeof purpose !== "string") return undefined;
    return {
      purpose: purpose as StoredLink["purpose"],
      accountId: account === "" ? null : (account ?? null),
      address: address ?? "",
      sealed: sealed ?? "",
      createdMs: Number(created),
      usedBy: usedBy ?? null,
    };
  }

  async signIn(signingIn: SigningIn): Promise<SignInOutcome> {
    const { link, email, session, opens, former, who, nowMs } = signingIn;
    const given = {
      link,
      identity: emailIdentity(email),
      session: session.hash,
      device: session.device,
      replaces: signingIn.replaces ?? "",
      opens: opens && openingOf(opens, former),
      who,
      now: String(nowMs),
      day: dateOf(nowMs),
      max: SESSIONS_MAX,
    };
    return (await this.#run(SIGN_IN, JSON.stringify(given))) as SignInOutcome;
  }

  async findSession(hash: string, nowMs: number): Promise<Session | undefined> {
    const today = dateOf(nowMs);
    const reply = await this.#run(FIND_SESSION, hash, today);
    const [accountId, device, created] = reply as (string | null)[];
    if (typeof accountId !== "string" || !isWithin(SESSION_MS, Number(created), nowMs)) {
      return undefined;
    }
    return { hash, accountId, device: device ?? "", createdMs: Number(created), lastDay: today };
  }

  async sessionsOf(accountId: string, nowMs: number): Promise<readonly Session[]> {
    const rows = (await this.#run(LIST_SESSIONS, accountId)) as [string, string, string, string][];
    return rows
      .map(([hash, device, created, lastDay]) => {
        return { hash, accountId, device, createdMs: Number(created), lastDay };
      })
      .filter(({ createdMs }) => isWithin(SESSION_MS, createdMs, nowMs));
  }

  async endSessions(accountId: string, hash: string | undefined, by: By): Promise<void> {
    const { who, nowMs } = by;
    const about = { account: accountId, session: hash ?? "", what: endedWord(hash) };
    await this.#run(END_SESSIONS, JSON.stringify({ ...about, who, now: String(nowMs) }));
  }

  async #run(script: LuaScript, ...values: readonly RedisValue[]): Promise<unknown> {
    return await this.#redis.link.run(script, values, REDIS_WAIT_MS);
  }
}
