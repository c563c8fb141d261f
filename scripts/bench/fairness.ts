/** How long a check of one account may wait for the checks of another. */
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { cpuMsOf } from "../support/child-processes.ts";
import { startHindsight } from "../support/child-server.ts";
import { FLOODS } from "./floods.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { ask } from "../support/ask.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { runOpenLoop, writeRequests, type OpenLoopResult } from "./load.ts";
import { inRounds, spreadOf, target, type Bench, type PartResult } from "./part.ts";
import { serveArgs } from "./servers.ts";
import {
  AT_ONCE,
  slowUploads,
  UNREAD,
  worstChecks,
  worstFile,
  type Called,
} from "./worst-callers.ts";

const READS_PER_SECOND = 200;
const CONNECTIONS = 16;
/** Other accounts in each measurement, on the largest plan. Each measurement uses up their rates. */
const OTHERS = 5;
const PLAN = "scale";
/** How long an account's check may wait for those of another. */
const CHECK_WAIT_MAX_MS = 10_000;
const P99_MAX_MS = 25;
const WORST_MAX_MS = 100;
const MEMORY_MAX_MIB = 256;
const SETTLE_MS = 500;
const ALONE_MS = 4000;
const CHECKS_MS = 8000;

/** What one other caller does. */
interface Row {
  readonly what: string;
  /** May resolve with a time in milliseconds, which `own` describes. */
  readonly run: (called: Called) => Promise<number | void>;
  /** The time that `run` resolves with, and its limit. */
  readonly own?: { readonly what: string; readonly below: number };
  /** Further arguments of the server. */
  readonly args?: readonly string[];
}

const SIGN_IN = ["--accounts-page", "yes", "--signup", "open", "--trusted-proxy", "127.0.0.1"];

const SMALL_CHECK = { what: "a small check of another account", below: CHECK_WAIT_MAX_MS };
const FIRST_PAGE = { what: "the first page after a start", below: 300 };

const ROWS: readonly Row[] = [
  { what: "nothing", run: () => sleep(ALONE_MS) },
  { what: "600 past boards at once, one key", run: AT_ONCE.pastBoards },
  { what: "600 broken bodies at once, one key", run: AT_ONCE.brokenBodies },
  { what: "600 large answers unread, one key", run: UNREAD.dataset },
  { what: "the worst checks, one key", run: besideCheck(worstChecks), own: SMALL_CHECK },
  { what: "eight slow uploads, four keys", run: besideCheck(slowUploads), own: SMALL_CHECK },
  { what: "1,000 searches at once, no key", run: AT_ONCE.searches },
  { what: "every page at once, cold, no key", run: AT_ONCE.everyPage },
  { what: "/dataset unread by 600, no key", run: UNREAD.pages },
  { what: "1,000 unknown paths at once, no key", run: AT_ONCE.unknownPaths },
  { what: "600 unknown fields by 300, one key", run: FLOODS.fields },
  { what: "sign-in forms by 256 networks of a site", run: FLOODS.signInsOfSite, args: SIGN_IN },
  { what: "sign-in forms, each of a new network", run: FLOODS.signInsOfMany, args: SIGN_IN },
  { what: "240 kB to /studies by 100, one key", run: FLOODS.bodies },
  { what: "14 kB of headers by 300, one key", run: FLOODS.headers },
  { what: "forms of 8,000 parts by 4, one key", run: FLOODS.forms },
  { what: "500 ranges of a page by 300, no key", run: FLOODS.ranges },
  { what: "/history by 600, one key", run: FLOODS.history },
  {
    what: FIRST_PAGE.what,
    own: FIRST_PAGE,
    run: ({ origin }) => msOf(() => ask(`${origin}/coins/btc`)),
  },
];

async function msOf(work: () => Promise<unknown>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** A small check of another account while this goes on. */
function besideCheck(run: (called: Called, forMs: number) => Promise<void>): Row["run"] {
  const body = worstFile(3, 200);
  return async (called) => {
    const running = run(called, CHECKS_MS);
    await sleep(CHECKS_MS / 4);
    let status = 0;
    const tookMs = await msOf(async () => {
      ({ status } = await ask(`${called.origin}/v1/check`, { key: called.keys.at(-1), body }));
    });
    await running;
    return status === 200 ? tookMs : Infinity;
  };
}

export async function fairness(bench: Bench): Promise<PartResult> {
  const manifest = await readManifest(await currentSnapshot(bench.snapshots));
  const store = storeIn(bench.folder);
  const [reader] = await makeAccounts(store, "load", 1);
  const others = [...(await makeAccounts(store, PLAN, OTHERS * ROWS.length * bench.rounds))];
  const path = `/v1/signals?coin=${manifest.coins[0]!.ticker}`; // a snapshot has coins
  const requestsFile = writeRequests(bench.folder, "reads", [{ path, key: reader!.key }]);
  const measure = async ({ run, args = [] }: Row) => {
    const keys = others.splice(0, OTHERS).map(({ key }) => key);
    const server = await startHindsight([...serveArgs(bench.snapshots, store), ...args]);
    const { port, origin, pid } = server;
    const { folder } = bench;
    const othersCpuMs = () => cpuMsOf(process.pid, { children: true }) - server.cpuMs();
    await sleep(SETTLE_MS);
    const before = memoryMibOf(pid, "VmRSS");
    let ownMs = NaN;
    let cores = NaN;
    const reads = await runOpenLoop({
      port,
      requestsFile,
      perSecond: READS_PER_SECOND,
      warmSeconds: 1,
      async during() {
        const [cpuMs, startedMs] = [othersCpuMs(), performance.now()];
        ownMs = (await run({ folder, port, origin, manifest, keys })) ?? NaN;
        await sleep(SETTLE_MS);
        cores = (othersCpuMs() - cpuMs) / (performance.now() - startedMs);
      },
      connections: CONNECTIONS,
      sleeps: true,
    });
    const memoryMib = memoryMibOf(pid, "VmHWM") - before;
    await server.stop();
    return { ...reads, ownMs, memoryMib, cores };
  };
  const measured = [];
  for (const row of ROWS) {
    measured.push(lineOf(row, await inRounds(bench, row.what, () => measure(row))));
  }
  return {
    title: `Reads of one account, ${READS_PER_SECOND}/s, while another caller asks for too much: milliseconds`,
    rows: measured.map(({ row }) => row),
    notes: [
      "Each row has a server of its own, whose caches are empty. The memory is the most it had, less what it had before.",
    ],
    targets: measured.flatMap(({ targets }) => targets),
  };
}

interface Measured extends OpenLoopResult {
  readonly ownMs: number;
  readonly memoryMib: number;
  /** What the processes that send took of the cores. */
  readonly cores: number;
}

function lineOf({ what, own }: Row, rounds: readonly Measured[]) {
  const p99 = spreadOf(rounds.map(({ p99_ms }) => p99_ms));
  const worst = spreadOf(rounds.map(({ max_ms }) => max_ms));
  const memory = spreadOf(rounds.map(({ memoryMib }) => memoryMib));
  const ownMs = spreadOf(rounds.map((round) => round.ownMs));
  const row = {
    meanwhile: what,
    p50: spreadOf(rounds.map(({ p50_ms }) => p50_ms)),
    p99,
    worst,
    "memory, MiB": memory,
    "senders, cores": spreadOf(rounds.map(({ cores }) => cores)),
    "its own wait": own === undefined ? "" : ownMs,
  };
  const targets = [
    target(`p99 beside ${what}`, { below: P99_MAX_MS }, p99.median),
    target(`worst beside ${what}`, { below: WORST_MAX_MS }, worst.median),
    target(`MiB for ${what}`, { below: MEMORY_MAX_MIB }, memory.median),
    target(`failed beside ${what}`, { below: 1 }, sum(rounds.map(({ failed }) => failed))),
  ];
  if (own !== undefined) targets.push(target(own.what, { below: own.below }, ownMs.median));
  return { row, targets };
}

/** NaN where the system does not report it (not Linux). */
function memoryMibOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
  } catch {
    return NaN;
  }
}
