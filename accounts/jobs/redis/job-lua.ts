/**
 * Lua functions that the job scripts share. The keys, all under `hs:`, are built inside the scripts, which is possible on
 * a single Redis and would not be on a cluster:
 *
 *   job:<id>             hash: the job, its payment, and its result when it is done; expires 30 days after its end
 *   jobs:tried:<account>:<scope>  sorted set: parameter sets of jobs that are done, by when they expire
 *   jobs:open:<account>  sorted set: the account's queued and running jobs, by turn
 *   jobs:all:<account>   sorted set: the account's jobs by when they were accepted; some may no longer exist
 *   jobs:key:<account>:<digest>  hash: the use of an Idempotency-Key; expires after 24 hours
 *   jobs:queue:<snapshot> sorted set: jobs that wait for a process that holds this snapshot, by turn
 *   jobs:queues          set: snapshots whose queue is not empty
 *   jobs:turn            the turn being served
 *   jobs:of:<process>    hash: the jobs a process runs, each with the number of the claim that took it
 *   jobs:processes       sorted set: processes by when their lease ends
 *   jobs:holders:<snapshot> sorted set: processes that hold this snapshot, by when they last reported it
 *   jobs:fence:<process> the number of a process's newest connection for submissions
 *   jobs:beat            the instant of the last beat of any process
 *
 * Instants that processes must agree on come from Redis's clock. Instants that callers see come from the process's.
 */

export const JOB_LUA = `
local function key(name) return 'hs:' .. name end

local function jobKey(id) return key('job:' .. id) end

local function redisMs()
  local time = redis.call('TIME')
  return time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Puts a job into the queue at its turn.
local function enqueue(id, snapshot, turn)
  redis.call('ZADD', key('jobs:queue:' .. snapshot), turn, id)
  redis.call('SADD', key('jobs:queues'), snapshot)
end

local function dequeue(id, snapshot)
  redis.call('ZREM', key('jobs:queue:' .. snapshot), id)
  if redis.call('EXISTS', key('jobs:queue:' .. snapshot)) == 0 then
    redis.call('SREM', key('jobs:queues'), snapshot)
  end
end

-- Puts a running job back, as it was before it was claimed, at the turn it had.
local function requeue(id)
  local job = redis.call('HMGET', jobKey(id), 'status', 'process', 'snapshot', 'turn')
  if job[1] ~= 'running' then return end
  enqueue(id, job[3], job[4])
  redis.call('HSET', jobKey(id), 'status', 'queued')
  redis.call('HDEL', jobKey(id), 'process', 'started')
  redis.call('HDEL', key('jobs:of:' .. job[2]), id)
end

-- Whether this claim still holds the job.
local function holds(id, attempt)
  local job = redis.call('HMGET', jobKey(id), 'status', 'attempt')
  return job[1] == 'running' and job[2] == attempt
end
`;
