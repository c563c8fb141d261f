import type { Accounts } from "../../../accounts/accounts.ts";
import type { Admin } from "../../../accounts/accounts-admin.ts";
import type { NewAccount } from "../../../accounts/admin.ts";
import type { AccessRules } from "../../../accounts/access-rules.ts";
import { BUILT_IN_PLANS, type PlanTable } from "../../../accounts/plans.ts";
import { RATE_WINDOW_MS } from "../../../accounts/rate-window.ts";
import { RedisAccounts } from "../../../accounts/redis/redis-accounts.ts";
import { openRedisAccess, openRedisAdmin } from "../../../accounts/redis/redis-admin.ts";
import type { RedisChild } from "../../../scripts/faults/redis-child.ts";
import { FakeClock } from "../fake-clock.ts";
import type { AccountsBench } from "./bench.ts";

const READY_MS = 5_000;

/** An empty Redis, and servers with their own connections to it. Redis's clock is the machine's. */
export class RedisBench implements AccountsBench {
  readonly warnings: string[] = [];
  /** Warnings about the servers' clock, which is fake. */
  readonly clockWarnings: string[] = [];
  readonly redis: RedisChild;
  readonly #clock = new FakeClock();
  readonly #servers: RedisAccounts[] = [];
  readonly #open: { close(): Promise<void> }[] = [];

  private constructor(redis: RedisChild) {
    this.redis = redis;
  }

  static async on(redis: RedisChild): Promise<RedisBench> {
    const client = redis.client();
    await client.flushall();
    client.disconnect();
    return new RedisBench(redis);
  }

  get nowMs(): number {
    return this.#clock.wallMs;
  }

  async server(plans: PlanTable = BUILT_IN_PLANS): Promise<RedisAccounts> {
    const server = this.serverSoon(plans);
    if (!(await server.whenReady(READY_MS))) await server.ping(); // it says why
    return server;
  }

  /** A server that need not have reached its Redis yet. */
  serverSoon(
    plans: PlanTable = BUILT_IN_PLANS,
    address: string = this.redis.address,
  ): RedisAccounts {
    const server = new RedisAccounts({
      address,
      plans,
      // Time limits of Redis need the real time.
      clock: {
        nowMs: this.#clock.nowMs,
        monotonicMs: () => performance.now() + this.#clock.steadyMs,
      },
      warn: (message) => {
        (/clock is \d+ s/.test(message) ? this.clockWarnings : this.warnings).push(message);
      },
    });
    this.#servers.push(server);
    this.#open.push(server);
    return server;
  }

  async admin(plans: PlanTable = BUILT_IN_PLANS): Promise<Admin> {
    return await this.adminOf(this.redis.address, plans);
  }

  async access(): Promise<AccessRules> {
    const { address } = this.redis;
    const { nowMs } = this.#clock;
    const warn = (message: string) => this.warnings.push(message);
    const { store, admin } = await openRedisAccess({ address, plans: BUILT_IN_PLANS, nowMs, warn });
    this.#open.push(admin);
    return store;
  }

  /** An administrator with another address of the same Redis, or another user. */
  async adminOf(address: string, plans: PlanTable = BUILT_IN_PLANS): Promise<Admin> {
    const admin = await openRedisAdmin({ address, plans, nowMs: this.#clock.nowMs });
    this.#open.push(admin);
    return admin;
  }

  async account(plan: string, email = "ann@example.com", plans?: PlanTable): Promise<NewAccount> {
    const admin = await this.admin(plans);
    try {
      return await admin.createAccount({ email, plan });
    } finally {
      await admin.close();
    }
  }

  /** The account's usage of its month, as stored in Redis. */
  async usedBy({ account }: NewAccount): Promise<number> {
    const { allowances } = await (await this.admin()).usageOf(account.id);
    return allowances[0]!.used; // the allowance of live keys
  }

  /** The rate limit uses Redis's own clock, which does not move with ours, so windows are ended by hand after a minute. */
  async pass(ms: number): Promise<void> {
    this.#clock.pass(ms);
    if (ms > RATE_WINDOW_MS) await this.endRateWindows();
    await Promise.all(this.#servers.map((server) => server.refresh()));
  }

  /** Removes all admissions, as if a minute had passed. */
  async endRateWindows(): Promise<void> {
    const client = this.redis.client();
    for (const account of await client.keys("hs:account:*")) await client.hdel(account, "rate");
    const lists = await client.keys("hs:rate:*");
    if (lists.length > 0) await client.del(lists);
    client.disconnect();
  }

  /** Lets time pass while all servers are suspended. */
  standStill(ms: number): void {
    this.#clock.pass(ms);
  }

  setWallMs(ms: number): void {
    this.#clock.wallMs = ms;
  }

  async write(server: Accounts): Promise<void> {
    await (server as RedisAccounts).writeKeyUse();
  }

  async dump(): Promise<string> {
    const client = this.redis.client();
    const everything: unknown[] = [];
    for (const key of await client.keys("*")) {
      const type = await client.type(key);
      if (type === "hash") everything.push([key, await client.hgetall(key)]);
      else if (type === "zset") everything.push([key, await client.zrange(key, 0, "-1")]);
      else everything.push([key, await client.lrange(key, 0, -1)]);
    }
    client.disconnect();
    return JSON.stringify(everything);
  }

  async close(): Promise<void> {
    for (const each of this.#open.reverse()) await each.close();
  }
}
