import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Redis } from "ioredis";
import type { Caller } from "../../accounts/accounts.ts";
import {
  READ_ACCOUNT,
  readAccountValues,
  storedAccountOf,
  type AccountReply,
  accountKey,
  usedField,
} from "../../accounts/redis/account-records.ts";
import { openRedisAdmin } from "../../accounts/redis/redis-admin.ts";
import { AuthenticatedKey, planPeriodAt } from "../../accounts/in-force.ts";
import { redisAccountOf } from "../../accounts/redis/directory.ts";
import { StoreIdentity } from "../../accounts/redis/store-identity.ts";
import { BUILT_IN_PLANS } from "../../accounts/plans.ts";
import { CONNECT_JOBS } from "../../accounts/jobs/redis/job-scripts.ts";
import { RedisJobIntake } from "../../accounts/jobs/redis/redis-job-intake.ts";
import { RedisJobRuns } from "../../accounts/jobs/redis/redis-job-runs.ts";
import type { RedisChild } from "../../scripts/faults/redis-child.ts";
import { FakeClock } from "./fake-clock.ts";
import { holding } from "./held-snapshots.ts";
import { jobCallsOf, jobProcess, type JobBench, type JobProcess } from "./job-bench.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { untilItPasses } from "./until.ts";

export interface ProcessOptions {
  /** The snapshot that is loaded; empty for none. "s1" by default. */
  readonly current?: string;
  readonly name?: string;
  readonly address?: string;
  /** How far its clock has fallen behind. */
  readonly lagMs?: () => number;
}

/**
 * Processes on one Redis, each with its own connections, and accounts written into it by hand. Leases run by
 * Redis's own clock, which is the machine's.
 */
export class RedisJobBench implements JobBench {
  readonly clock = new FakeClock();
  readonly redis: RedisChild;
  /** The test's own client. */
  readonly client: Redis;
  /** The machine's folder of snapshots, in addition to "s1", which is in force. */
  readonly root = temporaryFolder("held");
  readonly warnedOf: string[] = [];
  #passedMs = 0;
  /** The processes with their names. */
  readonly #homes = new Map<JobProcess, string>();
  #accounts = 0;

  private constructor(redis: RedisChild) {
    this.redis = redis;
    this.client = redis.client();
  }

  static async on(redis: RedisChild): Promise<RedisJobBench> {
    const bench = new RedisJobBench(redis);
    await bench.client.flushall();
    return bench;
  }

  /**
   * Two processes of the same name are one process that forgot what it held. `address` may be a detour to the same
   * Redis.
   */
  async process({
    current = "s1",
    name = `process-${this.#homes.size + 1}`,
    address = this.redis.address,
    lagMs = () => 0,
  }: ProcessOptions = {}): Promise<JobProcess> {
    const monotonicMs = () => performance.now() - lagMs();
    const snapshots = holding(current || undefined, {
      root: this.root,
      monotonicMs: () => performance.now() + this.#passedMs,
      warn: (message) => this.warnedOf.push(/"(.*?)"/.exec(message)![1]!), // it names one
    });
    const shared = { address, process: name, warn: () => {} };
    const intake = new RedisJobIntake({
      ...shared,
      clock: { nowMs: this.clock.nowMs, monotonicMs },
      identity: new StoreIdentity(() => {}),
      directory: { reread: async (known) => this.#read(known) },
    });
    const identity = new StoreIdentity(() => {});
    const runs = new RedisJobRuns({ ...shared, monotonicMs, identity });
    const home = jobProcess(intake, runs, snapshots);
    this.#homes.set(home, name);
    await untilItAnswers(home);
    return home;
  }

  async processWith(current: string | undefined): Promise<JobProcess> {
    return await this.process({ current: current ?? "" });
  }

  waitOut(ms: number): void {
    this.#passedMs += ms;
  }

  /** Puts a snapshot into the machine's folder. */
  publish(id: string): void {
    mkdirSync(join(this.root, id));
  }

  async caller(plan: string): Promise<Caller> {
    const accountId = `acct${++this.#accounts}`;
    await this.client.hset(accountKey(accountId), {
      email: `${accountId}@example.com`,
      plan,
      rev: "1",
      created: "0",
    });
    const key = { keyId: `key-${accountId}`, expiresMs: null, lastUsedMs: null };
    const account = redisAccountOf(accountId, [plan, "0", "1"], BUILT_IN_PLANS);
    return new AuthenticatedKey({ ...key, env: "live" }, account);
  }

  async remove({ accountId }: Caller): Promise<void> {
    await this.client.hset("hs:emails", `${accountId}@example.com`, accountId);
    const { nowMs } = this.clock;
    const admin = await openRedisAdmin({
      address: this.redis.address,
      plans: BUILT_IN_PLANS,
      nowMs,
    });
    await admin.deleteAccount(accountId);
    await admin.close();
  }

  async setPlan(who: Caller, plan: string): Promise<void> {
    const account = accountKey(who.accountId);
    await this.client.hset(account, { plan });
    await this.client.hincrby(account, "rev", 1);
  }

  async used(who: Caller): Promise<number> {
    return Number(await this.client.hget(accountKey(who.accountId), this.#period(who)));
  }

  async charge(who: Caller, units: number): Promise<unknown> {
    return await this.client.hincrby(accountKey(who.accountId), this.#period(who), units);
  }

  async backtestsOf(who: Caller) {
    const { accountId } = who;
    const nowMs = this.clock.wallMs;
    const values = readAccountValues(accountId, nowMs);
    const reply = (await this.client.eval(READ_ACCOUNT.text, 0, ...values)) as AccountReply;
    return jobCallsOf(storedAccountOf(accountId, reply)!.endpoints);
  }

  async withdraw(jobId: number): Promise<void> {
    const lost = [{ id: String(jobId), keyed: "" }];
    const given = JSON.stringify({ process: "lost", fence: "1", lost });
    await this.client.eval(CONNECT_JOBS.text, 0, given);
  }

  /** Ends its lease, if it has one. */
  async lose(process: JobProcess): Promise<void> {
    await this.client.zadd("hs:jobs:processes", "XX", 0, this.#homes.get(process)!); // made here
  }

  async leave(process: JobProcess): Promise<void> {
    await process.close();
  }

  async close(): Promise<void> {
    for (const home of this.#homes.keys()) await home.close();
    this.client.disconnect();
  }

  #period(who: Caller): string {
    const { plans } = who.account;
    return usedField(who.env, planPeriodAt(plans, who.env, this.clock.wallMs).period.name);
  }

  async #read(known: Caller): Promise<Caller> {
    const { accountId } = known;
    const [plan = null, rev = null] = await this.client.hmget(accountKey(accountId), "plan", "rev");
    return { ...known, account: redisAccountOf(accountId, [plan, "0", rev], BUILT_IN_PLANS) };
  }
}

/** Waits until a store answers, for the first time or again. */
export async function untilItAnswers(
  home: Pick<JobProcess, "recover" | "underWay">,
): Promise<void> {
  await untilItPasses(async () => {
    await home.recover(0);
    await home.underWay("nobody");
  });
}
