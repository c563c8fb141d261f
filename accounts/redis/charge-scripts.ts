import { luaScript } from "./lua-script.ts";
import { LEDGER_LUA, RATE_LUA } from "./ledger-lua.ts";

/** A server silent for this long is gone, and its last group need not be remembered. */
export const WRITER_KEPT_SECONDS = 30 * 86_400;

/** The reply of `CHARGE` to a group that it refuses. */
export const REFUSED = "[0]";
/** The reply of `CHARGE` for an account that has changed or does not exist. */
export const CHANGED = -2;
/** Instead of a rate limit: the calls were counted before. */
export const COUNTED_LIMIT = -1;
/** The letter of an account's first kind of call. */
export const FIRST_KIND = "0";

/**
 * Decides rate and quota of a group's calls and charges those that pass, or refuses a group that the server's newest
 * connection did not send. ARGV: the server's key, the connection's number, the group's number and its values as JSON, a
 * list for each account: id, revision, rate limit (or `COUNTED_LIMIT`), order, and its kinds of call. A kind is a list: the
 * field of its period, the quota, the field of its calls, and the units of a call. The order has a letter for each call, of
 * its kind. A call that does not fit into the quota does not keep out a smaller one after it.
 *
 * Returns JSON: 1 (or `REFUSED`), and a list for each account: `CHANGED`, or how many calls were admitted, how many are then
 * in the rate limit window, and the result of `rate_wait`; then for each kind the units used before and how many calls were
 * charged. The answer is stored with the group's number, so that a group whose answer was lost can be reversed.
 */
export const CHARGE = luaScript(
  "charge",
  `${LEDGER_LUA}${RATE_LUA}
if redis.call('HGET', ARGV[1], 'fence') ~= ARGV[2] then return '${REFUSED}' end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local values = cjson.decode(ARGV[4])
local out = { 1 }
for n = 1, #values do
  local id, rev, limit, order, kinds = unpack(values[n])
  local account = 'hs:account:' .. id
  local fields = { 'rev', 'rate', kinds[1][1] }
  for k = 2, #kinds do fields[k + 2] = kinds[k][1] end
  local got = redis.call('HMGET', account, unpack(fields))
  if got[1] ~= rev then
    out[n + 1] = { ${CHANGED} }
  else
    local window = rate_window(id, got[2], now)
    local counted = limit == ${COUNTED_LIMIT}
    local admitted = counted and #order or rate_admit(window, limit, #order, now)
    local answer = { admitted, window.total - window.base, rate_wait(window, limit, now), 0, 0 }
    local used = {}
    for k = 1, #kinds do
      local before = tonumber(got[k + 2] or '0')
      used[kinds[k][1]] = before
      answer[2 * k + 2] = before
      answer[2 * k + 3] = 0
    end
    for call = 1, admitted do
      local k = string.byte(order, call) - ${FIRST_KIND.charCodeAt(0) - 1}
      local field, quota, _, units = unpack(kinds[k])
      if units > 0 and used[field] + units <= quota then
        used[field] = used[field] + units
        answer[2 * k + 3] = answer[2 * k + 3] + 1
      end
    end
    for k = 1, #kinds do
      local charged = answer[2 * k + 3]
      count_calls(id, kinds[k][3], charged, charged * kinds[k][4])
    end
    local set = { 'rate', rate_packed(window) }
    for field, count in pairs(used) do
      set[#set + 1] = field
      set[#set + 1] = count
    end
    redis.call('HSET', account, unpack(set))
    out[n + 1] = answer
  end
end
local answer = cjson.encode(out)
redis.call('HSET', ARGV[1], 'group', ARGV[3], 'answer', answer)
return answer`,
);

/**
 * Registers a new connection of a server: groups of its earlier ones are refused from now on. If the last group's answer was
 * lost, what it changed is reversed, once. ARGV: the server's key, the connection's number, and the number and values of that
 * group, or 0 and an empty list.
 */
export const CONNECT = luaScript(
  "connect",
  `${LEDGER_LUA}${RATE_LUA}
local last = redis.call('HMGET', ARGV[1], 'group', 'answer')
redis.call('HSET', ARGV[1], 'fence', ARGV[2])
redis.call('EXPIRE', ARGV[1], ${WRITER_KEPT_SECONDS})
if last[1] ~= ARGV[3] then return end
redis.call('HDEL', ARGV[1], 'group', 'answer')
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local answer = cjson.decode(last[2])
for n, values in ipairs(cjson.decode(ARGV[4])) do
  local id, _, limit, _, kinds = unpack(values)
  local account, reply = 'hs:account:' .. id, answer[n + 1]
  if reply[1] ~= ${CHANGED} and redis.call('EXISTS', account) == 1 then
    for k, kind in ipairs(kinds) do
      local field, _, calls, units = unpack(kind)
      local count = reply[2 * k + 3]
      spend(account, field, -count * units)
      count_calls(id, calls, -count, -count * units)
    end
    if limit ~= ${COUNTED_LIMIT} then
      local window = rate_window(id, redis.call('HGET', account, 'rate'), now)
      rate_undo(window, reply[1])
      redis.call('HSET', account, 'rate', rate_packed(window))
    end
  end
end`,
);
