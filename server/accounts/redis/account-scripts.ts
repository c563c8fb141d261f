import { luaScript } from "../../redis/lua-script.ts";

/** ARGV: an account's hash, the calls of a month, its id. Returns hash, calls, and keys, oldest first. */
export const READ_ACCOUNT = luaScript(
  "read-account",
  `
local keys = {}
for _, id in ipairs(redis.call('ZRANGE', 'hs:account-keys:' .. ARGV[3], 0, -1)) do
  local hash = redis.call('HGET', 'hs:key-ids', id)
  if hash then keys[#keys + 1] = redis.call('HGETALL', 'hs:key:' .. hash) end
end
return { redis.call('HGETALL', ARGV[1]), redis.call('HGETALL', ARGV[2]), keys }`,
);
