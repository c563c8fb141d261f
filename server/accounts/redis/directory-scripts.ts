import { luaScript } from "../../redis/lua-script.ts";

/** Version of the layout described in `keys.ts`. Any other was written by another Hindsight. */
export const FORMAT = "1";

/** How many changed accounts are remembered. A process that was away for longer drops its whole cache. */
export const CHANGES_KEPT = 10_000;
/** With more changed accounts than this, forgetting everything is cheaper than naming them. */
const CHANGED_MAX = 1_000;

/** ARGV: the id to give a new store, or "" to make none. Returns id and format, or nothing. */
export const OPEN_STORE = luaScript(
  "open-store",
  `
local got = redis.call('HMGET', 'hs:store', 'id', 'format')
if got[1] then return got end
if ARGV[1] == '' then return false end
redis.call('HSET', 'hs:store', 'id', ARGV[1], 'format', '${FORMAT}', 'revision', '1')
return { ARGV[1], '${FORMAT}' }`,
);

/**
 * Reads what changed since a revision. ARGV: store id, revision. Returns the id found, the revision, 1 if
 * everything must be forgotten, and the accounts that changed.
 */
export const READ_CHANGES = luaScript(
  "read-changes",
  `
local store = redis.call('HMGET', 'hs:store', 'id', 'revision')
if store[1] ~= ARGV[1] then return { store[1] or '' } end
local since, now = tonumber(ARGV[2]), tonumber(store[2])
if now == since then return { store[1], store[2], 0, {} } end
local changed = redis.call('ZRANGEBYSCORE', 'hs:changes', '(' .. ARGV[2], '+inf', 'LIMIT', 0, ${CHANGED_MAX + 1})
local oldest = redis.call('ZRANGE', 'hs:changes', 0, 0, 'WITHSCORES')[2]
local full = redis.call('ZCARD', 'hs:changes') >= ${CHANGES_KEPT}
-- A revision that went back means an older copy in its place; changes cut off were perhaps not seen.
local all = now < since or #changed > ${CHANGED_MAX} or (full and tonumber(oldest) > since + 1)
if all then changed = {} end
return { store[1], store[2], all and 1 or 0, changed }`,
);

/**
 * Finds keys that are in force, and their accounts. ARGV: store id, now, then SHA-256s. Returns the id found, then for
 * each key a list of id, account, env, expires, last used, plan, created, rev; or 0. A key that was revoked or has
 * expired is answered as one that never was, and as fast.
 */
export const FIND_KEYS = luaScript(
  "find-keys",
  `
local store = redis.call('HGET', 'hs:store', 'id')
local out = { store or '' }
if store ~= ARGV[1] then return out end
for i = 3, #ARGV do
  local key = redis.call('HMGET', 'hs:key:' .. ARGV[i], 'id', 'account', 'env', 'expires', 'used', 'revoked')
  local inForce = key[1] and not key[6] and not (key[4] and tonumber(key[4]) <= tonumber(ARGV[2]))
  if inForce then
    local account = redis.call('HMGET', 'hs:account:' .. key[2], 'plan', 'created', 'rev')
    for n = 1, 3 do key[5 + n] = account[n] end
  end
  out[i - 1] = inForce and key or 0
end
return out`,
);
