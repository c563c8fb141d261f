/**
 * What the job scripts share. Keys, all under `hs:` and made inside the scripts, which one Redis allows (a cluster
 * would not):
 *
 *   job:<id>             hash: the job, its payment, and its result when it is done; goes 30 days after its end
 *   jobs:tried:<account>:<scope>  sorted set: sets of parameters of jobs that are done, by when they are forgotten
 *   jobs:open:<account>  sorted set: the account's jobs that are queued or running, by turn
 *   jobs:all:<account>   sorted set: the account's jobs by the instant they were accepted; some may be gone
 *   jobs:key:<account>:<digest>  hash: what an Idempotency-Key was used for; goes after 24 hours
 *   jobs:queue:<snapshot> sorted set: jobs that wait for a process that has this snapshot, by turn
 *   jobs:queues          set: snapshots whose queue is not empty
 *   jobs:turn            the turn being served
 *   jobs:of:<process>    hash: jobs this process runs, each with the number of the claim that took it
 *   jobs:processes       sorted set: processes by the instant their lease ends
 *   jobs:holders:<snapshot> sorted set: processes that have this snapshot, by when they last reported it
 *   jobs:fence:<process> the number of a process's newest connection for submissions
 *   jobs:beat            the instant any process was last heard of
 *
 * Instants that processes must agree on are Redis's own. Times that callers see are the process's.
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

-- Whether a job is still in the hands of this claim.
local function holds(id, attempt)
  local job = redis.call('HMGET', jobKey(id), 'status', 'attempt')
  return job[1] == 'running' and job[2] == attempt
end
`;
