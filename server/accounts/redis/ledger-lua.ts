/** The calls of a month are kept as long as the embedded store keeps them, plus the month itself. */
const CALLS_KEPT_SECONDS = (31 + 62) * 86_400;

/**
 * The ledger for Lua scripts, put before every script that charges accounts.
 *
 * - `used_in(account, rev, field)`: units used; nil if the account is not as the caller read it: read it again and repeat.
 * - `spend(account, field, units)`: adds units to a period; negative units are given back.
 * - `count_calls(id, field, count, units)`: adds charged calls, or with negative numbers takes them back.
 * - `forget_calls(id, field, count, units)`: takes them back if the day is still kept.
 *
 * `account` is a full key name and `id` an account's, `field` is `used:ENV:PERIOD` or `DAY|ENV|ENDPOINT`.
 */
export const LEDGER_LUA = `
local function used_in(account, rev, field)
  local got = redis.call('HMGET', account, 'rev', field)
  if got[1] == rev then return tonumber(got[2] or '0') end
end

local function spend(account, field, units)
  if units == 0 then return end
  local now = redis.call('HINCRBY', account, field, string.format('%.0f', units))
  if now < 0 then redis.call('HSET', account, field, '0') end
end

local function calls_of(id, field)
  return 'hs:calls:' .. id .. ':' .. string.sub(field, 1, ${"YYYY-MM".length})
end

local function count_calls(id, field, count, units)
  if count == 0 then return end
  local calls = calls_of(id, field)
  local now = redis.call('HINCRBY', calls, field, count)
  if now == count then redis.call('EXPIRE', calls, ${CALLS_KEPT_SECONDS}) end
  if units ~= count then
    redis.call('HINCRBY', calls, field .. '|more', string.format('%.0f', units - count))
  end
end

local function forget_calls(id, field, count, units)
  local calls = calls_of(id, field)
  if not redis.call('HGET', calls, field) then return end
  if count > 0 then redis.call('HINCRBY', calls, field, -count) end
  redis.call('HINCRBY', calls, field .. '|more', string.format('%.0f', count - units))
end
`;
