import { luaScript } from "./lua-script.ts";
import { DONE, VOID } from "../access-store.ts";
import { CHANGES_KEPT_DAYS, FORMER_KEPT_DAYS } from "../admin-store.ts";
import { DAY_MS } from "../period.ts";

const FORMER_KEPT_MS = FORMER_KEPT_DAYS * DAY_MS;

/** `note(who, what, account, now)` records a change, and deletes one or two expired ones. */
export const NOTE_LUA = `
local function note(who, what, account, now)
  local number = redis.call('HINCRBY', 'hs:store', 'changes', 1)
  redis.call('ZADD', 'hs:audit', number, cjson.encode({ number, now, who, what, account }))
  for _, line in ipairs(redis.call('ZRANGE', 'hs:audit', 0, 1)) do
    local at = tonumber(cjson.decode(line)[2])
    if at <= tonumber(now) - ${CHANGES_KEPT_DAYS * DAY_MS} then redis.call('ZREM', 'hs:audit', line) end
  end
end
`;

/**
 * `open_account(given, who, now)` stores an account and returns when it counts as made: if its address left a trial, the
 * account continues it.
 */
export const OPEN_LUA = `
local function open_account(given, who, now)
  local former = 'hs:former:' .. given.former
  local left = redis.call('HGET', former, 'left')
  local account, created = 'hs:account:' .. given.id, given.created
  if left and tonumber(left) > tonumber(now) - ${FORMER_KEPT_MS} then
    local fields = redis.call('HGETALL', former)
    for at = 1, #fields, 2 do
      if string.sub(fields[at], 1, 5) == 'used:' then redis.call('HSET', account, fields[at], fields[at + 1]) end
      if fields[at] == 'created' and given.continues then created = fields[at + 1] end
    end
  end
  redis.call('HSET', 'hs:emails', given.identity, given.id)
  redis.call('HSET', account, 'email', given.email, 'plan', given.plan, 'created', created)
  redis.call('ZADD', 'hs:accounts', created, given.id)
  redis.call('HINCRBY', 'hs:plans', given.plan, 1)
  note(who, 'opened on ' .. given.plan, given.id, now)
  return created
end
`;

/**
 * `use_link(hash)` uses a link up, and returns whether it was valid. `void_links(id)` makes an account's links invalid.
 * `remember(id, former, now)` keeps the usage that an account opened with the same address continues.
 */
const LEAVE_LUA = `
local function use_link(hash)
  local link = redis.call('HMGET', 'hs:link:' .. hash, 'purpose', 'used')
  if not link[1] or link[2] then return false end
  redis.call('HSET', 'hs:link:' .. hash, 'used', '${DONE}')
  return true
end

local function void_links(id)
  for _, hash in ipairs(redis.call('ZRANGE', 'hs:links', 0, -1)) do
    local link = 'hs:link:' .. hash
    if redis.call('HGET', link, 'account') == id then
      redis.call('HSET', link, 'account', '', 'sealed', '')
      if not redis.call('HGET', link, 'used') then redis.call('HSET', link, 'used', '${VOID}') end
    end
  end
end

local function remember(id, former, now)
  local kept, fields = 'hs:former:' .. former, redis.call('HGETALL', 'hs:account:' .. id)
  redis.call('DEL', kept)
  redis.call('HSET', kept, 'left', now)
  for at = 1, #fields, 2 do
    if fields[at] == 'created' or string.sub(fields[at], 1, 5) == 'used:' then
      redis.call('HSET', kept, fields[at], fields[at + 1])
    end
  end
  redis.call('PEXPIRE', kept, ${FORMER_KEPT_MS})
end
`;

/** `touch(id)` marks an account or its keys as changed. */
export const TOUCH_LUA = `
local function touch(id)
  local revision = redis.call('HINCRBY', 'hs:store', 'revision', 1)
  redis.call('HSET', 'hs:account:' .. id, 'rev', revision)
end
`;

/** `add_key(account, key)` adds a key, given as JSON, to an account, whose keys are listed by age. */
const ADD_KEY_LUA = `
local function add_key(account, key)
  redis.call('HSET', 'hs:key:' .. key.hash, 'id', key.id, 'account', account, 'env', key.env,
    'prefix', key.prefix, 'last4', key.lastFour, 'created', key.created, 'name', key.name)
  redis.call('HSET', 'hs:key-ids', key.id, key.hash)
  redis.call('ZADD', 'hs:account-keys:' .. account, key.created, key.id)
end
`;

/** `keys_in_force(account, now, ended)` counts an account's keys in force, as if the key `ended` had its new end. */
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
 * Stores an account with its first key. ARGV: the account, who makes it and when, and the key as JSON. Returns the account
 * that already has the address, or when this one counts as made.
 */
export const CREATE_ACCOUNT = luaScript(
  "create-account",
  `${TOUCH_LUA}${ADD_KEY_LUA}${NOTE_LUA}${OPEN_LUA}
local given = cjson.decode(ARGV[1])
local taken = redis.call('HGET', 'hs:emails', given.identity)
if taken then return { taken, false } end
local created = open_account(given, ARGV[2], ARGV[3])
add_key(given.id, cjson.decode(ARGV[4]))
touch(given.id)
return { false, created }`,
);

/**
 * Changes an account, provided that its revision is the one that was read. ARGV: account, revision, the change as JSON, the
 * instant, the most keys in force, and who changes it. Of a change of plan, `from` and `to` are the fields of the periods
 * before and after, of which the larger count is kept, so that switching back and forth adds nothing. Returns 1, or 0 if
 * the account changed meanwhile, or the number of keys in force if another is one too many.
 */
export const CHANGE_ACCOUNT = luaScript(
  "change-account",
  `${TOUCH_LUA}${ADD_KEY_LUA}${KEYS_IN_FORCE_LUA}${NOTE_LUA}
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
if given.suspended == true then redis.call('HSET', account, 'suspended', ARGV[4]) end
if given.suspended == false then redis.call('HDEL', account, 'suspended') end
if given.what then note(ARGV[6], given.what, ARGV[1], ARGV[4]) end
touch(ARGV[1])
return 1`,
);

/**
 * Changes an account's address. ARGV: JSON with the id, address and identity, the identity before, who and when, the keyed
 * hash of the address it leaves, and the link. Returns "done", "gone", "used" or the account that has the address.
 */
export const CHANGE_ADDRESS = luaScript(
  "change-address",
  `${TOUCH_LUA}${NOTE_LUA}${LEAVE_LUA}
local given = cjson.decode(ARGV[1])
if redis.call('HGET', 'hs:emails', given.before) ~= given.id then return 'gone' end
local taken = redis.call('HGET', 'hs:emails', given.identity)
if taken and taken ~= given.id then return taken end
if given.link and not use_link(given.link) then return 'used' end
if not taken then remember(given.id, given.former, given.now) end
redis.call('HDEL', 'hs:emails', given.before)
redis.call('HSET', 'hs:emails', given.identity, given.id)
redis.call('HSET', 'hs:account:' .. given.id, 'email', given.email)
void_links(given.id)
note(given.who, 'address changed', given.id, given.now)
touch(given.id)
return 'done'`,
);

/**
 * Removes an account with all its data. ARGV: JSON as above, with the months whose calls may exist. A running job then has
 * no entry to end. Returns "done", "gone" or "used".
 */
export const REMOVE_ACCOUNT = luaScript(
  "remove-account",
  `${NOTE_LUA}${LEAVE_LUA}
local given = cjson.decode(ARGV[1])
local id, account = given.id, 'hs:account:' .. given.id
if redis.call('HGET', 'hs:emails', given.before) ~= id then return 'gone' end
if given.link and not use_link(given.link) then return 'used' end
remember(id, given.former, given.now)
void_links(id)
local plan, fields = redis.call('HGET', account, 'plan'), redis.call('HGETALL', account)
for at = 1, #fields, 2 do
  local env, period = string.match(fields[at], '^used:(%a+):(.+)$')
  if env then redis.call('HINCRBY', 'hs:former-usage', plan .. '|' .. env .. '|' .. period, fields[at + 1]) end
end
for _, key in ipairs(redis.call('ZRANGE', 'hs:account-keys:' .. id, 0, -1)) do
  local hash = redis.call('HGET', 'hs:key-ids', key)
  if hash then redis.call('DEL', 'hs:key:' .. hash) end
  redis.call('HDEL', 'hs:key-ids', key)
end
for _, session in ipairs(redis.call('ZRANGE', 'hs:sessions:' .. id, 0, -1)) do
  redis.call('DEL', 'hs:session:' .. session)
end
for _, list in ipairs({ 'hs:jobs:all:' .. id, 'hs:jobs:open:' .. id }) do
  for _, job in ipairs(redis.call('ZRANGE', list, 0, -1)) do
    local row = redis.call('HMGET', 'hs:job:' .. job, 'snapshot', 'process', 'keyed', 'scope')
    if row[1] then
      redis.call('ZREM', 'hs:jobs:queue:' .. row[1], job)
      if redis.call('EXISTS', 'hs:jobs:queue:' .. row[1]) == 0 then redis.call('SREM', 'hs:jobs:queues', row[1]) end
    end
    if row[2] then redis.call('HDEL', 'hs:jobs:of:' .. row[2], job) end
    if row[3] then redis.call('DEL', 'hs:jobs:key:' .. row[3]) end
    if row[4] then redis.call('DEL', 'hs:jobs:tried:' .. id .. ':' .. row[4]) end
    redis.call('DEL', 'hs:job:' .. job)
  end
  redis.call('DEL', list)
end
for _, month in ipairs(given.months) do redis.call('DEL', 'hs:calls:' .. id .. ':' .. month) end
redis.call('DEL', account, 'hs:account-keys:' .. id, 'hs:sessions:' .. id, 'hs:rate:' .. id)
redis.call('HDEL', 'hs:emails', given.before)
redis.call('ZREM', 'hs:accounts', id)
redis.call('HINCRBY', 'hs:plans', plan, -1)
note(given.who, 'deleted', id, given.now)
redis.call('HINCRBY', 'hs:store', 'revision', 1)
return 'done'`,
);

/** ARGV: the last account's id or "", when it was made, and a limit. Returns the id and hash of those after it, by age. */
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
