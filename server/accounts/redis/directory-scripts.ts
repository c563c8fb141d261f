import { luaScript } from "../../redis/lua-script.ts";

/** Version of the layout described in `keys.ts`. Any other was written by another Hindsight. */
export const FORMAT = "1";

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
