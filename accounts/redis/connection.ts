import { setTimeout as sleep } from "node:timers/promises";
import { AccountsUnavailable } from "./accounts-unavailable.ts";
import { shownAddress } from "./address.ts";
import { luaScript, type LuaScript } from "./lua-script.ts";
import { RedisLink } from "./redis-link.ts";

/** No request waits longer than this for Redis. */
export const REDIS_WAIT_MS = 250;

/** The first wait between attempts to connect. Each later one is twice as long, up to the limit. */
const RETRY_FIRST_MS = 20;
const RETRY_MAX_MS = 500;
/** Time limit for preparing a connection. No request waits for it. */
const PREPARE_MS = 2_000;
/** The interval at which the log repeats that Redis is away. */
const REMIND_MS = 30_000;

/** ARGV: names of commands. Returns those that the user may not run on our keys and channels (Redis 7). */
const FORBIDDEN = luaScript(
  "forbidden",
  `
local out = {}
for _, name in ipairs(redis.acl_check_cmd and ARGV or {}) do
  if not redis.acl_check_cmd(name, 'hs:rights', 'hs:rights') then out[#out + 1] = name end
end
return out`,
);

export interface RedisConnectionOptions {
  /** `redis://` or `rediss://`, checked. */
  readonly address: string;
  /** The connection's name in `CLIENT LIST`. */
  readonly name: string;
  /** Loaded on every new connection. */
  readonly scripts: readonly LuaScript[];
  /** Runs before requests use a new connection. If it rejects, the connection is made again later. */
  readonly prepare?: (link: RedisLink) => Promise<void>;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
}

/**
 * The connection to Redis for requests: it answers, or fails at once. Losing it fails every call under way. It is then made
 * again, however long that takes, and used once `prepare` has succeeded.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #where: string;
  #link: RedisLink | undefined;
  #reason = "not connected yet";
  #closed = false;
  readonly #closing = new AbortController();
  readonly #ended: Promise<void>;
  #waiters: (() => void)[] = [];
  #saidMs = Number.NEGATIVE_INFINITY;
  #said = "";

  constructor(options: RedisConnectionOptions) {
    this.#options = options;
    this.#where = shownAddress(options.address);
    this.#ended = this.#keepConnected();
  }

  get ready(): boolean {
    return this.#link?.open === true;
  }

  /** The connection in use. Throws if Redis is away. */
  get link(): RedisLink {
    if (this.#link?.open === true) return this.#link;
    throw this.unavailable();
  }

  unavailable(): AccountsUnavailable {
    const reason = this.#closed ? "the connection was closed" : this.#reason;
    return new AccountsUnavailable(`${this.#where}: ${reason}`);
  }

  /** Drops the connection, for example after an impossible answer. It is then made again. */
  drop(reason: string): void {
    this.#link?.drop(reason);
  }

  /** Resolves once requests can use it, or after this time, with whether they can. */
  async whenReady(withinMs: number): Promise<boolean> {
    if (this.ready || this.#closed) return this.ready;
    const waited = new AbortController();
    const ready = new Promise<void>((resolve) => this.#waiters.push(resolve));
    const limit = sleep(withinMs, undefined, { signal: waited.signal });
    await Promise.race([ready, limit]);
    waited.abort();
    return this.ready;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#closing.abort();
    this.#link?.drop("the connection was closed");
    await this.#ended;
  }

  async #keepConnected(): Promise<void> {
    let waitMs = RETRY_FIRST_MS;
    while (!this.#closed) {
      if (await this.#holdOne()) waitMs = RETRY_FIRST_MS;
      if (this.#closed) break;
      await sleep(waitMs, undefined, { signal: this.#closing.signal }).catch(() => {});
      waitMs = Math.min(2 * waitMs, RETRY_MAX_MS);
    }
    this.#wakeWaiters();
  }

  /** Makes a connection and waits for its end. Returns whether requests could use it. */
  async #holdOne(): Promise<boolean> {
    const { address, name } = this.#options;
    let end!: () => void; // set by the promise below before anything can end
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const link = new RedisLink(address, name, end);
    const abandon = () => link.drop("the connection was closed");
    this.#closing.signal.addEventListener("abort", abandon);
    try {
      await this.#prepare(link);
    } catch (error) {
      link.drop(textOf(error));
      this.#reason = link.reason;
      this.#say(`cannot be used: ${link.reason}`);
      return false;
    } finally {
      this.#closing.signal.removeEventListener("abort", abandon);
    }
    await this.#use(link, ended);
    return true;
  }

  async #use(link: RedisLink, ended: Promise<void>): Promise<void> {
    this.#link = link;
    if (this.#said !== "") this.#options.warn(`${this.#where} can be used again`);
    this.#said = "";
    this.#wakeWaiters();
    await ended;
    this.#link = undefined;
    this.#reason = link.reason;
    if (this.#closed) return;
    this.#say(`was lost: ${link.reason}`);
  }

  async #prepare(link: RedisLink): Promise<void> {
    const { scripts, prepare } = this.#options;
    // A starting process may be suspended for longer than the limit, so read what has arrived first.
    const late = () => setImmediate(() => link.drop("Redis took too long to get ready"));
    const timer = setTimeout(late, PREPARE_MS);
    try {
      await link.connect();
      const loaded = [FORBIDDEN, ...scripts].map(({ text }) =>
        link.call("SCRIPT", ["LOAD", text], PREPARE_MS),
      );
      await Promise.all(loaded);
      await checkRights(link, scripts, PREPARE_MS);
      await prepare?.(link);
      if (!link.open) throw new AccountsUnavailable(link.reason);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Logs a new fault, and repeats it at intervals while it lasts. */
  #say(what: string): void {
    const now = this.#options.monotonicMs();
    if (this.#closed || (what === this.#said && now - this.#saidMs < REMIND_MS)) return;
    this.#said = what;
    this.#saidMs = now;
    this.#options.warn(`${this.#where} ${what}`);
  }

  #wakeWaiters(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const wake of waiters) wake();
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Throws if the connection's user may not run a command that one of the scripts calls. A script that is refused half-way
 * would leave its first half done, so such a connection is not used.
 */
async function checkRights(
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
