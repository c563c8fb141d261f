import { luaScript } from "../../redis/lua-script.ts";
import { LEDGER_LUA } from "./ledger-lua.ts";

/** A server not heard from for this long is gone, and its last group need not be remembered. */
export const WRITER_KEPT_SECONDS = 30 * 86_400;

/** How many arguments `CHARGE` takes for each batch. */
const VALUES_PER_BATCH = 7;
/** What `CHARGE` answers for a batch it could not decide. */
export const GONE = -1;
export const CHANGED = -2;

/**
 * Begins a new connection of a server. From now on, anything that an earlier connection still had under way
 * is refused. ARGV: the server's hash, store id. Returns the store's id, the number of this connection, and
 * the last group of charges written.
 */
export const FENCE = luaScript(
  "fence",
  `
local store = redis.call('HGET', 'hs:store', 'id')
if store ~= ARGV[2] then return { store or '' } end
local fence = redis.call('HINCRBY', ARGV[1], 'fence', 1)
redis.call('EXPIRE', ARGV[1], ${WRITER_KEPT_SECONDS})
return { store, fence, redis.call('HGET', ARGV[1], 'group') or '0' }`,
);

/**
 * Checks that a group may still be written: the server's newest connection sent it, no later group came
 * first, and by Redis's clock somebody still waits for it. ARGV 1 to 5: the server's hash, store id,
 * connection number, group number, deadline.
 */
const GROUP_LUA = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local store = redis.call('HGET', 'hs:store', 'id')
if store ~= ARGV[2] then return { 'strange', now, store or '' } end
local last = redis.call('HMGET', ARGV[1], 'fence', 'group')
if last[1] ~= ARGV[3] or tonumber(last[2] or '0') >= tonumber(ARGV[4]) then return { 'stale', now } end
if now > tonumber(ARGV[5]) then return { 'late', now } end
`;

/**
 * `fitting(used, limit, asked)`: the units and the number of the charges that fit, in the order they came.
 * `asked` lists units separated by commas.
 */
const FITTING_LUA = `
local function fitting(used, limit, asked)
  local total, count = 0, 0
  for each in string.gmatch(asked, '%d+') do
    local units = tonumber(each)
    if used + total + units <= limit then
      total = total + units
      count = count + 1
    end
  end
  return total, count
end
`;

/**
 * Charges a group. ARGV from 6, for each batch of one account, period, day and endpoint: account key,
 * revision, field of the period, limit, calls key, field of the calls, and the units of each charge,
 * separated by commas. Charges are taken in the order they came; one that does not fit does not keep out a
 * smaller one after it.
 *
 * Returns "ok", the time, and for each batch the units used before it, or why it was not decided. The answer
 * is stored with the group's number, so that a group whose answer was lost can be taken back.
 */
export const CHARGE = luaScript(
  "charge",
  `${LEDGER_LUA}${FITTING_LUA}${GROUP_LUA}
local out = { 'ok', now }
for i = 6, #ARGV, ${VALUES_PER_BATCH} do
  local used, why = standing(ARGV[i], ARGV[i + 1], ARGV[i + 2])
  if used then
    local total, count = fitting(used, tonumber(ARGV[i + 3]), ARGV[i + 6])
    spend(ARGV[i], ARGV[i + 2], total)
    count_calls(ARGV[i + 4], ARGV[i + 5], count, total)
    out[#out + 1] = used
  else
    out[#out + 1] = why == 'gone' and ${GONE} or ${CHANGED}
  end
end
redis.call('HSET', ARGV[1], 'group', ARGV[4], 'answer', table.concat(out, ',', 3))
return out`,
);

/**
 * Takes back a group whose answer nobody heard, if it was written. Taking back is a group of its own, with
 * the next number, which is reserved for it: so it is done once, whoever does it. ARGV 1 to 4: the server's
 * hash, store id, the group's number, its deadline; from 5 the arguments of `CHARGE`. Returns "settled";
 * "early" while the group may still come; or "strange" if this is another store.
 */
export const TAKE_BACK = luaScript(
  "take-back",
  `${LEDGER_LUA}${FITTING_LUA}
if redis.call('HGET', 'hs:store', 'id') ~= ARGV[2] then return 'strange' end
local last = redis.call('HMGET', ARGV[1], 'group', 'answer')
local group, number = tonumber(last[1] or '0'), tonumber(ARGV[3])
if group > number then return 'settled' end
if group < number then
  local time = redis.call('TIME')
  return time[1] * 1000 + time[2] / 1000 > tonumber(ARGV[4]) + 1 and 'settled' or 'early'
end
local i = 5
for answered in string.gmatch(last[2], '-?%d+') do
  local used = tonumber(answered)
  if used >= 0 and redis.call('EXISTS', ARGV[i]) == 1 then
    local total, count = fitting(used, tonumber(ARGV[i + 3]), ARGV[i + 6])
    spend(ARGV[i], ARGV[i + 2], -total)
    count_calls(ARGV[i + 4], ARGV[i + 5], -count, -total)
  end
  i = i + ${VALUES_PER_BATCH}
end
redis.call('HSET', ARGV[1], 'group', string.format('%.0f', number + 1), 'answer', '')
return 'settled'`,
);

/**
 * Writes again what Redis answered and then lost. ARGV from 6, for each: account key, field of the period,
 * units, calls key, field of the calls, calls.
 */
export const REPAIR = luaScript(
  "repair",
  `${LEDGER_LUA}${GROUP_LUA}
for i = 6, #ARGV, 6 do
  if redis.call('EXISTS', ARGV[i]) == 1 then
    spend(ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2]))
    count_calls(ARGV[i + 3], ARGV[i + 4], tonumber(ARGV[i + 5]), tonumber(ARGV[i + 2]))
  end
end
redis.call('HSET', ARGV[1], 'group', ARGV[4], 'answer', '')
return { 'ok', now }`,
);
