import { CHANGES_KEPT_DAYS, FORMER_KEPT_DAYS } from "../records.ts";
import { LINK_KEPT_MS } from "../records.ts";
import { DAY_MS } from "../in-force.ts";
import { luaScript } from "./lua-script.ts";

/**
 * Stores what a rule has written, provided that what it had read is still so. ARGV: JSON with `expect`, a list of hash, field
 * and value ("" for none), and `writes`, each a command of Redis or one of the functions below with its arguments, in order.
 * Returns 1, or 0 if something has changed.
 */
export const COMMIT = luaScript(
  "commit",
  `
local given = cjson.decode(ARGV[1])
for _, each in ipairs(given.expect) do
  if (redis.call('HGET', each[1], each[2]) or '') ~= each[3] then return 0 end
end
local write = {}

-- Marks an account or its keys as changed.
function write.touch(id)
  redis.call('HSET', 'hs:account:' .. id, 'rev', redis.call('HINCRBY', 'hs:store', 'revision', 1))
end

-- Adds to the list of changes, and deletes one or two expired ones.
function write.note(who, what, account, now)
  local number = redis.call('HINCRBY', 'hs:store', 'changes', 1)
  redis.call('ZADD', 'hs:audit', number, cjson.encode({ number, now, who, what, account }))
  for _, line in ipairs(redis.call('ZRANGE', 'hs:audit', 0, 1)) do
    local at = tonumber(cjson.decode(line)[2])
    if at <= tonumber(now) - ${CHANGES_KEPT_DAYS * DAY_MS} then redis.call('ZREM', 'hs:audit', line) end
  end
end

function write.list_link(hash, now)
  redis.call('ZREMRANGEBYSCORE', 'hs:links', '-inf', string.format('%.0f', tonumber(now) - ${LINK_KEPT_MS}))
  redis.call('ZADD', 'hs:links', now, hash)
  redis.call('PEXPIRE', 'hs:links', ${LINK_KEPT_MS})
end

function write.delete_session(hash)
  local account = redis.call('HGET', 'hs:session:' .. hash, 'account')
  if account then redis.call('ZREM', 'hs:sessions:' .. account, hash) end
  redis.call('DEL', 'hs:session:' .. hash)
end

-- Of the counts of two periods, the larger one holds in the second, so that switching back and forth adds nothing.
function write.move_usage(id, from, to)
  local used = redis.call('HMGET', 'hs:account:' .. id, from, to)
  if tonumber(used[1] or '0') > tonumber(used[2] or '0') then
    redis.call('HSET', 'hs:account:' .. id, to, used[1])
  end
end

function write.remember(id, address, now)
  local former, fields = 'hs:former:' .. address, redis.call('HGETALL', 'hs:account:' .. id)
  redis.call('DEL', former)
  redis.call('HSET', former, 'left', now)
  for at = 1, #fields, 2 do
    if fields[at] == 'created' or string.sub(fields[at], 1, 5) == 'used:' then
      redis.call('HSET', former, fields[at], fields[at + 1])
    end
  end
  redis.call('PEXPIRE', former, ${FORMER_KEPT_DAYS * DAY_MS})
end

-- A running job then has no entry to end.
local function delete_jobs(id)
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
end

-- months: those whose calls may exist.
function write.forget(id, plan, identity, months)
  local account = 'hs:account:' .. id
  local fields = redis.call('HGETALL', account)
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
  delete_jobs(id)
  for _, month in ipairs(months) do redis.call('DEL', 'hs:calls:' .. id .. ':' .. month) end
  redis.call('DEL', account, 'hs:account-keys:' .. id, 'hs:sessions:' .. id, 'hs:rate:' .. id)
  redis.call('HDEL', 'hs:emails', identity)
  redis.call('ZREM', 'hs:accounts', id)
  redis.call('HINCRBY', 'hs:plans', plan, -1)
  redis.call('HINCRBY', 'hs:store', 'revision', 1)
end

for _, each in ipairs(given.writes) do
  local name = table.remove(each, 1)
  if write[name] then write[name](unpack(each)) else redis.call(name, unpack(each)) end
end
return 1`,
);

/** ARGV: a kind of record, and an account. Returns the account's records of this kind, oldest first, each with its SHA-256. */
export const OWNED = luaScript(
  "owned",
  `
local kind, account = ARGV[1], ARGV[2]
local lists = { key = 'hs:account-keys:' .. account, session = 'hs:sessions:' .. account, link = 'hs:links' }
local out = {}
for _, each in ipairs(redis.call('ZRANGE', lists[kind], 0, -1)) do
  local hash = kind == 'key' and redis.call('HGET', 'hs:key-ids', each) or each
  local record = 'hs:' .. kind .. ':' .. hash
  if redis.call('HGET', record, 'account') == account then out[#out + 1] = { hash, redis.call('HGETALL', record) } end
end
return out`,
);

/** ARGV: an account, and an instant. Returns the number of its keys that are in force. */
export const ACTIVE_KEYS = luaScript(
  "active-keys",
  `
local count = 0
for _, id in ipairs(redis.call('ZRANGE', 'hs:account-keys:' .. ARGV[1], 0, -1)) do
  local ends = redis.call('HMGET', 'hs:key:' .. redis.call('HGET', 'hs:key-ids', id), 'expires', 'revoked')
  if not ends[2] and (not ends[1] or tonumber(ARGV[2]) < tonumber(ends[1])) then count = count + 1 end
end
return count`,
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
