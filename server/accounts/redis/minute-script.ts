import { luaScript } from "../../redis/lua-script.ts";
import { RATE_WINDOW_MS } from "../rate.ts";

/**
 * The per-minute rate as an exact sliding window, decided for all servers by Redis and its clock.
 *
 * An account's admissions of the last minute are a list of `INSTANT:TOTAL`, oldest first: a millisecond, and
 * how many requests had been admitted in total by its end. The number admitted after an entry is therefore
 * the difference between its total and that of the list's last entry, and no separate count is kept. The
 * first entry only serves as the base that the others are counted from.
 *
 * As in `RateLimiter`, instants are rounded up to whole milliseconds and leave 60,000 ms later, never early.
 * An account has one entry per millisecond in which it was admitted, so never more than 60,002. A list that
 * nobody adds to for a window expires.
 *
 * If Redis's clock was set back, entries lie in the future. They then count as of now and leave a window
 * later.
 *
 * ARGV: for each account its list, its limit and how many requests ask. Returns for each: how many of them
 * are admitted; the admissions in the window after them; and the microseconds until the next request has room
 * or, if there is room, until the oldest admission leaves.
 */
export const ADMIT = luaScript(
  "admit",
  `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local window = ${RATE_WINDOW_MS}

local function parse(entry)
  local at, total = string.match(entry, '^(%d+):(%d+)$')
  return tonumber(at), tonumber(total)
end

local function text(at, total) return string.format('%.0f:%.0f', at, total) end

-- The instant of the entry with which this many of the admissions behind the base have left.
local function leaving(list, base, count)
  local low, high = 1, redis.call('LLEN', list) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    local _, total = parse(redis.call('LINDEX', list, middle))
    if total - base >= count then high = middle else low = middle + 1 end
  end
  local at = parse(redis.call('LINDEX', list, low))
  return at
end

local out = {}
for i = 1, #ARGV, 3 do
  local list, limit, asked = ARGV[i], tonumber(ARGV[i + 1]), tonumber(ARGV[i + 2])
  local base, total, last = 0, 0, 0
  local first = redis.call('LINDEX', list, 0)
  if first then
    local _, before = parse(first)
    base = before
    last, total = parse(redis.call('LINDEX', list, -1))
    local oldest = redis.call('LINDEX', list, 1)
    while oldest do
      local at, upto = parse(oldest)
      if now - at < window then break end
      redis.call('LPOP', list)
      base = upto
      oldest = redis.call('LINDEX', list, 1)
    end
    local latest = math.ceil(now)
    if last > latest then
      redis.call('DEL', list)
      redis.call('RPUSH', list, text(0, base))
      if total > base then redis.call('RPUSH', list, text(latest, total)) end
      redis.call('PEXPIRE', list, window + 2)
      last = latest
    end
  end
  local admitted = math.max(0, math.min(asked, limit - (total - base)))
  if admitted > 0 then
    local at = math.ceil(now)
    if not first then redis.call('RPUSH', list, text(0, 0)) end
    total = total + admitted
    if total - admitted > base and last == at then
      redis.call('LSET', list, -1, text(at, total))
    else
      redis.call('RPUSH', list, text(at, total))
    end
    redis.call('PEXPIRE', list, window + 2)
  end
  local count = total - base
  local wait = 0
  if count > 0 then
    wait = leaving(list, base, math.max(1, count - limit + 1)) + window - now
  end
  out[#out + 1] = admitted
  out[#out + 1] = count
  out[#out + 1] = math.ceil(wait * 1000)
end
return out`,
);
