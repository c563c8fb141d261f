import { luaScript } from "../../redis/lua-script.ts";
import { LEDGER_LUA } from "../../redis/ledger-lua.ts";
import { JOB_LUA } from "./job-lua.ts";

/**
 * Every change of a job is one script, so that Redis does all of it or none. A script is given one JSON text, `given`,
 * and as a second argument the result, which is binary.
 */
const GIVEN = "local given = cjson.decode(ARGV[1])\n";

/**
 * Returns a job's units to the period that paid for them and removes them from the day's calls, unless that was done
 * before (`back`). The call itself stays counted, unless no caller learned of the job (`forget`).
 */
const REFUND = `
local function refund(id, forget, back)
  local paid = redis.call('HMGET', jobKey(id), 'account', 'period', 'units', 'calls')
  local units = back and 0 or tonumber(paid[3])
  spend('hs:account:' .. paid[1], paid[2], -units)
  forget_calls(paid[1], paid[4], forget and 1 or 0, units)
end
`;

/** A process that accepts no job for this long needs a new connection for the next. */
const FENCE_KEPT_SECONDS = 30 * 86_400;

/** The most submissions that a job lists as answered with it. With more, it can no longer be taken back. */
const TOLD_MAX = 64;

/**
 * The number of distinct sets that the account has tried in a scope: those of jobs that are done, of jobs under way, and
 * `tried`.
 */
const COUNT_TRIED = `
local function count_tried(open)
  local past = key('jobs:tried:' .. given.account .. ':' .. given.scope)
  local seen, new = {}, 0
  local function count(digests)
    for _, each in ipairs(digests) do
      if not seen[each] and tonumber(redis.call('ZSCORE', past, each) or 0) <= given.nowMs then new = new + 1 end
      seen[each] = true
    end
  end
  count(given.tried)
  for _, id in ipairs(redis.call('ZRANGE', open, 0, -1)) do
    local job = redis.call('HMGET', jobKey(id), 'scope', 'tried')
    if job[1] == given.scope and job[2] then count(cjson.decode(job[2])) end
  end
  return new + redis.call('ZCOUNT', past, '(' .. given.createdText, '+inf')
end
`;

/** Sets that one command adds, below the number that Lua can unpack. */
const ADDED_MAX = 500;

/** Keeps the sets of a job that is done for as long as its result. */
const KEEP_TRIED = `
local function keep_tried(id)
  local job = redis.call('HMGET', jobKey(id), 'account', 'scope', 'tried')
  if not job[3] then return end
  local past = key('jobs:tried:' .. job[1] .. ':' .. job[2])
  local digests = cjson.decode(job[3])
  redis.call('ZREMRANGEBYSCORE', past, '-inf', given.finishedText)
  for first = 1, #digests, ${ADDED_MAX} do
    local added = {}
    for n = first, math.min(first + ${ADDED_MAX} - 1, #digests) do
      added[#added + 1] = given.untilText
      added[#added + 1] = digests[n]
    end
    redis.call('ZADD', past, unpack(added))
  end
  redis.call('PEXPIRE', past, given.keptMs)
end
`;

/**
 * Accepts a job: looks up the Idempotency-Key, counts the account's jobs, charges the units, and queues the job. A
 * submission of an earlier connection changes nothing, because its caller was answered 503.
 */
export const SUBMIT = luaScript(
  "jobs-submit",
  `${JOB_LUA}${LEDGER_LUA}${GIVEN}${COUNT_TRIED}
local fence = key('jobs:fence:' .. given.process)
if redis.call('GET', fence) ~= given.fence then return {'stale'} end
local account = 'hs:account:' .. given.account
local used = used_in(account, given.rev, given.period)
if not used then return {'changed'} end
local keyed = given.keyDigest ~= '' and key('jobs:key:' .. given.account .. ':' .. given.keyDigest)
if keyed then
  local known = redis.call('HMGET', keyed, 'job', 'fingerprint', 'created')
  local attribution = known[1] and given.nowMs - known[3] < given.keyKeptMs
    and redis.call('HGET', jobKey(known[1]), 'attribution')
  if attribution then
    if known[2] ~= given.fingerprint then return {'key_reused'} end
    if redis.call('HINCRBY', jobKey(known[1]), 'hearers', 1) <= ${TOLD_MAX} then
      redis.call('HSET', jobKey(known[1]), 'told:' .. given.id, 1)
    end
    return {'repeated', known[1], attribution, used}
  end
end
if used + given.units > given.limit then return {'quota_exceeded', used} end
local open = key('jobs:open:' .. given.account)
local running = redis.call('ZCARD', open)
if running >= given.concurrentRuns then return {'concurrency_exceeded', running} end
if redis.call('EXISTS', jobKey(given.id)) == 1 then return {'taken'} end
spend(account, given.period, given.units)
count_calls(given.account, given.calls, 1, given.units)
redis.call('EXPIRE', fence, ${FENCE_KEPT_SECONDS})
local last = redis.call('ZRANGE', open, -1, -1, 'WITHSCORES')
local known = given.tried and count_tried(open)
local turn = given.runs + math.max(tonumber(redis.call('GET', key('jobs:turn')) or 0), tonumber(last[2] or 0))
local text = string.format('%.0f', turn)
redis.call('HSET', jobKey(given.id), 'account', given.account, 'status', 'queued', 'request', given.request,
  'snapshot', given.snapshot, 'attribution', given.attribution, 'turn', text, 'attempt', 0,
  'created', given.createdText, 'period', given.period, 'units', given.units, 'calls', given.calls,
  'kind', given.kind, 'hearers', 1, 'told:' .. given.id, 1)
if known then
  redis.call('HSET', jobKey(given.id), 'scope', given.scope, 'tried', cjson.encode(given.tried), 'known', known)
end
redis.call('ZADD', open, text, given.id)
local all = key('jobs:all:' .. given.account)
redis.call('ZADD', all, given.createdText, given.id)
redis.call('ZREMRANGEBYSCORE', all, '-inf', string.format('%.0f', given.nowMs - 2 * given.keptMs))
redis.call('PEXPIRE', all, 2 * given.keptMs)
enqueue(given.id, given.snapshot, text)
if keyed then
  redis.call('HSET', jobKey(given.id), 'keyed', given.account .. ':' .. given.keyDigest)
  redis.call('HSET', keyed, 'job', given.id, 'fingerprint', given.fingerprint, 'created', given.createdText)
  redis.call('PEXPIRE', keyed, given.keyKeptMs)
end
return {'accepted', given.id, given.attribution, used + given.units}
`,
);

/**
 * Registers a process's new connection, so that submissions of earlier ones are refused, and undoes those whose answer was
 * lost (`lost`: the id of each, and the name of its Idempotency-Key or ""). A job has a field for each submission that was
 * answered with it: its own and repeats of its Idempotency-Key. When the last of them is undone, the job is removed as if it
 * had never existed, and its key no longer counts.
 */
export const CONNECT_JOBS = luaScript(
  "jobs-connect",
  `${JOB_LUA}${LEDGER_LUA}${REFUND}${GIVEN}
redis.call('SET', key('jobs:fence:' .. given.process), given.fence, 'EX', ${FENCE_KEPT_SECONDS})
local function withdraw(id)
  local job = redis.call('HMGET', jobKey(id), 'status', 'account', 'snapshot', 'process')
  refund(id, true, job[1] == 'error')
  dequeue(id, job[3])
  redis.call('ZREM', key('jobs:open:' .. job[2]), id)
  redis.call('ZREM', key('jobs:all:' .. job[2]), id)
  if job[4] then redis.call('HDEL', key('jobs:of:' .. job[4]), id) end
  redis.call('DEL', jobKey(id))
end
for _, each in ipairs(given.lost) do
  local accepted = redis.call('EXISTS', jobKey(each.id)) == 1
  local job = accepted and each.id or redis.call('HGET', key('jobs:key:' .. each.keyed), 'job')
  if job and redis.call('HDEL', jobKey(job), 'told:' .. each.id) == 1
    and redis.call('HINCRBY', jobKey(job), 'hearers', -1) == 0 then withdraw(job) end
end
`,
);

/** Claims the waiting job with the lowest turn among those on the given snapshots; equal turns go by id. */
export const CLAIM = luaScript(
  "jobs-claim",
  `${JOB_LUA}${GIVEN}
local now = redisMs()
local id, turn, snapshot
for _, each in ipairs(given.snapshots) do
  local first = redis.call('ZRANGE', key('jobs:queue:' .. each), 0, 0, 'WITHSCORES')
  local at = tonumber(first[2])
  if at and (not id or at < turn or (at == turn and first[1] < id)) then
    id, turn, snapshot = first[1], at, each
  end
end
if not id then return false end
redis.call('ZADD', key('jobs:processes'), now + given.leaseMs, given.process)
redis.call('HSET', key('jobs:of:' .. given.process), id, given.claim)
local attempt = redis.call('HINCRBY', jobKey(id), 'attempt', 1)
redis.call('HSET', jobKey(id), 'status', 'running', 'process', given.process, 'started', given.startedText)
if turn > tonumber(redis.call('GET', key('jobs:turn')) or 0) then
  redis.call('SET', key('jobs:turn'), string.format('%.0f', turn))
end
dequeue(id, snapshot)
local job = redis.call('HMGET', jobKey(id), 'request', 'created', 'losses', 'kind', 'known')
return {id, attempt, snapshot, job[1], job[2], job[3], job[4], job[5]}
`,
);

/** Ends a job, if the claim still holds it: with its result, or with an error and a refund. */
export const FINISH = luaScript(
  "jobs-finish",
  `${JOB_LUA}${LEDGER_LUA}${REFUND}${GIVEN}${KEEP_TRIED}
if not holds(given.id, given.attempt) then return 0 end
local job = redis.call('HMGET', jobKey(given.id), 'account', 'process')
if given.code then
  redis.call('HSET', jobKey(given.id), 'code', given.code, 'message', given.message)
  refund(given.id)
else
  redis.call('HSET', jobKey(given.id), 'result', ARGV[2])
  keep_tried(given.id)
end
redis.call('HDEL', jobKey(given.id), 'tried')
redis.call('HSET', jobKey(given.id), 'status', given.code and 'error' or 'done', 'finished', given.finishedText)
redis.call('HDEL', key('jobs:of:' .. job[2]), given.id)
redis.call('ZREM', key('jobs:open:' .. job[1]), given.id)
redis.call('PEXPIRE', jobKey(given.id), given.keptMs)
return 1
`,
);

/** Returns a claimed job to the queue. */
export const RELEASE = luaScript(
  "jobs-release",
  `${JOB_LUA}${GIVEN}
if not holds(given.id, given.attempt) then return end
requeue(given.id)
redis.call('HINCRBY', jobKey(given.id), 'losses', given.losses)
`,
);

/**
 * Renews a process's lease and records which snapshots it holds. Queues lost jobs again: those of processes whose lease
 * ended, and those claimed by this process in an answer that was lost. If there was no beat for half a lease, Redis was
 * away or its clock jumped, and every lease begins anew. Returns the snapshots that jobs wait for and no process holds.
 */
export const BEAT = luaScript(
  "jobs-beat",
  `${JOB_LUA}${GIVEN}
local now = redisMs()
local processes = key('jobs:processes')
local lease = now + given.leaseMs
local last = tonumber(redis.call('GET', key('jobs:beat')) or now)
if now - last > given.leaseMs / 2 then
  for _, each in ipairs(redis.call('ZRANGE', processes, 0, -1)) do redis.call('ZADD', processes, lease, each) end
end
for _, each in ipairs(redis.call('ZRANGEBYSCORE', processes, '(' .. string.format('%.0f', lease), '+inf')) do
  redis.call('ZADD', processes, lease, each)
end
redis.call('SET', key('jobs:beat'), string.format('%.0f', now))
redis.call('ZADD', processes, lease, given.process)
for _, snapshot in ipairs(given.snapshots) do
  redis.call('ZADD', key('jobs:holders:' .. snapshot), now, given.process)
  redis.call('PEXPIRE', key('jobs:holders:' .. snapshot), given.leaseMs)
end
local live = { [given.claim] = true }
for _, claim in ipairs(given.live) do live[claim] = true end
local mine = redis.call('HGETALL', key('jobs:of:' .. given.process))
for at = 1, #mine, 2 do
  if not live[mine[at + 1]] then requeue(mine[at]) end
end
for _, each in ipairs(redis.call('ZRANGEBYSCORE', processes, '-inf', now)) do
  for _, id in ipairs(redis.call('HKEYS', key('jobs:of:' .. each))) do
    requeue(id)
  end
  redis.call('DEL', key('jobs:of:' .. each))
  redis.call('ZREM', processes, each)
end
local missing = {}
for _, snapshot in ipairs(redis.call('SMEMBERS', key('jobs:queues'))) do
  local holders = redis.call('ZCOUNT', key('jobs:holders:' .. snapshot), now - given.leaseMs, '+inf')
  if holders == 0 then missing[#missing + 1] = snapshot end
end
return missing
`,
);

/** Returns the jobs of a process that leaves. The first beat after its lease removes the process itself. */
export const DEPART = luaScript(
  "jobs-depart",
  `${JOB_LUA}${GIVEN}
for _, id in ipairs(redis.call('HKEYS', key('jobs:of:' .. given.process))) do requeue(id) end
for _, snapshot in ipairs(redis.call('SMEMBERS', key('jobs:queues'))) do
  redis.call('ZREM', key('jobs:holders:' .. snapshot), given.process)
end
`,
);

/** The fields and values of a job of this account, or nothing. Another account's job takes the same time as none. */
export const FIND = luaScript(
  "jobs-find",
  `${JOB_LUA}${GIVEN}
if redis.call('HGET', jobKey(given.id), 'account') ~= given.account then return false end
return redis.call('HGETALL', jobKey(given.id))
`,
);

/** The newest jobs of an account, each with its id and the fields that a list shows. */
export const LIST_JOBS = luaScript(
  "jobs-list",
  `${JOB_LUA}${GIVEN}
local out = {}
for _, id in ipairs(redis.call('ZREVRANGE', key('jobs:all:' .. given.account), 0, given.limit - 1)) do
  local job = redis.call('HMGET', jobKey(id), 'status', 'request', 'created', 'finished', 'code')
  if job[1] then out[#out + 1] = { id, job[1], job[2], job[3], job[4] or '', job[5] or '' } end
end
return out
`,
);

/** The numbers of waiting and running jobs of all accounts. */
export const COUNTS = luaScript(
  "jobs-counts",
  `${JOB_LUA}
local queued, running = 0, 0
for _, each in ipairs(redis.call('SMEMBERS', key('jobs:queues'))) do
  queued = queued + redis.call('ZCARD', key('jobs:queue:' .. each))
end
for _, each in ipairs(redis.call('ZRANGE', key('jobs:processes'), 0, -1)) do
  running = running + redis.call('HLEN', key('jobs:of:' .. each))
end
return {queued, running}
`,
);
