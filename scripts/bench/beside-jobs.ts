/** The p99 of one account's reads at a steady rate, alone and beside backtests, studies or checks of twenty others. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import type { ChildServer } from "../support/child-server.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { runOpenLoop, type OpenLoopResult } from "./load.ts";
import { spreadText, target, type Bench, type PartResult } from "./part.ts";
import { writeRequests } from "./raw-request.ts";
import { startOurs } from "./servers.ts";
import { ratioSpread, spreadOf } from "./spread.ts";

const SUBMITTERS = 20;
const JOBS_EACH = 50;
const READS_PER_SECOND = 500;
const READ_CONNECTIONS = 16;
const ALONE_SECONDS = 8;
const POLL_MS = 50;
const START_DATE = "2022-01-01";
const BACKTESTS = Array.from({ length: JOBS_EACH }, (_, job) => {
  return { strategy: CATALOGUE[job % CATALOGUE.length]!.name }; // below its length
});
const STUDY_SETS = 100;
const STUDY = {
  strategy: "time_series_momentum",
  parameters: { lookback: { from: 10, to: 9 + STUDY_SETS, step: 1 } },
};

/** What other accounts do meanwhile. */
interface Load {
  readonly what: string;
  /** How many times the p99 alone that beside it may be. */
  readonly timesBelow: number;
  /** Resolves with the milliseconds until all of it was over. */
  run(server: ChildServer, keys: readonly string[], coin: string): Promise<number>;
}

export const besideJobs = (bench: Bench) =>
  besideLoad(bench, {
    what: `${SUBMITTERS * JOBS_EACH} backtests`,
    timesBelow: 4,
    run: runJobs("/v1/backtests", BACKTESTS),
  });

export const besideStudies = (bench: Bench) =>
  besideLoad(bench, {
    what: `${SUBMITTERS} studies of ${STUDY_SETS} sets`,
    timesBelow: 4,
    run: runJobs("/v1/studies", [STUDY]),
  });

export const besideChecks = (bench: Bench) =>
  besideLoad(bench, { what: `${SUBMITTERS} checks`, timesBelow: 2, run: runChecks });

async function besideLoad(bench: Bench, load: Load): Promise<PartResult> {
  const { coins } = await readManifest(await currentSnapshot(bench.snapshots));
  const ticker = coins[0]?.ticker ?? "";
  const store = storeIn(bench.folder);
  const accounts = await makeAccounts(store, "load", SUBMITTERS + 1);
  const [key = "", ...others] = accounts.map((account) => account.key);
  const path = `/v1/signals?coin=${ticker}`;
  const requestsFile = writeRequests(join(bench.folder, "reads"), [{ path, key }]);
  const server = await startOurs(bench.snapshots, store);
  const readDuring = (during: () => Promise<unknown>) =>
    runOpenLoop({
      port: server.port,
      requestsFile,
      perSecond: READS_PER_SECOND,
      warmSeconds: 0,
      during,
      connections: READ_CONNECTIONS,
      sleeps: true,
    });
  const alone: OpenLoopResult[] = [];
  const beside: OpenLoopResult[] = [];
  const tookMs: number[] = [];
  try {
    await load.run(server, others.slice(0, 1), ticker); // starts the threads
    for (let round = 1; round <= bench.rounds; round++) {
      bench.progress(`round ${round} of ${bench.rounds}: reads beside ${load.what}`);
      alone.push(await readDuring(() => sleep(ALONE_SECONDS * 1000)));
      beside.push(
        await readDuring(async () => tookMs.push(await load.run(server, others, ticker))),
      );
    }
  } finally {
    await server.stop();
  }
  return resultOf(load, { alone, beside, tookMs });
}

/** Checks a matrix of 100 variants by 1,000 days for each key; those that find no place come again when told. */
async function runChecks({ origin }: ChildServer, keys: readonly string[]): Promise<number> {
  const startedMs = performance.now();
  const names = Array.from({ length: 100 }, (_, variant) => `v${variant}`);
  const rows = Array.from({ length: 1000 }, (_, day) => {
    const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10);
    return [date, ...names.map((_, variant) => Math.sin(day * day + variant) / 50)].join(",");
  });
  const body = [["date", ...names].join(","), ...rows].join("\n");
  const checked = async (key: string): Promise<void> => {
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${origin}/v1/check`, { method: "POST", headers, body });
    const { status } = response;
    if (status === 503) {
      await sleep(Number(response.headers.get("retry-after")) * 1000);
      await checked(key);
    } else if (status !== 200) throw new Error(`a check was answered ${status}`);
  };
  await Promise.all(keys.map(checked));
  return performance.now() - startedMs;
}

/** Submits all jobs for each key and waits until each is over; resolves with how long that took. */
function runJobs(path: string, jobs: readonly object[]): Load["run"] {
  return async ({ origin }, keys, coin) => {
    const startedMs = performance.now();
    const submit = async (key: string) => {
      for (const job of jobs) {
        const body = JSON.stringify({ ...job, coin, start_date: START_DATE });
        await answered(origin + path, key, { method: "POST", body });
      }
    };
    await Promise.all(keys.map(submit));
    for (const key of keys) {
      while ((await answered(`${origin}/v1/usage`, key)).backtests_running > 0) {
        await sleep(POLL_MS);
      }
    }
    return performance.now() - startedMs;
  };
}

async function answered(
  url: string,
  key: string,
  init: RequestInit = {},
): Promise<{ readonly backtests_running: number }> {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const response = await fetch(url, { ...init, headers });
  if (response.status === 200) {
    return ((await response.json()) as { data: { backtests_running: number } }).data;
  }
  throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
}

interface Measured {
  readonly alone: readonly OpenLoopResult[];
  readonly beside: readonly OpenLoopResult[];
  readonly tookMs: readonly number[];
}

function resultOf({ what, timesBelow }: Load, { alone, beside, tookMs }: Measured): PartResult {
  const p99 = (results: readonly OpenLoopResult[]) => results.map(({ p99_ms }) => p99_ms);
  const failed = [...alone, ...beside].reduce((sum, result) => sum + result.failed, 0);
  const figures = {
    alone_p99_ms: spreadOf(p99(alone)),
    beside_p99_ms: spreadOf(p99(beside)),
    times: ratioSpread(p99(beside), p99(alone)),
    jobs_seconds: spreadOf(tookMs.map((ms) => ms / 1000)),
    failed,
  };
  return {
    title: `Reads beside ${what}: ${READS_PER_SECOND} reads/s, p99 in milliseconds`,
    columns: ["", "alone", "beside", "times", "all over, s"],
    rows: [
      [
        "GET /signals?coin",
        spreadText(figures.alone_p99_ms),
        spreadText(figures.beside_p99_ms),
        spreadText(figures.times),
        spreadText(figures.jobs_seconds),
      ],
    ],
    notes: [
      `Reads beside them last until all is over, those alone ${ALONE_SECONDS} s. The clients run on this machine too.`,
    ],
    targets: [
      target(`p99 beside ${what}, times that alone`, { below: timesBelow }, figures.times.median),
      target(`p99 beside ${what}, ms`, { below: 5 }, figures.beside_p99_ms.median),
      target("reads that failed", { below: 1 }, failed),
    ],
    figures,
  };
}
