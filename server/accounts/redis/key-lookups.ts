import type { RedisConnection } from "../../redis/connection.ts";
import { luaScript } from "../../redis/lua-script.ts";
import { AccountsUnavailable } from "../accounts.ts";
import type { AccountsClock } from "../clock.ts";
import { budgetMs, KEY_BY_MS } from "./deadline-budget.ts";
import type { AccountRow, KeyRecord } from "./known-key.ts";
import type { StoreIdentity } from "./store-identity.ts";

/** Keys looked up in one script, so that a flood of unknown ones holds up a charge by a tenth of a millisecond. */
const GROUP_MAX = 50;
/** Keys that may wait. Beyond this, one that is not cached is refused with 503. */
const WAITING_MAX = 10_000;

/**
 * Finds keys that are in force, and their accounts. ARGV: store id, now, then SHA-256s. Returns the id found, then for
 * each key a list of id, account, env, expires, last used, plan, created, rev; or 0. A key that was revoked or has
 * expired is answered as one that never was, and as fast.
 */
export const FIND_KEYS = luaScript(
  "find-keys",
  `
local store = redis.call('HGET', 'hs:store', 'id')
local out = { store or '' }
if store ~= ARGV[1] then return out end
for i = 3, #ARGV do
  local key = redis.call('HMGET', 'hs:key:' .. ARGV[i], 'id', 'account', 'env', 'expires', 'used', 'revoked')
  local inForce = key[1] and not key[6] and not (key[4] and tonumber(key[4]) <= tonumber(ARGV[2]))
  if inForce then
    local account = redis.call('HMGET', 'hs:account:' .. key[2], 'plan', 'created', 'rev')
    for n = 1, 3 do key[5 + n] = account[n] end
  end
  out[i - 1] = inForce and key or 0
end
return out`,
);

/** A key in force as Redis has it, with what decides its account's charges. */
export interface FoundKey {
  readonly key: KeyRecord;
  readonly account: AccountRow;
}

/** What `FIND_KEYS` answers for a key; null where Redis has nothing. */
type KeyRow = readonly [
  id: string,
  account: string,
  env: KeyRecord["env"],
  expires: string | null,
  used: string | null,
  ...AccountRow,
];

interface LookUp {
  readonly hash: string;
  /** When the request came, by the wall clock. */
  readonly requestMs: number;
  readonly resolve: (found: FoundKey | undefined) => void;
  readonly reject: (error: unknown) => void;
}

export interface KeyLookUpsOptions {
  readonly redis: RedisConnection;
  readonly identity: StoreIdentity;
  readonly clock: AccountsClock;
}

/**
 * Looks keys up in Redis: those of one turn of the event loop together, and one script at a time, so that floods of
 * unknown keys hold up no other request.
 */
export class KeyLookUps {
  readonly #options: KeyLookUpsOptions;
  #waiting: LookUp[] = [];
  #underWay = false;

  constructor(options: KeyLookUpsOptions) {
    this.#options = options;
  }

  /** The key's record; undefined if there is no such key in force. */
  find(hash: string, requestMs: number): Promise<FoundKey | undefined> {
    const { redis } = this.#options;
    if (!redis.ready) return Promise.reject(redis.unavailable());
    if (this.#waiting.length >= WAITING_MAX) {
      return Promise.reject(new AccountsUnavailable("too many keys are being looked up"));
    }
    const found = new Promise<FoundKey | undefined>((resolve, reject) => {
      this.#waiting.push({ hash, requestMs, resolve, reject });
    });
    if (!this.#underWay) {
      this.#underWay = true;
      setImmediate(() => void this.#askAll());
    }
    return found;
  }

  async #askAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#waiting.slice(0, GROUP_MAX);
      this.#waiting = this.#waiting.slice(GROUP_MAX);
      await this.#ask(group);
    }
    this.#underWay = false;
  }

  async #ask(group: readonly LookUp[]): Promise<void> {
    const { redis, identity, clock } = this.#options;
    try {
      const earliestMs = Math.min(...group.map(({ requestMs }) => requestMs));
      const values = [identity.id, clock.nowMs(), ...group.map(({ hash }) => hash)];
      const reply = await redis.link.run(FIND_KEYS, values, budgetMs(clock, earliestMs, KEY_BY_MS));
      const [store, ...rows] = reply as [string, ...(KeyRow | 0)[]];
      identity.check(store);
      for (const [index, { hash, resolve }] of group.entries()) {
        const row = rows[index] ?? 0;
        resolve(row === 0 ? undefined : foundKeyOf(hash, row));
      }
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

function foundKeyOf(hash: string, row: KeyRow): FoundKey {
  const [keyId, accountId, env, expires, used, ...account] = row;
  const expiresMs = expires === null ? null : Number(expires);
  const lastUsedMs = used === null ? null : Number(used);
  return { key: { hash, keyId, accountId, env, expiresMs, lastUsedMs }, account };
}
