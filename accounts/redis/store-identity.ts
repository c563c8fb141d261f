import { randomBytes } from "node:crypto";
import { luaScript } from "./lua-script.ts";
import type { RedisLink } from "./redis-link.ts";
import { AccountsUnavailable } from "../accounts.ts";

const ID_BYTES = 12;
/** The version of the layout in `account-records.ts`. Another version was written by another Hindsight. */
const FORMAT = "1";

/** ARGV: the id of a new store, or "" to make none. Returns id and format, or nothing. */
export const OPEN_STORE = luaScript(
  "open-store",
  `
local got = redis.call('HMGET', 'hs:store', 'id', 'format')
if got[1] then return got end
if ARGV[1] == '' then return false end
redis.call('HSET', 'hs:store', 'id', ARGV[1], 'format', '${FORMAT}', 'revision', '1')
return { ARGV[1], '${FORMAT}' }`,
);

/**
 * The store that this process serves. A Redis that comes back without its data would make every key unknown and every
 * month new. So requests get 503 until the data is back or an operator restarts the process.
 */
export class StoreIdentity {
  #id = "";
  readonly #onWrongStore: (reason: string) => void;

  /** `onWrongStore` drops the connection: the next one is checked again. */
  constructor(onWrongStore: (reason: string) => void) {
    this.#onWrongStore = onWrongStore;
  }

  /** "" until the store was first reached. */
  get id(): string {
    return this.#id;
  }

  /** Checks the store on a new connection. The first connection may make it. */
  async open(link: RedisLink, withinMs: number): Promise<void> {
    const fresh = this.#id === "" ? randomBytes(ID_BYTES).toString("hex") : "";
    const found = (await link.run(OPEN_STORE, [fresh], withinMs)) as [string, string] | null;
    if (found !== null && found[1] !== FORMAT) {
      throw new AccountsUnavailable(
        `the accounts in this Redis were written by another Hindsight (format ${found[1]}, this one knows ${FORMAT})`,
      );
    }
    if (this.#id === "" && found !== null) [this.#id] = found;
    else this.check(found?.[0] ?? "");
  }

  /** Throws if this is not the store that this process serves. */
  check(found: string): void {
    if (found === this.#id && found !== "") return;
    const reason = `this Redis no longer holds the accounts this process serves (store ${this.#id || "unknown"}, found ${found || "none"}): restore its data, or restart the servers to begin with what is there`;
    this.#onWrongStore(reason);
    throw new AccountsUnavailable(reason);
  }
}

/** The oldest version of Redis in our tests. */
const OLDEST_MAJOR = 7;

/** The largest difference between the clocks of this machine and Redis that gives no warning. */
const CLOCK_APART_MAX_MS = 2_000;

/** The settings of a Redis by which it could lose data that it has confirmed. */
export async function settingsFaults(
  link: RedisLink,
  withinMs: number,
): Promise<readonly string[]> {
  const info = String(await link.call("INFO", [], withinMs));
  const told = (name: string) =>
    new RegExp(`^${name}:(.*?)\\r?$`, "m").exec(info)?.[1] ?? "unknown";
  const [version, policy] = [told("redis_version"), told("maxmemory_policy")];
  const faults: string[] = [];
  const sync = await appendSync(link, withinMs);
  if (told("aof_enabled") !== "1") {
    faults.push(`"appendonly" is off: accounts and usage since its last snapshot go when it ends`);
  } else if (sync !== undefined && sync !== "everysec" && sync !== "always") {
    faults.push(`"appendfsync" is "${sync}": a power loss takes more than the last second`);
  }
  if (policy !== "noeviction") {
    faults.push(`"maxmemory-policy" is "${policy}": a full Redis throws accounts away`);
  }
  if (Number.parseInt(version, 10) < OLDEST_MAJOR) {
    faults.push(`its version is ${version}: the oldest this is tested with is ${OLDEST_MAJOR}`);
  }
  return faults;
}

/** A warning if this machine's clock is off: it would charge the wrong month at its turn. */
export async function clockFaults(
  link: RedisLink,
  withinMs: number,
  nowMs: () => number,
): Promise<readonly string[]> {
  const [seconds, micros] = (await link.call("TIME", [], withinMs)) as [string, string];
  const apartMs = nowMs() - Number(seconds) * 1000 - Math.floor(Number(micros) / 1000);
  if (Math.abs(apartMs) <= CLOCK_APART_MAX_MS) return [];
  const apart = `${Math.round(Math.abs(apartMs) / 1000)} s ${apartMs > 0 ? "ahead of" : "behind"}`;
  return [
    `this machine's clock is ${apart} that of Redis: months and trials go by each server's own clock, so let both keep the time (chrony)`,
  ];
}

/** The setting `appendfsync`; undefined if a managed Redis forbids `CONFIG`. */
async function appendSync(link: RedisLink, withinMs: number): Promise<string | undefined> {
  try {
    const reply = (await link.call("CONFIG", ["GET", "appendfsync"], withinMs)) as string[];
    return reply[1];
  } catch (error) {
    if (!link.open) throw error;
    return undefined;
  }
}
