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
 * Starts a Redis of its own (`redis-server`). Exits 1 if a request waited longer than it may or was answered otherwise
 * than it should be, if a trouble had no effect or did not end, or if usage is not exactly what was answered. Takes
 * 10,000 submissions of a kind in all, which is 2 seconds of 500 each.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { makeKey } from "../../server/accounts/keys.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { ownFolder } from "../support/own-folder.ts";
import { needed, positive, scriptOptions } from "../support/script-options.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { Load, type LoadWindow } from "../bench/load.ts";
import { writeRequests, type LoadRequest } from "../bench/raw-request.ts";
import { serveArgs } from "../bench/servers.ts";
import { makeAccounts, storeIn, type Store } from "../support/made-accounts.ts";
import { withAdmin } from "../cli/with-admin.ts";
import { startHindsight, type ChildServer } from "../support/child-server.ts";
import { RedisChild } from "./redis-child.ts";
import { redisTroubles, type RedisTrouble } from "./redis-troubles.ts";
import { TcpProxy } from "./tcp-proxy.ts";

const values = scriptOptions(import.meta.url, {
  snapshots: { type: "string" },
  seconds: { type: "string", default: "2" },
  rate: { type: "string", default: "500" },
});
const snapshots = needed(values.snapshots, "--snapshots DIR");
const forMs = 1000 * positive("--seconds", values.seconds);
const perSecond = positive("--rate", values.rate);

/** How long requests wait for Redis at most, and what a busy machine may add to that. */
const WAIT_MAX_MS = 250;
const BUSY_MS = 50;
/** A server that has just started is still compiling its code and making its pages. */
const WARM_MS = 6_000;
const HEAL_LIMIT_MS = 20_000;
const HEAL_STEP_MS = 20;
const CONNECTIONS = 256;
/** Of reads, polls, backtests and studies, and others that only exist. */
const ACCOUNTS = 63;

const folder = ownFolder("outages");
const faults: string[] = [];

type Statuses = Record<number, number>;

interface Answers {
  readonly statuses: Statuses;
  /** Of the requests that were answered, and of those that wait. */
  readonly slowestMs: number;
}

/** Answers to one kind of request, from the beginning on. */
class Watch {
  readonly name: string;
  readonly total: Statuses = {};
  readonly #well: number;
  readonly #probe: Load;

  /** `well` is the status of its answers while Redis is there. */
  constructor(
    name: string,
    {
      well,
      port,
      share = 1,
      ...sent
    }: {
      readonly well: number;
      readonly port: number;
      /** Of the rate. */
      readonly share?: number;
    } & LoadRequest,
  ) {
    this.name = name;
    this.#well = well;
    const requestsFile = writeRequests(join(folder, name), [sent]);
    const connections = CONNECTIONS;
    this.#probe = new Load({
      port,
      requestsFile,
      perSecond: share * perSecond,
      connections,
      sleeps: true,
    });
  }

  async window(): Promise<Answers> {
    return this.#noted(await this.#probe.window());
  }

  /** Sends nothing more, and takes the last answers. */
  async finish(): Promise<Answers> {
    return this.#noted(await this.#probe.finish());
  }

  /** Whether there were answers, all as they are while Redis is there. */
  isWell({ statuses }: Answers): boolean {
    const [only, ...others] = Object.keys(statuses);
    return only === String(this.#well) && others.length === 0;
  }

  stop(): void {
    this.#probe.stop();
  }

  #noted({ statuses, latenciesMs, unansweredMs }: LoadWindow): Answers {
    for (const [status, count] of Object.entries(statuses)) {
      this.total[Number(status)] = (this.total[Number(status)] ?? 0) + count;
      if (Number(status) !== this.#well && status !== "503") {
        faults.push(`${this.name} were answered ${status} ${count} times`);
      }
    }
    return { statuses, slowestMs: Math.max(unansweredMs, ...latenciesMs) };
  }
}

async function tryTrouble(
  trouble: RedisTrouble,
  watches: readonly Watch[],
  { origin }: ChildServer,
): Promise<void> {
  for (const watch of watches) await watch.window();
  await trouble.begin();
  await sleep(forMs);
  const reply = await fetch(`${origin}/v1/signals`, { headers: { authorization: "Bearer x" } });
  if (reply.status !== 401) faults.push(`${trouble.name}: a malformed key is ${reply.status}`);
  const lines = await windowLines(trouble.name, watches);
  const endedMs = performance.now();
  await trouble.end();
  const { tookMs, slowest } = await healed(watches, endedMs);
  const back = `coming back: slowest ${slowest.map((ms) => ms.toFixed(0)).join(", ")} ms`;
  if (Math.max(...slowest) > WAIT_MAX_MS + BUSY_MS) faults.push(`${trouble.name}: ${back}`);
  const well = `well again after ${tookMs.toFixed(0)} ms`;
  console.log(`${trouble.name}: ${lines.join("; ")}; ${back}; ${well}`);
}

async function windowLines(trouble: string, watches: readonly Watch[]): Promise<readonly string[]> {
  const lines: string[] = [];
  let failed = 0;
  for (const watch of watches) {
    const { statuses, slowestMs } = await watch.window();
    const counts = Object.entries(statuses).map(([status, count]) => `${count} x ${status}`);
    const line = `${watch.name} ${counts.join(" ")}, slowest ${slowestMs.toFixed(0)} ms`;
    lines.push(line);
    if (counts.length === 0) faults.push(`${trouble}: ${watch.name} were not answered`);
    failed += statuses[503] ?? 0;
    if (slowestMs > WAIT_MAX_MS + BUSY_MS) faults.push(`${trouble}: ${line}`);
  }
  if (failed === 0) faults.push(`${trouble} had no effect: ${lines.join("; ")}`);
  return lines;
}

/** How long it takes until all are well, and the slowest answer of each until then. */
async function healed(watches: readonly Watch[], sinceMs: number) {
  const slowest = watches.map(() => 0);
  for (;;) {
    await sleep(HEAL_STEP_MS);
    const windows = await Promise.all(watches.map((watch) => watch.window()));
    for (const [index, { slowestMs }] of windows.entries()) {
      slowest[index] = Math.max(slowest[index] ?? 0, slowestMs);
    }
    const ill = watches.filter((watch, index) => !watch.isWell(windows[index]!)); // one of each
    const tookMs = performance.now() - sinceMs;
    if (ill.length === 0) return { tookMs, slowest };
    if (tookMs > HEAL_LIMIT_MS) {
      throw new Error(`not well again: ${ill.map(({ name }) => name).join(", ")}`);
    }
  }
}

async function main(redis: RedisChild, link: TcpProxy): Promise<void> {
  const store = storeIn(folder, redis.address);
  const [reader, poller, submitter, studier] = await makeAccounts(store, "load", ACCOUNTS);
  const { coins } = await readManifest(await currentSnapshot(snapshots));
  const path = `/v1/buy-hold?coin=${coins[0]?.ticker ?? ""}`;
  const usual = serveArgs(snapshots, { ...store, state: `redis://127.0.0.1:${link.port}` });
  const own = ["--job-threads", "0", "--metrics-port", "none"];
  const server = await startHindsight([...usual, ...own]);
  const { port } = server;
  const job = { strategy: CATALOGUE[0]?.name, coin: coins[0]?.ticker, start_date: "2023-01-01" };
  const submitted = { path: "/v1/backtests", body: JSON.stringify(job) };
  const ofSubmissions = { share: 1 / 2, well: 200 }; // loading Redis again takes time for each
  const parameters = { lookback: [20, 30] };
  const study = { ...job, strategy: "time_series_momentum", parameters };
  const reads = new Watch("reads", { port, path, key: reader!.key, well: 200 });
  const submissions = new Watch("submissions", {
    port,
    key: submitter!.key,
    ...submitted,
    ...ofSubmissions,
  });
  const studies = new Watch("studies", {
    port,
    key: studier!.key,
    path: "/v1/studies",
    body: JSON.stringify(study),
    ...ofSubmissions,
  });
  const watches = [
    reads,
    new Watch("polls", { port, path: "/v1/backtests/1", key: poller!.key, well: 404 }),
    submissions,
    studies,
    new Watch("an unknown key", { port, path, key: makeKey("live"), well: 401 }),
  ];
  try {
    for (const watch of watches) await watch.window(); // begins its load
    await sleep(WARM_MS);
    await expectRetryAfter(redis, server.origin + path, reader!.key);
    await sleep(forMs); // what this delays does not belong to the first trouble
    for (const trouble of redisTroubles(redis, link)) {
      await tryTrouble(trouble, watches, server);
    }
    for (const watch of watches) {
      const { slowestMs } = await watch.finish();
      if (slowestMs > WAIT_MAX_MS + BUSY_MS)
        faults.push(`at the end: ${watch.name}, ${slowestMs} ms`);
    }
  } finally {
    for (const watch of watches) watch.stop();
    await server.stop();
  }
  await compare(store, reader!.id, reads);
  await compare(store, submitter!.id, submissions);
  await compare(store, studier!.id, studies);
}

/** Each answer cost one unit, and no other did: a call that is answered 503 is not charged. */
async function compare(store: Store, accountId: string, watch: Watch): Promise<void> {
  const usage = await withAdmin(store, { mustExist: true }, (admin) => admin.usageOf(accountId));
  const used = usage.allowances[0]?.used ?? 0;
  const answered = watch.total[200] ?? 0;
  const line = `${watch.name}: used ${used}, answered 200 ${answered} times`;
  console.log(line);
  if (used !== answered || answered === 0) faults.push(line);
}

async function expectRetryAfter(redis: RedisChild, url: string, key: string): Promise<void> {
  redis.signal("SIGSTOP");
  const reply = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
  redis.signal("SIGCONT");
  if (reply.status !== 503 || !/^[1-9]\d*$/.test(reply.headers.get("retry-after") ?? "")) {
    faults.push(`${reply.status} with Retry-After "${reply.headers.get("retry-after")}"`);
  }
}

try {
  const redis = await RedisChild.start({ appendonly: "yes" });
  await main(redis, await TcpProxy.to(Number(new URL(redis.address).port)));
} catch (error) {
  faults.push(error instanceof Error ? error.message : String(error));
}
if (faults.length > 0) {
  console.error(`failed:\n  ${faults.join("\n  ")}`);
  process.exitCode = 1;
}
process.exit();
