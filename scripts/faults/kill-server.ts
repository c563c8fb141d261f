/**
 * Kills a server under load with `kill -9` at random instants, again and again, and starts it anew. Kills the process
 * of its backtests at random too. Then waits for every job and audits the usage, over HTTP and with the command line:
 *
 *   - each account's usage is its answered reads and its jobs' units, plus at most the requests whose answer was lost
 *   - each accepted job has ended once, with a result or a refund, and an idempotency key has made one job
 *   - no account was over its cap
 *
 *   node dist/scripts/faults/kill-server.js [options]
 *
 *   --times N        kills (default: 100)
 *   --snapshots DIR  folder of published snapshots (default: publishes a made-up market first, with a coin
 *                    whose backtests end in error)
 *   --seed TEXT      the same seed gives the same kills (default: 1)
 *
 * Exits 1 if something did not hold.
 */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { randomStream } from "../../pipeline/sources/random.ts";
import { serveArgs } from "../bench/servers.ts";
import { SERVER_NODE_FLAGS } from "../../cli/node-flags.ts";
import { childrenOf, endOf, HINDSIGHT, watched } from "../support/child-processes.ts";
import { startHindsight, type ChildServer } from "../support/child-server.ts";
import { makeAccounts, RUNS_AT_ONCE, storeIn } from "../support/made-accounts.ts";
import { ownFolder } from "../support/own-folder.ts";
import { assertNone, main, scriptOptions, whole } from "../support/script-options.ts";
import { AccountLoad } from "./account-load.ts";
import { JsonClient } from "./json-client.ts";
import { answersText, auditOf, settle } from "./usage-audit.ts";
import { snapshotsOrWild } from "./wild-market.ts";

const values = scriptOptions(import.meta.url, {
  times: { type: "string", default: "100" },
  snapshots: { type: "string" },
  seed: { type: "string", default: "1" },
});
const times = whole("--times", values.times);

const ACCOUNTS = 4;
/** Requests that an account has under way at once. They are more than its cap, so that they race for it. */
const LANES = 4;
/** The average pause of a lane between two requests. Backtests run only where requests leave them time. */
const PAUSE_MS = 10;
/** The share of kills that fall on a server that is still starting. */
const EARLY_SHARE = 0.15;
const EARLY_MAX_MS = 900;
/** The share of loads in which the process that runs the backtests is killed too, before the server. */
const JOBS_SHARE = 0.5;
const LOAD_MAX_MS = 600;
/**
 * The share of loads that first wait, within a limit, until a backtest has ended. The process for backtests takes most
 * of a second to start, so in short loads none would end, all accounts would be at their caps, and nothing more would
 * be accepted.
 */
const LONG_SHARE = 0.5;
const JOB_END_MAX_MS = 10_000;
const STEP_MS = 50;

/**
 * The same seed gives the same kills: which process, and when. The loads draw their requests from another generator
 * with the same numbers each time, but which request gets which number depends on how fast answers come.
 */
const kills = randomStream(`kills:${values.seed}`);
const draws = randomStream(`loads:${values.seed}`);

const faults: string[] = [];
let early = 0;
let jobKills = 0;

/** Loads a server for a while, checks the caps, and kills it in the middle. */
async function killUnderLoad(server: ChildServer, loads: readonly AccountLoad[]): Promise<void> {
  let goesOn = true;
  const lanes = loads.flatMap((load) =>
    Array.from({ length: LANES }, () => load.run(server.origin, () => goesOn)),
  );
  if (kills.uniform() < LONG_SHARE) await untilJobEnds(loads);
  const ms = kills.uniform() * LOAD_MAX_MS;
  await sleep(ms / 2);
  for (const load of loads) {
    const running = await load.readUsage(server.origin);
    if (running > RUNS_AT_ONCE) faults.push(`${load.account.id} has ${running} jobs under way`);
  }
  await killJobs(server.pid, ms / 2);
  if (server.exit !== undefined) throw new Error(`the server ended by itself with ${server.exit}`);
  await server.kill();
  goesOn = false;
  await Promise.all(lanes);
}

async function untilJobEnds(loads: readonly AccountLoad[]): Promise<void> {
  const ended = () => sum(loads.map((load) => load.ended.size));
  const before = ended();
  const giveUpMs = performance.now() + JOB_END_MAX_MS;
  while (ended() === before && performance.now() < giveUpMs) await sleep(STEP_MS);
}

/** Waits this long, and at some point in it may kill the process for backtests that the server has started. */
async function killJobs(pid: number, withinMs: number): Promise<void> {
  const [kill, share] = [kills.uniform() < JOBS_SHARE, kills.uniform()];
  await sleep(withinMs * share);
  const children = kill ? childrenOf(pid) : [];
  for (const child of children) {
    try {
      process.kill(child, "SIGKILL");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended meanwhile
    }
  }
  if (children.length > 0) jobKills++;
  await sleep(withinMs * (1 - share));
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

await main(async () => {
  const folder = ownFolder("kills");
  const hasWildCoin = values.snapshots === undefined;
  const snapshots = await snapshotsOrWild(values.snapshots, folder);
  const store = storeIn(folder);
  const client = new JsonClient();
  const uniform = () => draws.uniform();
  const loads = (await makeAccounts(store, "runs", ACCOUNTS)).map((account, index) => {
    // Where every submission has a key the counts are exact: in the end each job is known.
    const more = index % 2 === 0 ? { keyedShare: 1 } : {};
    return new AccountLoad({ account, client, uniform, pauseMs: PAUSE_MS, hasWildCoin, ...more });
  });
  const args = serveArgs(snapshots, store);
  for (let kill = 1; kill <= times; kill++) {
    if (kills.uniform() < EARLY_SHARE) {
      early++;
      await startAndKill(args, kills.uniform() * EARLY_MAX_MS);
    } else {
      await killUnderLoad(await startHindsight(args), loads);
    }
  }
  const server = await startHindsight(args);
  await settle(loads, server.origin, hasWildCoin);
  const end = await server.stop();
  if (end !== 0) faults.push(`the last server ended with ${String(end)}`);
  const audit = await auditOf(loads, store);
  for (const line of audit.lines) console.log(line);
  const failed = sum(loads.map(({ jobs, done }) => jobs.size - done));
  console.log(
    `${times} kills, ${early} of them at a start, and ${jobKills} of a process for backtests; ${answersText(loads)}; ${failed} jobs ended in error`,
  );
  assertNone([...faults, ...audit.faults]);
  console.log("every accepted job ended once, and every account paid what it owes");
});
