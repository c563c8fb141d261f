import { luaScript } from "../../redis/lua-script.ts";
import { LEDGER_LUA } from "../../accounts/redis/ledger-lua.ts";
import { JOB_LUA } from "./job-lua.ts";

/**
 * Every change of a job is one script, so Redis does all of it or none. A script takes one JSON text,
 * `given`; a result, which is binary, is the second argument.
 */
const GIVEN = "local given = cjson.decode(ARGV[1])\n";

/**
 * Gives a job's units back to the period that paid for them, and takes them out of the day's calls, unless they
 * were given `back` before. The call itself stays counted, unless `forget` says that no caller heard of the job.
 */
const REFUND = `
local function refund(id, forget, back)
  local paid = redis.call('HMGET', jobKey(id), 'account', 'period', 'units', 'calls')
  local units = back and 0 or tonumber(paid[3])
  spend('hs:account:' .. paid[1], paid[2], -units)
  forget_calls(paid[1], paid[4], forget and 1 or 0, units)
end
`;

/** A process not heard from for this long has no submission under way any more. */
export const FENCE_KEPT_SECONDS = 30 * 86_400;

/** Of how many repeats of its key a job knows; beyond this, one of them is taken to have been answered. */
const REPEATS_MAX = 64;
/** What a job has in place of their list then. */
const TOLD = "1";

/**
 * A job's repeats that were told of it, so far as is known: `told` lists the ids they had drawn, as in ",7,8,".
 * `untell` leaves one out and returns whether it was listed, and was the last.
 */
const TELL = `
local function tell(id, one)
  local told = redis.call('HGET', jobKey(id), 'told') or ','
  if told == '${TOLD}' then return end
  local _, commas = string.gsub(told, ',', '')
  redis.call('HSET', jobKey(id), 'told', commas > ${REPEATS_MAX} and '${TOLD}' or told .. one .. ',')
end

local function untell(id, one)
  local told = redis.call('HGET', jobKey(id), 'told')
  local from, to = string.find(told or '', ',' .. one .. ',', 1, true)
  if not from then return false end
  local others = string.sub(told, 1, from) .. string.sub(told, to + 1)
  if others == ',' then
    redis.call('HDEL', jobKey(id), 'told')
    return true
  end
  redis.call('HSET', jobKey(id), 'told', others)
  return false
end
`;

/** Begins a process's new connection: submissions of earlier ones are refused. Returns its number. */
export const FENCE_JOBS = luaScript(
  "jobs-fence",
  `${JOB_LUA}${GIVEN}
local fence = redis.call('INCR', key('jobs:fence:' .. given.process))
redis.call('EXPIRE', key('jobs:fence:' .. given.process), ${FENCE_KEPT_SECONDS})
return fence
`,
);

/**
 * Takes a job in: looks up the Idempotency-Key, counts the account's jobs, charges the units, and queues the
 * job. If it comes from an earlier connection, its caller was answered 503, and it changes nothing.
 */
export const SUBMIT = luaScript(
  "jobs-submit",
  `${JOB_LUA}${LEDGER_LUA}${TELL}${GIVEN}
if redis.call('GET', key('jobs:fence:' .. given.process)) ~= given.fence then return {'stale'} end
local account = 'hs:account:' .. given.account
local used, missing = used_in(account, given.rev, given.period)
if not used then return {missing} end
local keyed = given.keyDigest ~= '' and key('jobs:key:' .. given.account .. ':' .. given.keyDigest)
if keyed then
  local known = redis.call('HMGET', keyed, 'job', 'fingerprint', 'created')
  local attribution = known[1] and given.nowMs - known[3] < given.keyKeptMs
    and redis.call('HGET', jobKey(known[1]), 'attribution')
  if attribution then
    if known[2] ~= given.fingerprint then return {'key_reused'} end
    tell(known[1], given.id)
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
local last = redis.call('ZRANGE', open, -1, -1, 'WITHSCORES')
local turn = 1 + math.max(tonumber(redis.call('GET', key('jobs:turn')) or 0), tonumber(last[2] or 0))
local text = string.format('%.0f', turn)
redis.call('HSET', jobKey(given.id), 'account', given.account, 'status', 'queued', 'request', given.request,
  'snapshot', given.snapshot, 'attribution', given.attribution, 'turn', text, 'attempt', 0,
  'created', given.createdText, 'period', given.period, 'units', given.units, 'calls', given.calls)
redis.call('ZADD', open, text, given.id)
enqueue(given.id, given.snapshot, text)
if keyed then
  redis.call('HSET', keyed, 'job', given.id, 'fingerprint', given.fingerprint, 'created', given.createdText)
  redis.call('PEXPIRE', keyed, given.keyKeptMs)
end
return {'accepted', given.id, given.attribution, used + given.units}
`,
);

/**
 * Undoes submissions whose answer was lost, if they were taken in: it is as if the jobs had never been, and
 * a key whose job is gone counts for nothing. A job stays if a repeat of its Idempotency-Key was told about it,
 * until it is known that this answer was lost too. `keyed` names the key of each submission, or "".
 */
export const TAKE_BACK_JOBS = luaScript(
  "jobs-take-back",
  `${JOB_LUA}${LEDGER_LUA}${REFUND}${TELL}${GIVEN}
local function withdraw(id)
  local job = redis.call('HMGET', jobKey(id), 'status', 'account', 'snapshot', 'process')
  refund(id, true, job[1] == 'error')
  dequeue(id, job[3])
  redis.call('ZREM', key('jobs:open:' .. job[2]), id)
  if job[4] then redis.call('HDEL', key('jobs:of:' .. job[4]), id) end
  redis.call('DEL', jobKey(id))
end
-- Its caller did not get the acceptance.
local function accepted_unheard(id)
  if redis.call('HEXISTS', jobKey(id), 'told') == 0 then return withdraw(id) end
  redis.call('HSET', jobKey(id), 'unheard', 1)
end
local function repeated_unheard(id, keyed)
  local first = redis.call('HGET', key('jobs:key:' .. keyed), 'job')
  if not first or not untell(first, id) then return end
  if redis.call('HEXISTS', jobKey(first), 'unheard') == 1 then withdraw(first) end
end
for n, id in ipairs(given.ids) do
  if redis.call('EXISTS', jobKey(id)) == 1 then accepted_unheard(id)
  elseif given.keyed[n] ~= '' then repeated_unheard(id, given.keyed[n]) end
end
`,
);

/** Hands out the waiting job with the first turn, of those on the given snapshots. Equal turns go by id. */
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
local job = redis.call('HMGET', jobKey(id), 'request', 'created', 'losses')
return {id, attempt, snapshot, job[1], job[2], job[3]}
`,
);

/** Ends a job if the claim still holds: with its result, or in error and refunded. */
export const FINISH = luaScript(
  "jobs-finish",
  `${JOB_LUA}${LEDGER_LUA}${REFUND}${GIVEN}
if not holds(given.id, given.attempt) then return 0 end
local job = redis.call('HMGET', jobKey(given.id), 'account', 'process')
if given.code then
  redis.call('HSET', jobKey(given.id), 'code', given.code, 'message', given.message)
  refund(given.id)
else
  redis.call('HSET', jobKey(given.id), 'result', ARGV[2])
end
redis.call('HSET', jobKey(given.id), 'status', given.code and 'error' or 'done', 'finished', given.finishedText)
redis.call('HDEL', key('jobs:of:' .. job[2]), given.id)
redis.call('ZREM', key('jobs:open:' .. job[1]), given.id)
redis.call('PEXPIRE', jobKey(given.id), given.keptMs)
return 1
`,
);

/** Puts a claimed job back into the queue. */
export const RELEASE = luaScript(
  "jobs-release",
  `${JOB_LUA}${GIVEN}
if not holds(given.id, given.attempt) then return end
requeue(given.id)
redis.call('HINCRBY', jobKey(given.id), 'losses', given.losses)
`,
);

/**
 * Records that a process lives and which snapshots it has. Queues lost jobs again: those of processes whose
 * lease ended, and those handed to this process in an answer that never reached it. If no process was heard from
 * for half a lease, Redis was away or its clock jumped: then every lease begins anew. Also returns snapshots
 * that jobs wait for and that no process says it has.
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
redis.call('EXPIRE', key('jobs:fence:' .. given.process), ${FENCE_KEPT_SECONDS})
for _, snapshot in ipairs(given.snapshots) do notePresence(snapshot, given.process, now, given.leaseMs) end
local live = { [given.claim] = true }
for _, claim in ipairs(given.live) do live[claim] = true end
local again = 0
local mine = redis.call('HGETALL', key('jobs:of:' .. given.process))
for at = 1, #mine, 2 do
  if not live[mine[at + 1]] and requeue(mine[at]) then again = again + 1 end
end
for _, each in ipairs(redis.call('ZRANGEBYSCORE', processes, '-inf', now)) do
  for _, id in ipairs(redis.call('HKEYS', key('jobs:of:' .. each))) do
    if requeue(id) then again = again + 1 end
  end
  redis.call('DEL', key('jobs:of:' .. each))
  redis.call('ZREM', processes, each)
end
local missing = {}
for _, snapshot in ipairs(redis.call('SMEMBERS', key('jobs:queues'))) do
  if not held(snapshot, now, given.leaseMs) then missing[#missing + 1] = snapshot end
end
return {again, missing}
`,
);

/** Puts back what a process holds, because it is leaving. The next beat after its lease forgets it. */
export const DEPART = luaScript(
  "jobs-depart",
  `${JOB_LUA}${GIVEN}
for _, id in ipairs(redis.call('HKEYS', key('jobs:of:' .. given.process))) do requeue(id) end
for _, snapshot in ipairs(given.snapshots) do
  redis.call('ZREM', key('jobs:holders:' .. snapshot), given.process)
end
`,
);

/** A job of this account: its fields and values, or nothing. Another account's job costs the same as none. */
export const FIND = luaScript(
  "jobs-find",
  `${JOB_LUA}${GIVEN}
if redis.call('HGET', jobKey(given.id), 'account') ~= given.account then return false end
return redis.call('HGETALL', jobKey(given.id))
`,
);

/** How many jobs of all accounts wait, and how many run. */
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

export const JOB_SCRIPTS = [
  FENCE_JOBS,
  SUBMIT,
  TAKE_BACK_JOBS,
  CLAIM,
  FINISH,
  RELEASE,
  BEAT,
  DEPART,
  FIND,
  COUNTS,
] as const;
