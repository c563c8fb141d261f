import type { RedisConnection } from "../../redis/connection.ts";
import { luaScript } from "../../redis/lua-script.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { USE_AHEAD_MS, USE_STEP_MS } from "../admin-rules.ts";
import { keyKey } from "./keys.ts";
import type { KnownKey } from "./known-key.ts";

/** Keys written in one round. The rest wait for the next. */
const WRITTEN_MAX = 500;

/** ARGV: each key's hash and the instant. The last use never moves back, unless the clock was ahead. */
export const WRITE_USE = luaScript(
  "write-use",
  `
for i = 1, #ARGV, 2 do
  local before = redis.call('HMGET', ARGV[i], 'id', 'used')
  local used, now = tonumber(before[2] or '0'), tonumber(ARGV[i + 1])
  if before[1] and (used < now or used > now + ${USE_AHEAD_MS}) then
    redis.call('HSET', ARGV[i], 'used', ARGV[i + 1])
  end
end
return 1`,
);

/** When keys were last used: kept in memory and written in rounds, of which a crash loses one. */
export class RedisKeyUse {
  readonly #unwritten = new Map<string, number>();

  record(known: KnownKey, nowMs: number): void {
    const sinceMs = known.lastUsedMs === null ? Infinity : nowMs - known.lastUsedMs;
    if (sinceMs < USE_STEP_MS && sinceMs >= -USE_AHEAD_MS) return;
    known.lastUsedMs = nowMs;
    this.#unwritten.set(known.hash, nowMs);
  }

  /** Writes the uses so far. If Redis cannot take them, they stay for the next round. */
  async write(redis: RedisConnection, withinMs: number): Promise<void> {
    if (this.#unwritten.size === 0) return;
    const round = [...this.#unwritten].slice(0, WRITTEN_MAX);
    const values = round.flatMap(([hash, usedMs]) => [keyKey(hash), usedMs]);
    try {
      await redis.link.run(WRITE_USE, values, withinMs);
    } catch (error) {
      if (error instanceof AccountsUnavailable) return;
      throw error;
    }
    for (const [hash, usedMs] of round) {
      if (this.#unwritten.get(hash) === usedMs) this.#unwritten.delete(hash);
    }
  }
}
