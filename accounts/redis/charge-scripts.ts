import { luaScript } from "./lua-script.ts";
import { LEDGER_LUA, RATE_LUA } from "./ledger-lua.ts";

/** A server silent for this long is gone, and its last group need not be remembered. */
export const WRITER_KEPT_SECONDS = 30 * 86_400;

/** The reply of a script that refuses a group: JSON, as every reply to a group. */
export const REFUSED = "[0]";
/** The reply of `CHARGE` for an account that has changed or does not exist. */
export const CHANGED = -2;
/** Instead of a rate limit: the calls were counted before. */
export const COUNTED_LIMIT = -1;
/** The letter of an account's first kind of call. */
export const FIRST_KIND = "0";

/**
 * Registers a new connection of a server. Whatever an earlier connection still has under way is refused from now on. ARGV:
 * the server's key. Returns the number of this connection, the number of the last group that was written, and its answer.
 */
export const FENCE = luaScript(
  "fence",
  `
local fence = redis.call('HINCRBY', ARGV[1], 'fence', 1)
redis.call('EXPIRE', ARGV[1], ${WRITER_KEPT_SECONDS})
local last = redis.call('HMGET', ARGV[1], 'group', 'answer')
return { fence, tonumber(last[1] or '0'), last[2] or '' }`,
);

/**
 * Refuses a group unless the server's newest connection sent it and no later group came first. ARGV 1 to 4: the
 * server's key, connection number, group number, and a JSON array, which becomes `values`.
 */
const GROUP_LUA = `
local last = redis.call('HMGET', ARGV[1], 'fence', 'group')
if last[1] ~= ARGV[2] or tonumber(last[2] or '0') >= tonumber(ARGV[3]) then return '${REFUSED}' end
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local values = cjson.decode(ARGV[4])
`;

/**
 * Decides rate and quota of a group's calls and charges those that pass. The values are a list for each account: id,
 * revision, rate limit (or `COUNTED_LIMIT`), order, and its kinds of call. A kind is a list: the field of its period, the
 * quota, the field of its calls, and the units of a call. The order has a letter for each call, of its kind. A
 * call that does not fit into the quota does not keep out a smaller one after it.
 *
 * Returns 1 (0 if the group was refused), and a list for each account: `CHANGED`, or how many calls were admitted, how many
 * are then in the rate limit window, and the result of `rate_wait`; then for each kind the units used before and how many
 * calls were charged. The answer is stored with the group's number, so that a group whose answer was lost can be reversed.
 */
export const CHARGE = luaScript(
  "charge",
  `${LEDGER_LUA}${RATE_LUA}${GROUP_LUA}
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
 * Changes counts without a decision: it repeats what Redis had answered and then lost, and reverses what was answered 503.
 * Each of the values is an `Adjustment`.
 */
export const ADJUST = luaScript(
  "adjust",
  `${LEDGER_LUA}${RATE_LUA}${GROUP_LUA}
for _, each in ipairs(values) do
  local id, admitted = each.accountId, each.admitted
  local account = 'hs:account:' .. id
  if redis.call('EXISTS', account) == 1 then
    spend(account, each.used, each.units)
    count_calls(id, each.calls, each.count, each.units)
    local window = rate_window(id, redis.call('HGET', account, 'rate'), now)
    if admitted < 0 then rate_undo(window, -admitted) else rate_admit(window, math.huge, admitted, now) end
    redis.call('HSET', account, 'rate', rate_packed(window))
  end
end
redis.call('HSET', ARGV[1], 'group', ARGV[3], 'answer', '')
return '[1]'`,
);
