/** The p99 of one account's reads at a steady rate, alone and beside backtests, studies or checks of twenty others. */
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { ask } from "../support/ask.ts";
import { cpuMsOf } from "../support/child-processes.ts";
import type { ChildServer } from "../support/child-server.ts";
import { runOpenLoop, writeRequests } from "./load.ts";
import { inRounds, ratioSpread, spreadOf, target, type Bench, type Part } from "./part.ts";
import { oursWith } from "./servers.ts";
import { worstFile } from "./worst-callers.ts";

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

/** The work of other accounts, which resolves when all of it is over. */
type Load = (server: ChildServer, keys: readonly string[], coin: string) => Promise<void>;

export const besideJobs = besideLoad(
  [SUBMITTERS * JOBS_EACH, "backtests"],
  4,
  jobs("/v1/backtests", BACKTESTS),
);
export const besideStudies = besideLoad(
  [SUBMITTERS, `studies of ${STUDY_SETS} sets`],
  4,
  jobs("/v1/studies", [STUDY]),
);
export const besideChecks = besideLoad([SUBMITTERS, "checks"], 2, checks);

/** The part for a kind of load. The p99 beside it must be less than `timesBelow` times the p99 alone. */
function besideLoad([count, kind]: [number, string], timesBelow: number, load: Load): Part {
  const what = `${count} ${kind}`;
  return async (bench: Bench) => {
    const { server, keys, coins } = await oursWith(bench, SUBMITTERS + 1);
    const [key = "", ...others] = keys;
    const { ticker } = coins[0]!; // a snapshot has coins
    const path = `/v1/signals?coin=${ticker}`;
    const readDuring = (during: () => Promise<unknown>) =>
      runOpenLoop({
        port: server.port,
        requestsFile: writeRequests(bench.folder, "reads", [{ path, key }]),
        perSecond: READS_PER_SECOND,
        warmSeconds: 0,
        during,
        connections: READ_CONNECTIONS,
        sleeps: true,
      });
    await load(server, others.slice(0, 1), ticker); // starts the threads
    const rounds = await inRounds(bench, `reads beside ${what}`, async () => {
      const alone = await readDuring(() => sleep(ALONE_SECONDS * 1000));
      let tookMs = NaN;
      const cpuMs = cpuMsOf(server.pid, { children: true });
      const beside = await readDuring(async () => {
        const startedMs = performance.now();
        await load(server, others, ticker);
        tookMs = performance.now() - startedMs;
      });
      const eachMs = (cpuMsOf(server.pid, { children: true }) - cpuMs) / count;
      return { alone, beside, tookMs, eachMs };
    });
    const alone = rounds.map((round) => round.alone.p99_ms);
    const beside = rounds.map((round) => round.beside.p99_ms);
    const times = ratioSpread(beside, alone);
    const row = {
      "": "GET /signals?coin",
      alone: spreadOf(alone),
      beside: spreadOf(beside),
      times,
      "CPU each, ms": spreadOf(rounds.map(({ eachMs }) => eachMs)),
      "all over, s": spreadOf(rounds.map(({ tookMs }) => tookMs / 1000)),
    };
    const failed = sum(rounds.map((round) => round.alone.failed + round.beside.failed));
    return {
      title: `Reads beside ${what}: ${READS_PER_SECOND} reads/s, p99 in milliseconds`,
      rows: [row],
      notes: [
        `Reads beside them last until all is over, those alone ${ALONE_SECONDS} s. The clients run on this machine too. CPU is that of all processes of the server, reads among them.`,
      ],
      targets: [
        target(`p99 beside ${what}, times that alone`, { below: timesBelow }, times.median),
        target(`p99 beside ${what}, ms`, { below: 5 }, row.beside.median),
        target("reads that failed", { below: 1 }, failed),
      ],
    };
  };
}

/**
 * Checks a matrix of 100 variants by 1,000 days for each key. A check that is turned away comes again at the time it
 * is said.
 */
async function checks({ origin }: ChildServer, keys: readonly string[]): Promise<void> {
  const body = worstFile(100);
  const check = async (key: string): Promise<void> => {
    const { status, headers } = await ask(`${origin}/v1/check`, { key, body });
    if (status === 200) return;
    if (status !== 503) throw new Error(`a check was answered ${status}`);
    await sleep(Number(headers.get("retry-after")) * 1000);
    await check(key);
  };
  await Promise.all(keys.map(check));
}

/** Submits all jobs for each key and waits for the last to end. */
function jobs(path: string, bodies: readonly object[]): Load {
  return async ({ origin }, keys, coin) => {
    const dataOf = async (url: string, key: string, body?: object) => {
      const answer = await ask(origin + url, { key, body });
      if (answer.status === 200) return answer.body.data;
      throw new Error(`${url} was answered ${answer.status}: ${answer.text}`);
    };
    const submit = async (key: string) => {
      for (const job of bodies) await dataOf(path, key, { ...job, coin, start_date: START_DATE });
    };
    await Promise.all(keys.map(submit));
    for (const key of keys) {
      while ((await dataOf("/v1/usage", key)).backtests_running > 0) await sleep(POLL_MS);
    }
  };
}
