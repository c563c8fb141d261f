/** Calls of a month are kept for as long as the embedded store keeps theirs, and the month itself. */
const CALLS_KEPT_SECONDS = (31 + 62) * 86_400;

/**
 * The ledger inside Lua scripts: put before a script that charges accounts, with whatever else it does.
 *
 * - `standing(account, rev, field)`: units used; or nil and why not: "gone" (no such account: this is not the Redis
 *   that was) or "changed" (the account is not as the caller read it: read it again and repeat).
 * - `spend(account, field, units)`: adds units to a period, or takes them back where negative.
 * - `count_calls(calls, field, count, units)`: adds charged calls to the account's days.
 * - `take_units(calls, field, count, units)`: takes units out of a day that is still kept, with as many of its calls.
 *
 * `account` and `calls` are full key names, `field` is `used:ENV:PERIOD`. A script that charges first asks
 * `standing`, then compares with the limit it was given, then calls the other two.
 */
export const LEDGER_LUA = `
local function standing(account, rev, field)
  local got = redis.call('HMGET', account, 'rev', field)
  if not got[1] then return nil, 'gone' end
  if got[1] ~= rev then return nil, 'changed' end
  return tonumber(got[2] or '0')
end

local function spend(account, field, units)
  if units == 0 then return end
  local now = redis.call('HINCRBY', account, field, string.format('%.0f', units))
  if now < 0 then redis.call('HSET', account, field, '0') end
end

local function count_calls(calls, field, count, units)
  if count == 0 then return end
  local now = redis.call('HINCRBY', calls, field, count)
  if now == count then redis.call('EXPIRE', calls, ${CALLS_KEPT_SECONDS}) end
  if units ~= count then
    redis.call('HINCRBY', calls, field .. '|more', string.format('%.0f', units - count))
  end
end

local function take_units(calls, field, count, units)
  if redis.call('EXISTS', calls) == 0 then return end
  redis.call('HINCRBY', calls, field, 0 - count)
  redis.call('HINCRBY', calls, field .. '|more', string.format('%.0f', count - units))
end
`;
