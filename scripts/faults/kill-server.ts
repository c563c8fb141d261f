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
import { randomStream } from "../../pipeline/sources/random.ts";
import { serveArgs } from "../bench/servers.ts";
import { childrenOf, endOf, HINDSIGHT, runScript, watched } from "../support/child-processes.ts";
import { startHindsight, type ChildServer } from "../support/child-server.ts";
import { SERVER_NODE_FLAGS } from "../cli/node-flags.ts";
import { AccountLoad, totalOf } from "./account-load.ts";
import { JsonClient } from "./json-client.ts";
import { usageAudit } from "./usage-audit.ts";
import { snapshotsOrWild } from "./wild-market.ts";
import { makeAccounts, RUNS_AT_ONCE, storeIn, type Store } from "../support/made-accounts.ts";
import { ownFolder } from "../support/own-folder.ts";
import { scriptOptions, whole } from "../support/script-options.ts";

const values = scriptOptions(import.meta.url, {
  times: { type: "string", default: "100" },
  snapshots: { type: "string" },
  seed: { type: "string", default: "1" },
});
const times = whole("--times", values.times);
const folder = ownFolder("kills");

const ACCOUNTS = 4;
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
const JOBS_END_MAX_MS = 120_000;
const STEP_MS = 50;

/**
 * The same seed gives the same kills: whom, and when after the start of a load or after a backtest's end. What the
 * loads ask for comes from another generator with the same numbers each time, but which request gets which depends on
 * how fast answers come.
 */
const kills = randomStream(`kills:${values.seed}`);
const draws = randomStream(`loads:${values.seed}`);

const client = new JsonClient();
const faults: string[] = [];
let server: ChildServer | undefined;

/** Loads a server for a while, checks the caps, and kills it in the middle. */
async function killUnderLoad(victim: ChildServer, loads: readonly AccountLoad[]): Promise<void> {
  let goesOn = true;
  const lanes = loads.flatMap((load) =>
    Array.from({ length: LANES }, () => load.run(victim.origin, () => goesOn)),
  );
  if (kills.uniform() < LONG_SHARE) await untilJobEnds(loads);
  const ms = kills.uniform() * LOAD_MAX_MS;
  await sleep(ms / 2);
  for (const load of loads) {
    const running = await runningOf(load, victim.origin);
    if (running > RUNS_AT_ONCE) faults.push(`${load.account.id} has ${running} jobs under way`);
  }
  await killJobs(victim, ms / 2);
  if (victim.exit !== undefined) throw new Error(`the server ended by itself with ${victim.exit}`);
  await victim.kill();
  goesOn = false;
  await Promise.all(lanes);
}

async function runningOf(load: AccountLoad, origin: string): Promise<number> {
  await load.readUsage(origin);
  return (load.usage?.backtests_running ?? NaN) as number;
}

async function untilJobEnds(loads: readonly AccountLoad[]): Promise<void> {
  const ended = () => loads.reduce((sum, load) => sum + load.ended.size, 0);
  const before = ended();
  const giveUpMs = performance.now() + JOB_END_MAX_MS;
  while (ended() === before && performance.now() < giveUpMs) await sleep(STEP_MS);
}

async function untilNoneRuns(loads: readonly AccountLoad[], origin: string): Promise<void> {
  const giveUpMs = performance.now() + JOBS_END_MAX_MS;
  for (const load of loads) {
    while ((await runningOf(load, origin)) > 0) {
      if (performance.now() > giveUpMs) throw new Error("jobs are still under way");
      await sleep(STEP_MS);
    }
  }
}

let jobKills = 0;

/** Waits for this long, and at some point in it kills the server's process for backtests. */
async function killJobs({ pid }: ChildServer, withinMs: number): Promise<void> {
  const [kill, share] = [kills.uniform() < JOBS_SHARE, kills.uniform()];
  await sleep(withinMs * share);
  if (kill && killedChildren(pid)) jobKills++;
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

async function killAgainAndAgain(
  args: readonly string[],
  loads: readonly AccountLoad[],
): Promise<number> {
  let early = 0;
  for (let kill = 1; kill <= times; kill++) {
    if (kills.uniform() < EARLY_SHARE) {
      early++;
      await startAndKill(args, kills.uniform() * EARLY_MAX_MS);
    } else {
      server = await startHindsight(args);
      await killUnderLoad(server, loads);
    }
  }
  return early;
}

/** What an account has used of its live quota, as the command line shows it. */
async function usedBy(accountId: string, { state, plans }: Store): Promise<number> {
  const show = ["accounts", "show", accountId, "--state", state, "--plans", plans, "--json"];
  const shown = JSON.parse(await runScript(HINDSIGHT, show)) as {
    readonly usage: readonly { readonly env: string; readonly used: number }[];
  };
  return shown.usage.find(({ env }) => env === "live")?.used ?? NaN;
}

async function main(): Promise<void> {
  const hasWildCoin = values.snapshots === undefined;
  const snapshots = await snapshotsOrWild(values.snapshots, folder);
  const store = storeIn(folder);
  const uniform = () => draws.uniform();
  const loads = (await makeAccounts(store, "runs", ACCOUNTS)).map((account, index) => {
    // Where every submission has a key the counts are exact: in the end each job is known.
    const more = index % 2 === 0 ? { keyedShare: 1 } : {};
    return new AccountLoad({ account, client, uniform, pauseMs: PAUSE_MS, hasWildCoin, ...more });
  });
  const args = serveArgs(snapshots, store);
  const early = await killAgainAndAgain(args, loads);
  server = await startHindsight(args);
  const { origin } = server;
  for (const load of loads) await load.settle(origin);
  if (hasWildCoin) for (const load of loads) await load.fail(origin);
  await untilNoneRuns(loads, origin);
  const seen = new Map<string, string>();
  for (const load of loads) await load.check(origin, seen);
  const end = await server.stop();
  if (end !== 0) faults.push(`the last server ended with ${String(end)}`);
  for (const load of loads) {
    const audit = usageAudit(load, await usedBy(load.account.id, store));
    faults.push(...audit.faults);
    console.log(audit.line);
  }
  faults.push(...loads.flatMap((load) => load.faults));
  report(early, loads);
}

function report(early: number, loads: readonly AccountLoad[]): void {
  const { counts, text } = totalOf(loads);
  const failed = loads.reduce((sum, { jobs, done }) => sum + jobs.size - done, 0);
  console.log(
    `${times} kills, ${early} of them at a start, and ${jobKills} of a process for backtests; ${text}; ${failed} jobs ended in error`,
  );
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
  await server?.kill();
}
