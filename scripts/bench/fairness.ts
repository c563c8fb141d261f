/** How long an account's cheap reads wait while one other caller does its worst. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { runOpenLoop, type OpenLoopResult } from "./load.ts";
import { spreadText, target, type Bench, type PartResult, type Target } from "./part.ts";
import { writeRequests } from "./raw-request.ts";
import { startOurs } from "./servers.ts";
import { spreadOf } from "./spread.ts";
import * as worst from "./worst-callers.ts";

const READS_PER_SECOND = 200;
const CONNECTIONS = 16;
/** Accounts of others in each measurement, on the largest plan: their rates are used up by it. */
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

/** What one other caller does; resolves with what it measured itself, in milliseconds. */
interface Row {
  readonly what: string;
  readonly run: (called: worst.Called) => Promise<number | void>;
  /** What `run` measures, and how much it may be. */
  readonly own?: { readonly what: string; readonly below: number };
}

const smallCheck = async (called: worst.Called): Promise<number> => {
  const startedMs = performance.now();
  const status = await worst.checked(called, called.keys.at(-1)!, worst.worstFile(3, 200)); // there are five
  return status === 200 ? performance.now() - startedMs : Infinity;
};

/** A small check of another account in the middle of what takes so long. */
const besideCheck =
  (run: (called: worst.Called, forMs: number) => Promise<void>) => async (called: worst.Called) => {
    const running = run(called, CHECKS_MS);
    await sleep(CHECKS_MS / 4);
    const tookMs = await smallCheck(called);
    await running;
    return tookMs;
  };

const SMALL_CHECK = { what: "a small check of another account", below: CHECK_WAIT_MAX_MS };

const ROWS: readonly Row[] = [
  { what: "nothing", run: () => sleep(ALONE_MS) },
  { what: "600 past boards at once, one key", run: (called) => worst.pastBoards(called) },
  { what: "600 large answers unread, one key", run: worst.largeUnread },
  { what: "the worst checks, one key", run: besideCheck(worst.worstChecks), own: SMALL_CHECK },
  { what: "eight slow uploads, four keys", run: besideCheck(worst.slowUploads), own: SMALL_CHECK },
  { what: "1,000 searches at once, no key", run: worst.searches },
  { what: "every page at once, cold, no key", run: worst.everyPage },
  { what: "/dataset unread by 600, no key", run: worst.pagesUnread },
  { what: "1,000 unknown paths at once, no key", run: worst.unknownPaths },
  {
    what: "the first page after a start",
    own: { what: "the first page after a start", below: 300 },
    async run({ port }) {
      const startedMs = performance.now();
      const page = await fetch(`http://127.0.0.1:${port}/coins/btc`);
      await page.arrayBuffer();
      return performance.now() - startedMs;
    },
  },
];

interface Measured {
  readonly reads: readonly OpenLoopResult[];
  readonly ownMs: readonly number[];
  readonly memoryMib: readonly number[];
}

export async function fairness(bench: Bench): Promise<PartResult> {
  const manifest = await readManifest(await currentSnapshot(bench.snapshots));
  const store = storeIn(bench.folder);
  const [reader] = await makeAccounts(store, "load", 1);
  const others = await makeAccounts(store, PLAN, OTHERS * ROWS.length * bench.rounds);
  const path = `/v1/signals?coin=${manifest.coins[0]?.ticker ?? ""}`;
  const requestsFile = writeRequests(join(bench.folder, "reads"), [
    { path, key: reader?.key ?? "" },
  ]);
  let used = 0;
  const measure = async ({ what, run }: Row) => {
    bench.progress(`fairness: ${what}`);
    const keys = others.slice(used, (used += OTHERS)).map(({ key }) => key);
    // A new server for each, with nothing in its caches.
    const server = await startOurs(bench.snapshots, store);
    try {
      await sleep(SETTLE_MS);
      const before = memoryMibOf(server.pid, "VmRSS");
      let ownMs = NaN;
      const reads = await runOpenLoop({
        port: server.port,
        requestsFile,
        perSecond: READS_PER_SECOND,
        warmSeconds: 1,
        async during() {
          ownMs = (await run({ port: server.port, manifest, keys })) ?? NaN;
          await sleep(SETTLE_MS);
        },
        connections: CONNECTIONS,
        sleeps: true,
      });
      return { reads, ownMs, memoryMib: memoryMibOf(server.pid, "VmHWM") - before };
    } finally {
      await server.stop();
    }
  };
  const measured = new Map<Row, Measured>();
  for (const row of ROWS) {
    const rounds = [];
    for (let round = 0; round < bench.rounds; round++) rounds.push(await measure(row));
    measured.set(row, {
      reads: rounds.map(({ reads }) => reads),
      ownMs: rounds.map(({ ownMs }) => ownMs),
      memoryMib: rounds.map(({ memoryMib }) => memoryMib),
    });
  }
  return resultOf(measured);
}

/** NaN if the system does not tell (not Linux). */
function memoryMibOf(pid: number, name: "VmRSS" | "VmHWM"): number {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
  } catch {
    return NaN;
  }
}

function resultOf(measured: ReadonlyMap<Row, Measured>): PartResult {
  const figures = [...measured].map(([{ what, own }, { reads, ownMs, memoryMib }]) => ({
    what,
    own,
    p50_ms: spreadOf(reads.map(({ p50_ms }) => p50_ms)),
    p99_ms: spreadOf(reads.map(({ p99_ms }) => p99_ms)),
    worst_ms: spreadOf(reads.map(({ max_ms }) => max_ms)),
    memory_mib: spreadOf(memoryMib),
    own_ms: spreadOf(ownMs),
    failed: reads.reduce((sum, { failed }) => sum + failed, 0),
  }));
  return {
    title: `Reads of one account, ${READS_PER_SECOND}/s, while another caller does its worst: milliseconds`,
    columns: ["meanwhile", "p50", "p99", "worst", "memory, MiB", "its own wait"],
    rows: figures.map((each) => [
      each.what,
      spreadText(each.p50_ms, 1),
      spreadText(each.p99_ms, 1),
      spreadText(each.worst_ms, 0),
      spreadText(each.memory_mib, 0),
      each.own === undefined ? "" : spreadText(each.own_ms, 0),
    ]),
    notes: [
      "Each row has a server of its own, whose caches are empty. The memory is the most it had, less what it had before.",
    ],
    targets: figures.flatMap((each): Target[] => [
      target(`p99 beside ${each.what}`, { below: P99_MAX_MS }, each.p99_ms.median),
      target(`worst beside ${each.what}`, { below: WORST_MAX_MS }, each.worst_ms.median),
      target(`MiB for ${each.what}`, { below: MEMORY_MAX_MIB }, each.memory_mib.median),
      target(`failed beside ${each.what}`, { below: 1 }, each.failed),
      ...(each.own === undefined
        ? []
        : [target(each.own.what, { below: each.own.below }, each.own_ms.median)]),
    ]),
    figures: { rows: figures },
  };
}
