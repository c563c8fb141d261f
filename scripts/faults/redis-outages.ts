/**
 * What requests meet while Redis fails, in every way it can: refused, stopped, slow, loading, read-only, out of
 * memory, unable to save, restarted empty. Beside it one account reads, one polls a job, one submits backtests, one
 * studies, and one uses an unknown key. For each trouble prints what was answered, the slowest answers, then and while
 * Redis came back, and when all was well again. At the end compares usage with the answers.
 *
 *   node dist/scripts/faults/redis-outages.js --snapshots DIR [options]
 *
 *   --snapshots DIR  folder of published snapshots
 *   --seconds N      how long each trouble lasts (default: 2)
 *   --rate N         requests a second of reads, polls, submissions and unknown keys each (default: 500)
 *
 * Starts a Redis of its own (`redis-server`). Needs a quiet machine: for each trouble it also prints how long
 * the server was ready to run and had no core. Exits 1 if a request waited longer than it may or was answered otherwise
 * than it should be, if a trouble had no effect or did not end, or if usage is not exactly what was answered. Takes
 * 10,000 submissions of a kind in all, which is 2 seconds of 500 each.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { makeKey } from "../../accounts/keys.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { Load, writeRequests, type LoadWindow } from "../bench/load.ts";
import type { LoadRequest } from "../bench/raw-request.ts";
import { serveArgs } from "../bench/servers.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { withAdmin } from "../../cli/with-admin.ts";
import { ask } from "../support/ask.ts";
import { startHindsight, type ChildServer } from "../support/child-server.ts";
import { makeAccounts, storeIn, type Store } from "../support/made-accounts.ts";
import { ownFolder } from "../support/own-folder.ts";
import { assertNone, main, positive, refuse, scriptOptions } from "../support/script-options.ts";
import { RedisChild } from "./redis-child.ts";
import { redisTroubles, type RedisTrouble } from "./redis-troubles.ts";
import { TcpProxy } from "./tcp-proxy.ts";

const values = scriptOptions(import.meta.url, {
  snapshots: { type: "string" },
  seconds: { type: "string", default: "2" },
  rate: { type: "string", default: "500" },
});
const snapshots = values.snapshots ?? refuse("--snapshots DIR is missing");
const forMs = 1000 * positive("--seconds", values.seconds);
const perSecond = positive("--rate", values.rate);

/** How long a request may wait: 250 ms for Redis, and what a busy machine may add to that. */
const WAIT_MAX_MS = 250 + 50;
/** A server that has just started is still compiling its code and making its pages. */
const WARM_MS = 6_000;
const HEAL_LIMIT_MS = 20_000;
const HEAL_STEP_MS = 20;
const CONNECTIONS = 256;
/** Accounts for reads, polls, backtests and studies, and others that only exist. */
const ACCOUNTS = 63;

const folder = ownFolder("outages");
const faults: string[] = [];

/** How many answers had each status, and the longest wait among those that were answered and those that are not yet. */
interface Answers {
  readonly statuses: Readonly<Record<number, number>>;
  readonly slowestMs: number;
}

interface WatchOptions extends LoadRequest {
  readonly port: number;
  /** The status of its answers while Redis is there. */
  readonly well: number;
  /** Its share of the rate: 1 by default. */
  readonly share?: number;
}

/** Sends one kind of request at a steady rate, and notes the answers. */
class Watch {
  readonly name: string;
  /** How many answers had the status that they should have. */
  answered = 0;
  readonly #well: number;
  readonly #load: Load;

  constructor(name: string, { port, well, share = 1, ...sent }: WatchOptions) {
    this.name = name;
    this.#well = well;
    const requestsFile = writeRequests(folder, name, [sent]);
    const rate = { perSecond: share * perSecond, connections: CONNECTIONS, sleeps: true };
    this.#load = new Load({ port, requestsFile, ...rate });
  }

  /** The answers since the last call. The first call begins the load. */
  async window(): Promise<Answers> {
    return this.#noted(await this.#load.window());
  }

  /** Sends nothing more, and takes the last answers. */
  async finish(): Promise<Answers> {
    return this.#noted(await this.#load.finish());
  }

  /** Whether there were answers, all as they are while Redis is there. */
  isWell({ statuses }: Answers): boolean {
    return Object.keys(statuses).join() === String(this.#well);
  }

  #noted({ statuses, latenciesMs, unansweredMs }: LoadWindow): Answers {
    this.answered += statuses[this.#well] ?? 0;
    for (const [status, count] of Object.entries(statuses)) {
      if (![this.#well, 503].includes(Number(status)))
        faults.push(`${this.name} were answered ${status} ${count} times`);
    }
    return { statuses, slowestMs: Math.max(unansweredMs, ...latenciesMs) };
  }
}

async function tryTrouble(
  trouble: RedisTrouble,
  watches: readonly Watch[],
  server: ChildServer,
): Promise<void> {
  for (const watch of watches) await watch.window();
  const starvedMs = server.starvedMs();
  await trouble.begin();
  await sleep(forMs);
  const { status } = await ask(`${server.origin}/v1/signals`, { key: "x" });
  if (status !== 401) faults.push(`${trouble.name}: a malformed key is ${status}`);
  const lines = await windowLines(trouble.name, watches);
  const endedMs = performance.now();
  await trouble.end();
  const { tookMs, slowest } = await healed(watches, endedMs);
  const back = `coming back: slowest ${slowest.map((ms) => ms.toFixed(0)).join(", ")} ms`;
  if (Math.max(...slowest) > WAIT_MAX_MS) faults.push(`${trouble.name}: ${back}`);
  const starved = `in all without a core for ${(server.starvedMs() - starvedMs).toFixed(0)} ms`;
  const well = `well again after ${tookMs.toFixed(0)} ms; ${starved}`;
  console.log(`${trouble.name}: ${lines.join("; ")}; ${back}; ${well}`);
}

/** What each kind of request was answered during the trouble. */
async function windowLines(trouble: string, watches: readonly Watch[]): Promise<readonly string[]> {
  const lines: string[] = [];
  let failed = 0;
  for (const watch of watches) {
    const { statuses, slowestMs } = await watch.window();
    const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
    const line = `${watch.name} ${counts.join(" ")}, slowest ${slowestMs.toFixed(0)} ms`;
    lines.push(line);
    if (counts.length === 0) faults.push(`${trouble}: ${watch.name} were not answered`);
    if (slowestMs > WAIT_MAX_MS) faults.push(`${trouble}: ${line}`);
    failed += statuses[503] ?? 0;
  }
  if (failed === 0) faults.push(`${trouble} had no effect: ${lines.join("; ")}`);
  return lines;
}

/** How long it takes until all answers are well, and the slowest answer of each kind until then. */
async function healed(watches: readonly Watch[], sinceMs: number) {
  let slowest = watches.map(() => 0);
  for (;;) {
    await sleep(HEAL_STEP_MS);
    const windows = await Promise.all(watches.map((watch) => watch.window()));
    slowest = slowest.map((ms, at) => Math.max(ms, windows[at]!.slowestMs)); // one of each
    const ill = watches.filter((watch, at) => !watch.isWell(windows[at]!));
    const tookMs = performance.now() - sinceMs;
    if (ill.length === 0) return { tookMs, slowest };
    if (tookMs > HEAL_LIMIT_MS)
      throw new Error(`not well again: ${ill.map(({ name }) => name).join(", ")}`);
  }
}

/** Each answer cost one unit, and nothing else did: a call that is answered 503 is not charged. */
async function compare(store: Store, accountId: string, watch: Watch): Promise<void> {
  const usage = await withAdmin(store, { mustExist: true }, (admin) => admin.usageOf(accountId));
  const used = usage.allowances[0]?.used ?? 0;
  const line = `${watch.name}: used ${used}, answered 200 ${watch.answered} times`;
  console.log(line);
  if (used !== watch.answered || used === 0) faults.push(line);
}

async function expectRetryAfter(redis: RedisChild, url: string, key: string): Promise<void> {
  redis.signal("SIGSTOP");
  const { status, headers } = await ask(url, { key });
  redis.signal("SIGCONT");
  const after = headers.get("retry-after");
  if (status !== 503 || !/^[1-9]\d*$/.test(after ?? ""))
    faults.push(`${status} with Retry-After "${after}"`);
}

await main(async () => {
  // With "everysec", Redis may hold back what it has answered while a slow disk syncs, and lose it when it is killed.
  const redis = await RedisChild.start({ appendonly: "yes", appendfsync: "no" });
  const link = await TcpProxy.to(Number(new URL(redis.address).port));
  const store = storeIn(folder, redis.address);
  const [reader, poller, submitter, studier] = await makeAccounts(store, "load", ACCOUNTS);
  const { coins } = await readManifest(await currentSnapshot(snapshots));
  const coin = coins[0]!.ticker; // a snapshot has coins
  const usual = serveArgs(snapshots, { ...store, state: `redis://127.0.0.1:${link.port}` });
  const server = await startHindsight([...usual, "--job-threads", "0", "--metrics-port", "none"]);
  const { port, origin } = server;
  const path = `/v1/buy-hold?coin=${coin}`;
  const job = { strategy: CATALOGUE[0]!.name, coin, start_date: "2023-01-01" };
  const study = { ...job, strategy: "time_series_momentum", parameters: { lookback: [20, 30] } };
  const reads = new Watch("reads", { port, path, key: reader!.key, well: 200 });
  const ofSubmissions = { port, share: 1 / 2, well: 200 }; // loading Redis again takes time for each
  const submissions = new Watch("submissions", {
    ...ofSubmissions,
    key: submitter!.key,
    path: "/v1/backtests",
    body: JSON.stringify(job),
  });
  const studies = new Watch("studies", {
    ...ofSubmissions,
    key: studier!.key,
    path: "/v1/studies",
    body: JSON.stringify(study),
  });
  const watches = [
    reads,
    new Watch("polls", { port, path: "/v1/backtests/1", key: poller!.key, well: 404 }),
    submissions,
    studies,
    new Watch("an unknown key", { port, path, key: makeKey("live"), well: 401 }),
  ];
  for (const watch of watches) await watch.window();
  await sleep(WARM_MS);
  await expectRetryAfter(redis, origin + path, reader!.key);
  await sleep(forMs); // what this delays does not belong to the first trouble
  for (const trouble of redisTroubles(redis, link)) await tryTrouble(trouble, watches, server);
  for (const watch of watches) {
    const { slowestMs } = await watch.finish();
    if (slowestMs > WAIT_MAX_MS) faults.push(`at the end: ${watch.name}, ${slowestMs} ms`);
  }
  await server.stop();
  await compare(store, reader!.id, reads);
  await compare(store, submitter!.id, submissions);
  await compare(store, studier!.id, studies);
  assertNone(faults);
});
