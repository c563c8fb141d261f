import { luaScript } from "../../redis/lua-script.ts";

/** `touch(id)` marks an account or its keys as changed. */
const TOUCH_LUA = `
local function touch(id)
  local revision = redis.call('HINCRBY', 'hs:store', 'revision', 1)
  redis.call('HSET', 'hs:account:' .. id, 'rev', revision)
end
`;

/** `add_key(account, key)` adds a key to an account, as JSON has it. An account's keys are listed by age. */
const ADD_KEY_LUA = `
local function add_key(account, key)
  redis.call('HSET', 'hs:key:' .. key.hash, 'id', key.id, 'account', account, 'env', key.env,
    'prefix', key.prefix, 'last4', key.lastFour, 'created', key.created)
  redis.call('HSET', 'hs:key-ids', key.id, key.hash)
  redis.call('ZADD', 'hs:account-keys:' .. account, key.created, key.id)
end
`;

/** `keys_in_force(account, now, ended)` counts an account's keys in force, once the key `ended` has its end. */
const KEYS_IN_FORCE_LUA = `
local function keys_in_force(account, now, ended)
  local count = 0
  for _, id in ipairs(redis.call('ZRANGE', 'hs:account-keys:' .. account, 0, -1)) do
    local key = 'hs:key:' .. redis.call('HGET', 'hs:key-ids', id)
    local ends = redis.call('HMGET', key, 'expires', 'revoked')
    if ended and ended.id == id then ends = { ended.expires, ended.revoked } end
    if not ends[2] and (not ends[1] or now < tonumber(ends[1])) then count = count + 1 end
  end
  return count
end
`;

/**
 * Makes an account with its first key. ARGV: id, e-mail, its identity, plan, created, and the key as JSON. Returns the
 * account that already has the address, or nothing.
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
add_key(id, cjson.decode(ARGV[6]))
touch(id)
return false`,
);

/**
 * Changes an account, provided it is as it was read. ARGV: account, revision read, and as JSON what changes: `plan`, with
 * the fields of the periods that usage is carried between, of which the larger count is kept, so that switching back and
 * forth adds nothing; `ended`, a key with its end; `added`, a new key; then the instant, and how many keys may be in force.
 * Returns 1, 0 if the account changed meanwhile, or how many keys are in force if there may be no other.
 */
export const CHANGE_ACCOUNT = luaScript(
  "change-account",
  `${TOUCH_LUA}${ADD_KEY_LUA}${KEYS_IN_FORCE_LUA}
local account, given = 'hs:account:' .. ARGV[1], cjson.decode(ARGV[3])
local got = redis.call('HMGET', account, 'rev', 'plan')
if got[1] ~= ARGV[2] then return 0 end
local plan, ended = given.plan, given.ended
if given.added then
  local active = keys_in_force(ARGV[1], tonumber(ARGV[4]), ended)
  if active >= tonumber(ARGV[5]) then return active end
end
if plan then
  redis.call('HINCRBY', 'hs:plans', got[2], -1)
  redis.call('HINCRBY', 'hs:plans', plan.name, 1)
  redis.call('HSET', account, 'plan', plan.name)
  local used = redis.call('HMGET', account, plan.from, plan.to)
  if tonumber(used[1] or '0') > tonumber(used[2] or '0') then
    redis.call('HSET', account, plan.to, used[1])
  end
end
if ended then
  local key = 'hs:key:' .. redis.call('HGET', 'hs:key-ids', ended.id)
  if ended.expires then redis.call('HSET', key, 'expires', ended.expires) end
  if ended.revoked then redis.call('HSET', key, 'revoked', ended.revoked) end
end
if given.added then add_key(ARGV[1], given.added) end
touch(ARGV[1])
return 1`,
);

/** ARGV: id of the last account seen or "", when it was made, how many. Returns id and hash of each, by age. */
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
  out[#out + 1] = { id, redis.call('HGETALL', 'hs:account:' .. id) }
end
return out`,
);
