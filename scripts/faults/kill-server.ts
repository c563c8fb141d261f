/**
 * Kills a server under load with `kill -9` at random instants, again and again, and starts it anew. Kills the process
 * of its backtests at random too. Then waits for every job and checks the books:
 *
 *   - each account's usage is its answered reads and its jobs' units, plus at most the requests whose answer was lost
 *   - each accepted job has ended once, with a result or a refund, and an idempotency key has made one job
 *   - no account was over its cap
 *
 *   node dist/scripts/faults/kill-server.js [options]
 *
 *   --times N        kills (default: 100)
 *   --servers N      servers on one state file, killed in turn (default: 1)
 *   --snapshots DIR  folder of published snapshots (default: publishes a made-up market first, with a coin
 *                    whose backtests end in error)
 *   --seed TEXT      the same seed gives the same kills (default: 1)
 *
 * Exits 1 if something did not hold.
 */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { randomStream } from "../../pipeline/sources/random.ts";
import { databaseAt, loadDriver } from "../../server/accounts/sqlite/driver.ts";
import type { Connection } from "../../server/accounts/sqlite/state-file.ts";
import { serveArgs } from "../bench/servers.ts";
import { childrenOf, endOf, HINDSIGHT, watched } from "../support/child-processes.ts";
import { startHindsight, type ChildServer } from "../support/child-server.ts";
import { SERVER_NODE_FLAGS } from "../cli/node-flags.ts";
import { AccountLoad, totalOf } from "./account-load.ts";
import { bookFaults, capFaults, endedJobs, waitForJobs } from "./job-books.ts";
import { JsonClient } from "./json-client.ts";
import { PaidAccounts } from "./paid-accounts.ts";
import { snapshotsOrWild } from "./wild-market.ts";
import { ownFolder } from "../support/own-folder.ts";
import { scriptOptions, whole } from "../support/script-options.ts";

const values = scriptOptions(import.meta.url, {
  times: { type: "string", default: "100" },
  servers: { type: "string", default: "1" },
  snapshots: { type: "string" },
  seed: { type: "string", default: "1" },
});
const times = whole("--times", values.times);
const serversTotal = whole("--servers", values.servers);
const folder = ownFolder("kills");

const ACCOUNTS = 4;
const CONCURRENT_RUNS = 3;
/** Requests that an account has under way at once: more than its cap, so that they race for it. */
const LANES = 4;
/** The average pause of a lane between two requests: backtests run only where requests leave them time. */
const PAUSE_MS = 10;
/** The share of kills that fall on a server that is still starting. */
const EARLY_SHARE = 0.15;
const EARLY_MAX_MS = 900;
/** The share of loads in which the process that runs the backtests is killed too, before the server. */
const JOBS_SHARE = 0.5;
const LOAD_MAX_MS = 600;
/**
 * The share of loads that first wait, but not for ever, until a backtest has ended. Their process takes most of a
 * second to start, so in short loads alone none ends: accounts would be at their caps and nothing more accepted.
 */
const LONG_SHARE = 0.5;
const JOB_END_MAX_MS = 10_000;
const JOB_END_STEP_MS = 50;

/**
 * The same seed gives the same kills: whom, and when after the start of a load or after a backtest's end. What the loads ask for comes from another generator
 * with the same numbers each time, but which request gets which depends on how fast answers come.
 */
const kills = randomStream(`kills:${values.seed}`);
const draws = randomStream(`loads:${values.seed}`);

const client = new JsonClient();
const running: ChildServer[] = [];
const faults: string[] = [];

/** Loads all servers for a while, checks the caps, and kills one of them in the middle. */
async function killUnderLoad(loads: readonly AccountLoad[], stateFile: string): Promise<void> {
  const origins = running.map((server) => server.origin);
  let goesOn = true;
  const lanes = loads.flatMap((load) =>
    Array.from({ length: LANES }, (_, lane) =>
      load.run(origins[lane % origins.length] ?? "", () => goesOn),
    ),
  );
  if (kills.uniform() < LONG_SHARE) await untilJobEnds(stateFile);
  const ms = kills.uniform() * LOAD_MAX_MS;
  await sleep(ms / 2);
  faults.push(...withState(stateFile, (db) => capFaults(db, CONCURRENT_RUNS)));
  await killJobs(ms / 2);
  const victim = running.shift();
  if (victim?.exit !== undefined) throw new Error(`a server ended by itself with ${victim.exit}`);
  await victim?.kill();
  goesOn = false;
  await Promise.all(lanes);
}

async function untilJobEnds(stateFile: string): Promise<void> {
  const ended = () => withState(stateFile, endedJobs);
  const before = ended();
  const giveUpMs = performance.now() + JOB_END_MAX_MS;
  while (ended() === before && performance.now() < giveUpMs) await sleep(JOB_END_STEP_MS);
}

let jobKills = 0;

/** Waits for this long, and at some point in it kills a server's process for backtests. */
async function killJobs(withinMs: number): Promise<void> {
  const [kill, share, which] = [kills.uniform() < JOBS_SHARE, kills.uniform(), kills.uniform()];
  await sleep(withinMs * share);
  const server = running[Math.floor(which * running.length)];
  if (kill && server !== undefined && killedChildren(server.pid)) jobKills++;
  await sleep(withinMs * (1 - share));
}

/** Kills, at once, the processes that a process has started. Whether there were any. */
function killedChildren(pid: number): boolean {
  const children = childrenOf(pid);
  for (const child of children) {
    try {
      process.kill(child, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended meanwhile
    }
  }
  return children.length > 0;
}

/** Starts a server and kills it after this long, whether or not it is listening by then. */
async function startAndKill(args: readonly string[], afterMs: number): Promise<void> {
  const all = [...SERVER_NODE_FLAGS, HINDSIGHT, ...args];
  const child = watched(spawn(process.execPath, all, { stdio: ["ignore", "ignore", "inherit"] }));
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  const end = await endOf(child);
  clearTimeout(timer);
  if (end !== "SIGKILL") throw new Error(`a starting server ended with ${String(end)}`);
}

/** Reads the state file beside its owner. */
function withState<T>(file: string, work: (db: Connection) => T): T {
  const Driver = loadDriver();
  const db = new Driver(databaseAt(file), { timeout: 5000 });
  try {
    return work(db);
  } finally {
    db.close();
  }
}

async function killAgainAndAgain(
  args: readonly string[],
  loads: readonly AccountLoad[],
  stateFile: string,
): Promise<number> {
  let early = 0;
  for (let kill = 1; kill <= times; kill++) {
    if (kills.uniform() < EARLY_SHARE) {
      early++;
      await startAndKill(args, kills.uniform() * EARLY_MAX_MS);
      continue;
    }
    while (running.length < serversTotal) running.push(await startHindsight(args));
    await killUnderLoad(loads, stateFile);
  }
  return early;
}

async function main(): Promise<void> {
  const hasWildCoin = values.snapshots === undefined;
  const snapshots = await snapshotsOrWild(values.snapshots, folder);
  const paid = new PaidAccounts(folder, CONCURRENT_RUNS);
  const accounts = await paid.create(ACCOUNTS);
  const loads = accounts.map(
    (account) =>
      new AccountLoad({
        account,
        client,
        uniform: () => draws.uniform(),
        pauseMs: PAUSE_MS,
        hasWildCoin,
      }),
  );
  const args = serveArgs(snapshots, paid.state, paid.plans);
  const early = await killAgainAndAgain(args, loads, paid.state);
  const last = running[0] ?? (await startHindsight(args));
  if (running.length === 0) running.push(last);
  for (const load of loads) await load.settle(last.origin);
  await waitForJobs(() => withState(paid.state, (db) => capFaults(db, 0)).length === 0);
  const seen = new Map<string, string>();
  for (const load of loads) faults.push(...load.faults, ...(await load.check(last.origin, seen)));
  for (const load of loads) await load.readUsage(last.origin);
  const end = await last.stop();
  if (end !== 0) faults.push(`the last server ended with ${String(end)}`);
  // Once the servers have ended, the state file has what they counted in the last second.
  await Promise.all(running.map((server) => server.stop()));
  const books = withState(paid.state, (db) => bookFaults(db, loads));
  faults.push(...books.faults);
  if (hasWildCoin && books.failed === 0)
    faults.push("no job ended in error, so no refund was seen");
  report(early, loads, books.summary);
}

function report(early: number, loads: readonly AccountLoad[], summary: string): void {
  const { counts, text } = totalOf(loads);
  console.log(
    `${times} kills, ${early} of them at a start, and ${jobKills} of a process for backtests; ${text}`,
  );
  console.log(summary);
  if (faults.length > 0) throw new Error(`\n  ${faults.slice(0, 20).join("\n  ")}`);
  if (counts.reads === 0 || counts.submitted === 0) {
    throw new Error("no read or no submission was answered, so nothing was tested");
  }
  console.log("every accepted job ended once, and every account paid what it owes");
}

try {
  await main();
} catch (error) {
  console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  client.close();
  for (const server of running) await server.kill();
}
