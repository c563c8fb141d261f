import { AccountsUnavailable } from "./accounts-unavailable.ts";
import { luaScript, type LuaScript } from "./lua-script.ts";
import type { RedisLink } from "./redis-link.ts";

/** ARGV: names of commands. Returns those that the user may not run on our keys and channels (Redis 7). */
export const FORBIDDEN = luaScript(
  "forbidden",
  `
local out = {}
for _, name in ipairs(redis.acl_check_cmd and ARGV or {}) do
  if not redis.acl_check_cmd(name, 'hs:rights', 'hs:rights') then out[#out + 1] = name end
end
return out`,
);

/**
 * Throws if the connection's user may not run a command that one of the scripts calls. A script that is
 * refused half-way has done its first half, which nothing undoes, so such a connection is not used at all.
 */
export async function checkRights(
  link: RedisLink,
  scripts: readonly LuaScript[],
  withinMs: number,
): Promise<void> {
  const called = scripts.flatMap(({ text }) => [...text.matchAll(/redis\.call\('([A-Z]+)'/g)]);
  const names = [...new Set(called.map(([, name = ""]) => name))].sort();
  const forbidden = (await link.run(FORBIDDEN, names, withinMs)) as readonly string[];
  if (forbidden.length === 0) return;
  throw new AccountsUnavailable(
    `the user of this Redis may not run ${forbidden.join(", ")}: the rights it needs are in docs/redis.md`,
  );
}
