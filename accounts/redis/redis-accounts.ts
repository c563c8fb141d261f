import { setTimeout as sleep } from "node:timers/promises";
import { REDIS_WAIT_MS, RedisConnection } from "./connection.ts";
import { luaScript } from "./lua-script.ts";
import type { RedisLink } from "./redis-link.ts";
import {
  AccountsUnavailable,
  type Accounts,
  type Caller,
  type ChargeRequest,
  type QuotaDecision,
  type RateDecision,
  type Spending,
  type AccountsClock,
} from "../accounts.ts";
import type { AccountReport } from "../admin.ts";
import { drawToken } from "../access-tokens.ts";
import { keysInForce, usageOf } from "../admin-rules.ts";
import { type AuthenticatedKey, USE_AHEAD_MS } from "../in-force.ts";
import { KeyUse } from "../key-use.ts";
import { missingPlans, type PlanTable } from "../plans.ts";
import {
  fieldsOf,
  READ_ACCOUNT,
  readAccountValues,
  storedAccountOf,
  type AccountReply,
  type Flat,
} from "./account-records.ts";
import { OWNED } from "./commit-script.ts";
import { CHARGE, CONNECT } from "./charge-scripts.ts";
import { ChargeWriter } from "./charge-writer.ts";
import { RedisCharges } from "./charges.ts";
import { FIND_KEYS, RedisDirectory } from "./directory.ts";
import { budgetMs, CHARGE_BY_MS, LAST_LEAST_MS } from "./deadline-budget.ts";
import { RATE_LUA } from "./ledger-lua.ts";
import { recordOf } from "./record-hashes.ts";
import { clockFaults, settingsFaults, OPEN_STORE, StoreIdentity } from "./store-identity.ts";

/** ARGV: each key's id and instant. The last use never moves back, unless it comes from a clock that was ahead. */
const WRITE_USE = luaScript(
  "write-use",
  `
for i = 1, #ARGV, 2 do
  local key = 'hs:key:' .. (redis.call('HGET', 'hs:key-ids', ARGV[i]) or '')
  local before = redis.call('HMGET', key, 'id', 'used')
  local used, now = tonumber(before[2] or '0'), tonumber(ARGV[i + 1])
  if before[1] and (used < now or used > now + ${USE_AHEAD_MS}) then
    redis.call('HSET', key, 'used', ARGV[i + 1])
  end
end`,
);
/** ARGV: an account. Returns the number of requests in its rate limit window. */
const RATE_USED = luaScript(
  "rate-used",
  `${RATE_LUA}
local account = 'hs:account:' .. ARGV[1]
local packed = redis.call('HGET', account, 'rate')
if not packed then return 0 end
local time = redis.call('TIME')
local window = rate_window(ARGV[1], packed, time[1] * 1000 + time[2] / 1000)
redis.call('HSET', account, 'rate', rate_packed(window))
return window.total - window.base`,
);
/** PING would not do: Redis answers it even if it is full or lacks replicas, and refuses scripts that write. */
const TRY_WRITE = luaScript("try-write", "redis.call('HSET', 'hs:tried', 'at', ARGV[1])");
const SCRIPTS = [
  OPEN_STORE,
  FIND_KEYS,
  CONNECT,
  CHARGE,
  WRITE_USE,
  RATE_USED,
  TRY_WRITE,
  READ_ACCOUNT,
  OWNED,
];

/** The interval at which servers look for changes, and so the time until a revocation takes effect everywhere. */
const ROUND_MS = 250;
/** Keys whose last use is written in one round. */
const USES_WRITTEN_MAX = 500;
/** Time limit for each step of preparing a new connection. */
const PREPARE_MS = 1_000;
const CLOSE_MAX_MS = 1_000;
const CLOSE_STEP_MS = 5;

interface RedisAccountsOptions {
  /** `redis://` or `rediss://`, checked. */
  readonly address: string;
  readonly plans: PlanTable;
  readonly clock: AccountsClock;
  readonly warn?: (message: string) => void;
}

/** Accounts in Redis. It need not be reachable yet: requests get 503 until it is. */
export class RedisAccounts implements Accounts {
  readonly identity: StoreIdentity;
  readonly directory: RedisDirectory;
  readonly #options: RedisAccountsOptions;
  readonly #warn: (message: string) => void;
  readonly #redis: RedisConnection;
  readonly #writer = new ChargeWriter();
  readonly #charges: RedisCharges;
  readonly #keyUse = new KeyUse(USES_WRITTEN_MAX, async (uses) => {
    await this.#redis.link.run(WRITE_USE, uses.flat(), REDIS_WAIT_MS);
  });
  readonly #timer: NodeJS.Timeout;
  /** The warnings of the last connection, which are not repeated. */
  #faults = "";
  #secret: string | undefined;
  #closed = false;

  constructor(options: RedisAccountsOptions) {
    const { address, plans, clock, warn = () => {} } = options;
    const { monotonicMs } = clock;
    this.#options = options;
    this.#warn = warn;
    this.identity = new StoreIdentity((reason) => this.#redis.drop(reason));
    const { identity } = this;
    this.#redis = new RedisConnection({
      address,
      name: "hindsight-accounts",
      scripts: SCRIPTS,
      prepare: (link) => this.#prepare(link),
      monotonicMs,
      warn,
    });
    const shared = { redis: this.#redis, clock };
    this.directory = new RedisDirectory({ ...shared, identity, plans });
    this.#charges = new RedisCharges({
      ...shared,
      directory: this.directory,
      writer: this.#writer,
    });
    this.#timer = setInterval(() => void this.refresh(), ROUND_MS);
    this.#timer.unref();
  }

  async authenticate(authorization: string, nowMs: number): Promise<Caller | undefined> {
    const caller = this.knownCaller(authorization, nowMs);
    return caller ?? this.#usedAt(await this.directory.lookUp(authorization, nowMs), nowMs);
  }

  knownCaller(authorization: string, nowMs: number): Caller | undefined {
    return this.#usedAt(this.directory.known(authorization), nowMs);
  }

  async callerOf(keyId: string, nowMs: number): Promise<Caller | undefined> {
    return this.#usedAt(await this.directory.findById(keyId, nowMs), nowMs);
  }

  async secret(): Promise<string> {
    const { link } = this.#redis;
    const field = ["hs:store", "secret"];
    if (this.#secret === undefined)
      await link.call("HSETNX", [...field, drawToken()], REDIS_WAIT_MS);
    return (this.#secret ??= (await link.call("HGET", field, REDIS_WAIT_MS)) as string);
  }

  /** Redis decides the rate together with the charge. */
  admit(): RateDecision | undefined {
    return undefined;
  }

  charge(request: ChargeRequest): void {
    if (this.#closed) request.settle(new AccountsUnavailable("the accounts are closed"));
    else this.#charges.add(request);
  }

  spend(spending: Spending): Promise<QuotaDecision> {
    return new Promise((resolve, reject) => {
      this.charge({
        ...spending,
        settle(outcome) {
          if (outcome instanceof Error) reject(outcome);
          else resolve({ ...outcome, charged: outcome.kind === "charged" });
        },
      });
    });
  }

  async report({ accountId }: Caller, nowMs: number): Promise<AccountReport> {
    const { plans, clock } = this.#options;
    const withinMs = budgetMs(clock, nowMs, CHARGE_BY_MS, LAST_LEAST_MS);
    const { link } = this.#redis;
    const [reply, keys] = await Promise.all([
      link.run(READ_ACCOUNT, readAccountValues(accountId, nowMs), withinMs),
      link.run(OWNED, ["key", accountId], withinMs),
    ]);
    const account = storedAccountOf(accountId, reply as AccountReply);
    if (account === undefined) {
      throw new AccountsUnavailable(`account ${accountId} is gone from Redis`);
    }
    const own = (keys as [hash: string, key: Flat][]).map(
      ([hash, key]) => recordOf("key", hash, fieldsOf(key))!, // it names its account
    );
    return { ...usageOf(account, plans, nowMs), keys: keysInForce(own, nowMs) };
  }

  async rateUsed(accountId: string): Promise<number> {
    return (await this.#redis.link.run(RATE_USED, [accountId], REDIS_WAIT_MS)) as number;
  }

  /** Writes something small; rejects if Redis cannot. */
  async ping(): Promise<void> {
    await this.#redis.link.run(TRY_WRITE, [this.#options.clock.nowMs()], REDIS_WAIT_MS);
  }

  /** Resolves once Redis can be used, or after this time; the result says which. */
  whenReady(withinMs: number): Promise<boolean> {
    return this.#redis.whenReady(withinMs);
  }

  /** Looks for changes and writes last uses. Runs by itself. */
  async refresh(): Promise<void> {
    if (!this.#redis.ready) return;
    const { link } = this.#redis;
    try {
      await this.directory.refresh(link, REDIS_WAIT_MS);
      await this.#writer.tend(link, REDIS_WAIT_MS);
      await this.writeKeyUse();
    } catch (error) {
      if (!(error instanceof AccountsUnavailable)) throw error;
      // A lost connection is reported by itself, and a refusal by the requests that get it.
    }
  }

  /** Writes when keys were last used. */
  writeKeyUse(): Promise<void> {
    return this.#keyUse.write();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    clearInterval(this.#timer);
    const started = performance.now();
    while (
      (this.#charges.pending || this.#writer.owes) &&
      performance.now() - started < CLOSE_MAX_MS
    ) {
      await sleep(CLOSE_STEP_MS); // until a new connection has settled what is open
    }
    if (this.#writer.owes) this.#warn("stopped before it was known what Redis wrote last");
    await this.refresh();
    await this.#redis.close();
  }

  #usedAt(key: AuthenticatedKey | undefined, nowMs: number): Caller | undefined {
    const caller = key?.callerAt(nowMs);
    if (caller?.isUseDue(nowMs) === true) this.#keyUse.record(caller, nowMs);
    return caller;
  }

  /** Prepares a new connection before requests use it. */
  async #prepare(link: RedisLink): Promise<void> {
    await this.identity.open(link, PREPARE_MS);
    await this.#writer.connect(link, PREPARE_MS);
    await this.directory.refresh(link, PREPARE_MS);
    const faults = [
      ...(await settingsFaults(link, PREPARE_MS)).map((fault) => `the settings of Redis: ${fault}`),
      ...(await clockFaults(link, PREPARE_MS, this.#options.clock.nowMs)),
      ...(await this.#missingPlans(link)),
    ];
    if (faults.join() === this.#faults) return;
    this.#faults = faults.join();
    for (const fault of faults) this.#warn(fault);
  }

  async #missingPlans(link: RedisLink): Promise<readonly string[]> {
    const counts = fieldsOf((await link.call("HGETALL", ["hs:plans"], PREPARE_MS)) as Flat);
    const used = [...counts.keys()].filter((name) => Number(counts.get(name)) > 0);
    const missing = used.filter((name) => !this.#options.plans.has(name));
    return missing.length === 0 ? [] : [missingPlans(missing.sort())];
  }
}
