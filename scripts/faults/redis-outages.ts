/**
 * What requests meet while Redis fails, in every way it can (`redis-troubles.ts`), at a steady load of raw requests: reads of one
 * account, polls of another, and unknown keys of nobody. For each trouble what was answered, the slowest answer, and how long the
 * healing took; at the end the books. Fails where a request waited longer than it may, or usage is not what was answered.
 *
 *   node dist/scripts/faults/redis-outages.js --snapshots DIR [--seconds 2] [--rate 500]
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeKey } from "../../server/accounts/keys.ts";
import { readPlans } from "../../server/accounts/plans.ts";
import { openRedisAdmin } from "../../server/accounts/redis/redis-admin.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { readManifest } from "../../snapshots/verified-files.ts";
import { ServerChild } from "./server-child.ts";
import { LOAD_PLANS } from "../bench/state-file.ts";
import { RedisChild } from "./redis-child.ts";
import { redisTroubles, type RedisTrouble } from "./redis-troubles.ts";
import { TcpProxy } from "./tcp-proxy.ts";
import { SteadyProbe } from "./steady-probe-process.ts";

const { values } = parseArgs({
  options: {
    snapshots: { type: "string" },
    seconds: { type: "string", default: "2" },
    rate: { type: "string", default: "500" },
  },
});
const { snapshots } = values;
if (snapshots === undefined) throw new Error("--snapshots names a folder of published snapshots");
const forMs = 1000 * Number(values.seconds);
const perSecond = Number(values.rate);

/** What requests wait for Redis at most, and what a busy machine may add to it. */
const WAIT_MAX_MS = 250;
const BUSY_MS = 50;
const HEAL_LIMIT_MS = 20_000;
const HEAL_STEP_MS = 20;
const CONNECTIONS = 256;
const OTHER_ACCOUNTS = 60;

const folder = mkdtempSync(join(tmpdir(), "hindsight-outages-"));
const plans = join(folder, "plans.json");
writeFileSync(plans, JSON.stringify({ plans: LOAD_PLANS }));
const faults: string[] = [];

type Statuses = Record<number, number>;

/** Answers of one kind of request, from the beginning on. */
class Watch {
  readonly name: string;
  readonly total: Statuses = {};
  readonly #probe: SteadyProbe;

  constructor(name: string, port: number, path: string, key: string) {
    this.name = name;
    const connections = CONNECTIONS;
    this.#probe = new SteadyProbe({ port, path, key, perSecond, connections });
  }

  async window(): Promise<{ readonly statuses: Statuses; readonly slowestMs: number }> {
    const { statuses, latenciesMs } = await this.#probe.window();
    for (const [status, count] of Object.entries(statuses)) {
      this.total[Number(status)] = (this.total[Number(status)] ?? 0) + count;
    }
    return { statuses, slowestMs: Math.max(0, ...latenciesMs) };
  }

  stop(): void {
    this.#probe.stop();
  }
}

async function tryTrouble(trouble: RedisTrouble, watches: readonly Watch[], origin: string) {
  for (const watch of watches) await watch.window();
  await trouble.begin();
  await sleep(forMs);
  const reply = await fetch(`${origin}/v1/signals`, { headers: { authorization: "Bearer x" } });
  if (reply.status !== 401) faults.push(`${trouble.name}: a malformed key is ${reply.status}`);
  const lines: string[] = [];
  for (const watch of watches) {
    const { statuses, slowestMs } = await watch.window();
    const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
    lines.push(`${watch.name} ${counts.join(" ")}, slowest ${slowestMs.toFixed(0)} ms`);
    if (slowestMs > WAIT_MAX_MS + BUSY_MS) faults.push(`${trouble.name}: ${lines.at(-1)}`);
  }
  const endedMs = performance.now();
  await trouble.end();
  const healMs = await healed(watches[0]!, endedMs); // there are three
  console.log(`${trouble.name}: ${lines.join("; ")}; well again after ${healMs.toFixed(0)} ms`);
}

/** How long it takes until reads are answered 200 and nothing else. */
async function healed(reads: Watch, sinceMs: number): Promise<number> {
  for (;;) {
    await sleep(HEAL_STEP_MS);
    const { statuses } = await reads.window();
    const [only, ...others] = Object.keys(statuses);
    const tookMs = performance.now() - sinceMs;
    if (only === "200" && others.length === 0) return tookMs;
    if (tookMs > HEAL_LIMIT_MS) throw new Error("it does not heal");
  }
}

async function main(redis: RedisChild, link: TcpProxy): Promise<void> {
  const admin = await openRedisAdmin({
    address: redis.address,
    plans: readPlans(plans),
    nowMs: Date.now,
  });
  const made = await admin.createAccount({ email: "reads@example.com", plan: "load" });
  const polls = await admin.createAccount({ email: "polls@example.com", plan: "load" });
  for (let n = 0; n < OTHER_ACCOUNTS; n++) {
    await admin.createAccount({ email: `other-${n}@example.com`, plan: "load" });
  }
  const { coins } = await readManifest((await findCurrent(snapshots ?? "")) ?? "");
  const path = `/v1/buy-hold?coin=${coins[0]?.ticker ?? ""}`;
  const where = ["--snapshots", snapshots ?? "", "--state", `redis://127.0.0.1:${link.port}`];
  const own = ["--plans", plans, "--notes", join(folder, "notes"), "--job-threads", "0"];
  const server = await ServerChild.start([...where, ...own, "--metrics-port", "none"]);
  const port = Number(new URL(server.origin).port);
  const reads = new Watch("reads", port, path, made.key);
  const watches = [
    reads,
    new Watch("polls", port, "/v1/backtests/1", polls.key),
    new Watch("an unknown key", port, path, makeKey("live")),
  ];
  try {
    await sleep(forMs);
    await expectRetryAfter(redis, server.origin + path, made.key);
    for (const trouble of redisTroubles(redis, link)) {
      await tryTrouble(trouble, watches, server.origin);
    }
    for (const watch of watches) watch.stop();
  } finally {
    for (const watch of watches) watch.stop();
    await server.end("SIGTERM");
  }
  const { allowances } = await admin.usageOf(made.account.id);
  await admin.close();
  const used = allowances[0]?.used ?? 0;
  const answered = reads.total[200] ?? 0;
  console.log(`used ${used}, answered 200 ${answered} times`);
  // The last window's answers were not told of.
  if (used < answered || used > answered + perSecond) faults.push("usage is not what was answered");
}

async function expectRetryAfter(redis: RedisChild, url: string, key: string): Promise<void> {
  redis.signal("SIGSTOP");
  const reply = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  redis.signal("SIGCONT");
  if (reply.status !== 503 || !/^[1-9]\d*$/.test(reply.headers.get("retry-after") ?? "")) {
    faults.push(`${reply.status} with Retry-After "${reply.headers.get("retry-after")}"`);
  }
}

const redis = await RedisChild.start({ appendonly: "yes" });
const link = await TcpProxy.to(Number(new URL(redis.address).port));
try {
  await main(redis, link);
} finally {
  await link.close();
  await redis.remove();
  rmSync(folder, { recursive: true, force: true });
}
if (faults.length > 0) {
  console.error(`failed:\n  ${faults.join("\n  ")}`);
  process.exitCode = 1;
}
process.exit();
