import { luaScript } from "../../redis/lua-script.ts";

/** `touch(id)` marks an account or its keys as changed. */
const TOUCH_LUA = `
local function touch(id)
  local revision = redis.call('HINCRBY', 'hs:store', 'revision', 1)
  redis.call('HSET', 'hs:account:' .. id, 'rev', revision)
end
`;

/**
 * `add_key(account, hash, id, env, prefix, last4, created)` adds a key. An account's keys are listed by age.
 */
const ADD_KEY_LUA = `
local function add_key(account, hash, id, env, prefix, last4, created)
  redis.call('HSET', 'hs:key:' .. hash, 'id', id, 'account', account, 'env', env,
    'prefix', prefix, 'last4', last4, 'created', created)
  redis.call('HSET', 'hs:key-ids', id, hash)
  redis.call('ZADD', 'hs:account-keys:' .. account, created, id)
end

-- Keys of an account in force at an instant, counted up to a limit.
local function in_force(account, now, limit)
  local count = 0
  for _, id in ipairs(redis.call('ZRANGE', 'hs:account-keys:' .. account, 0, -1)) do
    local hash = redis.call('HGET', 'hs:key-ids', id)
    local ends = redis.call('HMGET', 'hs:key:' .. hash, 'expires', 'revoked')
    if not ends[2] and (not ends[1] or tonumber(ends[1]) > now) then count = count + 1 end
    if count >= limit then break end
  end
  return count
end
`;

/**
 * Makes an account with its first key. ARGV: id, e-mail, its identity, plan, created; then the key's hash,
 * id, env, prefix and last four. Returns the account that already has the address, or nothing.
 */
export const CREATE_ACCOUNT = luaScript(
  "create-account",
  `${TOUCH_LUA}${ADD_KEY_LUA}
local id, email, identity, plan, created = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local taken = redis.call('HGET', 'hs:emails', identity)
if taken then return taken end
redis.call('HSET', 'hs:emails', identity, id)
redis.call('HSET', 'hs:account:' .. id, 'email', email, 'plan', plan, 'created', created)
redis.call('ZADD', 'hs:accounts', created, id)
redis.call('HINCRBY', 'hs:plans', plan, 1)
add_key(id, ARGV[6], ARGV[7], ARGV[8], ARGV[9], ARGV[10], created)
touch(id)
return false`,
);

/**
 * Puts an account on a plan, provided it has not changed since it was read. ARGV: account, revision read,
 * plan, and the fields of the periods from and to which usage is carried. The larger count is kept, so that
 * switching back and forth adds nothing. Returns 1, or 0 if the account changed meanwhile.
 */
export const SET_PLAN = luaScript(
  "set-plan",
  `${TOUCH_LUA}
local account = 'hs:account:' .. ARGV[1]
local got = redis.call('HMGET', account, 'rev', 'plan', ARGV[4], ARGV[5])
if got[1] ~= ARGV[2] then return 0 end
redis.call('HINCRBY', 'hs:plans', got[2], -1)
redis.call('HINCRBY', 'hs:plans', ARGV[3], 1)
redis.call('HSET', account, 'plan', ARGV[3])
if ARGV[4] ~= ARGV[5] and tonumber(got[3] or '0') > tonumber(got[4] or '0') then
  redis.call('HSET', account, ARGV[5], got[3])
end
touch(ARGV[1])
return 1`,
);

/**
 * Adds a key to an account. ARGV: account, how many keys it may have in force, now; hash, id, env, prefix,
 * last four. Returns -1 if the key was added, -2 if there is no such account, otherwise how many keys it has.
 */
export const CREATE_KEY = luaScript(
  "create-key",
  `${TOUCH_LUA}${ADD_KEY_LUA}
if redis.call('EXISTS', 'hs:account:' .. ARGV[1]) == 0 then return -2 end
local limit, now = tonumber(ARGV[2]), tonumber(ARGV[3])
local count = in_force(ARGV[1], now, limit)
if count >= limit then return count end
add_key(ARGV[1], ARGV[4], ARGV[5], ARGV[6], ARGV[7], ARGV[8], ARGV[3])
touch(ARGV[1])
return -1`,
);

/**
 * Replaces a key with a new one. ARGV: the old key's hash, how many keys an account may have in force, now,
 * when the old key ends (now for at once); hash, id, prefix, last four of the new one. Returns -1 if done, -2
 * if there is no such key, -3 if it is no longer in force, otherwise how many keys the account has.
 */
export const ROTATE_KEY = luaScript(
  "rotate-key",
  `${TOUCH_LUA}${ADD_KEY_LUA}
local old = 'hs:key:' .. ARGV[1]
local limit, now, ends = tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local got = redis.call('HMGET', old, 'account', 'env', 'expires', 'revoked')
if not got[1] then return -2 end
if got[4] or (got[3] and tonumber(got[3]) <= now) then return -3 end
-- An old key that ends at once makes room for the new one.
local count = in_force(got[1], now, limit + 1)
if ends <= now then count = count - 1 end
if count >= limit then return count end
if ends <= now then
  redis.call('HSET', old, 'revoked', ARGV[3])
elseif not got[3] or ends < tonumber(got[3]) then
  redis.call('HSET', old, 'expires', ARGV[4])
end
add_key(got[1], ARGV[5], ARGV[6], got[2], ARGV[7], ARGV[8], ARGV[3])
touch(got[1])
return -1`,
);

/**
 * Ends a key for good, whatever the clocks do. ARGV: its hash, now. Returns 1, or 0 if there is no such key.
 */
export const REVOKE_KEY = luaScript(
  "revoke-key",
  `${TOUCH_LUA}
local key = 'hs:key:' .. ARGV[1]
local account = redis.call('HGET', key, 'account')
if not account then return 0 end
redis.call('HSETNX', key, 'revoked', ARGV[2])
touch(account)
return 1`,
);

/** ARGV: id of the last account seen or "", when it was made, how many. Returns ids and hashes by age. */
export const LIST_ACCOUNTS = luaScript(
  "list-accounts",
  `
local first = 0
if ARGV[1] ~= '' then
  local rank = redis.call('ZRANK', 'hs:accounts', ARGV[1])
  first = rank and rank + 1 or redis.call('ZCOUNT', 'hs:accounts', '-inf', ARGV[2])
end
local out = {}
for _, id in ipairs(redis.call('ZRANGE', 'hs:accounts', first, first + tonumber(ARGV[3]) - 1)) do
  out[#out + 1] = id
  out[#out + 1] = redis.call('HGETALL', 'hs:account:' .. id)
end
return out`,
);
