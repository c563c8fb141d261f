import { randomBytes } from "node:crypto";
import { AccountsUnavailable } from "../accounts.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import { luaScript } from "../../redis/lua-script.ts";

const ID_BYTES = 12;
/** Version of the layout described in `keys.ts`. Any other was written by another Hindsight. */
const FORMAT = "1";

/** ARGV: the id to give a new store, or "" to make none. Returns id and format, or nothing. */
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
 * Which store this process serves. A Redis that comes back without its data would make every key unknown and every
 * month new: requests get 503 until the data is back or an operator restarts the process.
 */
export class StoreIdentity {
  #id = "";
  readonly #onWrongStore: (reason: string) => void;

  /** `onWrongStore` drops the connection: the next one is checked again. */
  constructor(onWrongStore: (reason: string) => void) {
    this.#onWrongStore = onWrongStore;
  }

  /** Empty until the store has been reached for the first time. */
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

  /** Throws if a script met a store other than the one this process serves. */
  check(found: string): void {
    if (found === this.#id && found !== "") return;
    const reason = `this Redis no longer holds the accounts this process serves (store ${this.#id || "unknown"}, found ${found || "none"}): restore its data, or restart the servers to begin with what is there`;
    this.#onWrongStore(reason);
    throw new AccountsUnavailable(reason);
  }
}
