import { RATE_WINDOW_MS } from "../rate-window.ts";

/** The calls of a month are kept as long as in the embedded store, plus the month itself. */
const CALLS_KEPT_SECONDS = (31 + 62) * 86_400;

/**
 * The ledger for Lua scripts that charge accounts.
 *
 * - `used_in(account, rev, field)`: units used; nil if the account has changed, so that the caller must read it again.
 * - `spend(account, field, units)`: adds units to a period, or with negative units gives them back.
 * - `count_calls(id, field, count, units)`: adds charged calls, or with negative numbers takes them back.
 * - `forget_calls(id, field, count, units)`: takes them back, if the day is still kept.
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

/**
 * The rate limit as an exact sliding window, decided for all servers by Redis and its clock.
 *
 * An account's admissions of the last 60 seconds are a list of pairs, oldest first: a millisecond, and the total of
 * admissions by its end. The account's field `rate` has the total, the instant of the last pair, the total before the
 * first pair, and the instant of the first pair, so that the list is read only when a pair leaves the window. Numbers are
 * packed as doubles, because writing them as text takes Lua longer than the rest. Instants are rounded up to whole
 * milliseconds and leave 60,000 ms later, never early. There is one pair per millisecond with an admission, so never more
 * than 60,001. If Redis's clock was set back, pairs lie in the future and count as of now.
 *
 * - `rate_window(id, packed, now)`: the window at an instant, from the field.
 * - `rate_admit(window, limit, asked, now)`: admits what there is room for, and returns how many.
 * - `rate_undo(window, count)`: takes admissions back. The oldest leave early in their place, so that never too few are
 *   counted.
 * - `rate_wait(window, limit, now)`: microseconds until the next request has room or, if there is room, until the
 *   oldest admission leaves.
 * - `rate_packed(window)`: the field.
 */
export const RATE_LUA = `
local RATE_WINDOW = ${RATE_WINDOW_MS}

local function rate_pair(window, index)
  local pair = redis.call('LINDEX', window.list, index)
  if pair then return struct.unpack('dd', pair) end
end

local function rate_push(window, at)
  redis.call('RPUSH', window.list, struct.pack('dd', at, window.total))
  -- Once a window at most: the list must outlive its last pair's window.
  if math.floor(at / RATE_WINDOW) ~= math.floor(window.last / RATE_WINDOW) then
    redis.call('PEXPIRE', window.list, 3 * RATE_WINDOW)
  end
  window.last = at
end

local function rate_window(id, packed, now)
  local total, last, base, oldest = 0, 0, 0, 0
  if packed then total, last, base, oldest = struct.unpack('dddd', packed) end
  local window = { list = 'hs:rate:' .. id, total = total, last = last, base = base, oldest = oldest }
  if last > math.ceil(now) then
    redis.call('DEL', window.list)
    window.oldest, window.last = math.ceil(now), 0
    if total > base then rate_push(window, window.oldest) end
  elseif total > base and now - last >= RATE_WINDOW then
    redis.call('DEL', window.list)
    window.base = total
  end
  while window.total > window.base and now - window.oldest >= RATE_WINDOW do
    local at, upto = rate_pair(window, 0)
    if at and now - at < RATE_WINDOW then
      window.oldest = at
    else
      redis.call('LPOP', window.list)
      window.base = math.max(window.base, upto or window.total)
    end
  end
  return window
end

local function rate_admit(window, limit, asked, now)
  local before = window.total - window.base
  local admitted = math.max(0, math.min(asked, limit - before))
  if admitted == 0 then return 0 end
  local at = math.ceil(now)
  window.total = window.total + admitted
  if before == 0 then window.oldest = at end
  if before > 0 and window.last == at then
    redis.call('LSET', window.list, -1, struct.pack('dd', at, window.total))
  else
    rate_push(window, at)
  end
  return admitted
end

local function rate_undo(window, count)
  window.base = math.min(window.total, window.base + count)
end

local function rate_wait(window, limit, now)
  local count = window.total - window.base
  if count == 0 then return 0 end
  local leaving, at = count - limit + 1, window.oldest
  if leaving > 1 then
    -- The limit was lowered: the first pair with which this many have left.
    local low, high = 0, redis.call('LLEN', window.list) - 1
    while low < high do
      local middle = math.floor((low + high) / 2)
      local _, upto = rate_pair(window, middle)
      if upto - window.base >= leaving then high = middle else low = middle + 1 end
    end
    at = rate_pair(window, low) or at
  end
  return math.ceil((at + RATE_WINDOW - now) * 1000)
end

local function rate_packed(window)
  return struct.pack('dddd', window.total, window.last, window.base, window.oldest)
end
`;
