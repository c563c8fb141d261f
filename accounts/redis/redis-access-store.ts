import { REDIS_WAIT_MS, type RedisConnection } from "./connection.ts";
import { type LuaScript, luaScript } from "./lua-script.ts";
import type { RedisValue } from "./redis-link.ts";
import {
  endedWord,
  isWithin,
  SESSION_MS,
  SESSIONS_MAX,
  type AccessStore,
  type LinkRefusal,
  type NewLink,
  type Session,
  type Shares,
  type SigningIn,
  type SignInOutcome,
  type StoredLink,
  LINK_KEPT_MS,
} from "../access-store.ts";
import type { By } from "../admin-store.ts";
import { emailIdentity } from "../email.ts";
import { dateOf } from "../period.ts";
import { openingOf } from "./account-records.ts";
import { NOTE_LUA, OPEN_LUA, TOUCH_LUA } from "./admin-scripts.ts";

const GIVEN = "local given = cjson.decode(ARGV[1])\n";

/** `take(shares, now)` takes shares, or returns the outcome of the first gate that is closed. */
const TAKE_LUA = `
local function taken(name, now)
  local share = redis.call('HMGET', 'hs:share:' .. name, 'taken', 'until')
  return share[1] and tonumber(share[2]) > tonumber(now) and tonumber(share[1]) or 0
end

local function take(shares, now)
  for _, gate in ipairs(shares.gates) do
    local closed = not gate.unless or taken(gate.unless, now) == 0
    for _, each in ipairs(gate.full) do closed = closed and taken(each[1], now) >= each[2] end
    if closed then return gate.outcome end
  end
  for _, each in ipairs(shares.takes) do
    local share = 'hs:share:' .. each[1]
    if taken(each[1], now) == 0 then
      redis.call('HSET', share, 'taken', 0, 'until', string.format('%.0f', tonumber(now) + each[2]))
      redis.call('PEXPIRE', share, each[2])
    end
    redis.call('HINCRBY', share, 'taken', 1)
  end
end
`;

/** Stores a link unless a gate is closed. */
const ADD_LINK = luaScript(
  "add-link",
  `${TAKE_LUA}${GIVEN}
local now = given.created
local refusal = take(given.shares, now)
if refusal then return refusal end
redis.call('ZREMRANGEBYSCORE', 'hs:links', '-inf', string.format('%.0f', tonumber(now) - ${LINK_KEPT_MS}))
local link = 'hs:link:' .. given.hash
redis.call('HSET', link, 'purpose', given.purpose, 'account', given.account, 'sealed', given.sealed, 'created', now)
redis.call('PEXPIRE', link, ${LINK_KEPT_MS})
redis.call('ZADD', 'hs:links', now, given.hash)
redis.call('PEXPIRE', 'hs:links', ${LINK_KEPT_MS})
return 'made'`,
);

/** ARGV: a link whose mail was not sent, and the shares that it gives back. */
const WITHDRAW_LINK = luaScript(
  "withdraw-link",
  `
redis.call('ZREM', 'hs:links', ARGV[1])
redis.call('DEL', 'hs:link:' .. ARGV[1])
for at = 2, #ARGV do
  local share = 'hs:share:' .. ARGV[at]
  if tonumber(redis.call('HGET', share, 'taken') or 0) > 0 then redis.call('HINCRBY', share, 'taken', -1) end
end`,
);

/** Uses a link to open a session, and an account if there is none and one is given. Returns a `SignInOutcome`. */
const SIGN_IN = luaScript(
  "sign-in",
  `${TOUCH_LUA}${NOTE_LUA}${OPEN_LUA}${TAKE_LUA}${GIVEN}
local link, session, now = 'hs:link:' .. given.link, 'hs:session:' .. given.session, given.now
local row = redis.call('HMGET', link, 'account', 'used')
if not row[1] then return 'used' end
if row[2] then
  return row[2] == given.session and redis.call('EXISTS', session) == 1 and 'signed_in' or 'used'
end
local id = redis.call('HGET', 'hs:emails', given.identity)
if row[1] ~= '' and row[1] ~= id then return 'used' end
if not id then
  if not given.opens then return 'closed' end
  local refusal = take(given.shares, now)
  if refusal then return refusal end
  id = given.opens.id
  open_account(given.opens, given.who, now)
  touch(id)
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

  async addLink(link: NewLink, shares: Shares<LinkRefusal>): Promise<"made" | LinkRefusal> {
    const { createdMs, accountId, ...rest } = link;
    const given = { ...rest, shares, account: accountId ?? "", created: String(createdMs) };
    return (await this.#run(ADD_LINK, JSON.stringify(given))) as "made" | LinkRefusal;
  }

  async withdrawLink(hash: string, shares: readonly string[]): Promise<void> {
    await this.#run(WITHDRAW_LINK, hash, ...shares);
  }

  async findLink(hash: string): Promise<StoredLink | undefined> {
    const fields = ["purpose", "account", "sealed", "created", "used"];
    const { link } = this.#redis;
    const reply = await link.call("HMGET", [`hs:link:${hash}`, ...fields], REDIS_WAIT_MS);
    const [purpose, account, sealed, created, usedBy] = reply as (string | null)[];
    if (typeof purpose !== "string") return undefined;
    return {
      purpose: purpose as StoredLink["purpose"],
      accountId: account === "" ? null : (account ?? null),
      sealed: sealed ?? "",
      createdMs: Number(created),
      usedBy: usedBy ?? null,
    };
  }

  async signIn(signingIn: SigningIn): Promise<SignInOutcome> {
    const { link, email, session, opens, former, shares, who, nowMs } = signingIn;
    const given = {
      link,
      identity: emailIdentity(email),
      session: session.hash,
      device: session.device,
      replaces: signingIn.replaces ?? "",
      opens: opens && openingOf(opens, former),
      shares,
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
