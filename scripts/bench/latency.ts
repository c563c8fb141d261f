/** Latency at half of saturation, open loop, of a mix of the three common reads. */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import type { ChildServer } from "../support/child-server.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { measureLoad, runOpenLoop, type OpenLoopResult } from "./load.ts";
import { countText, spreadText, type Bench, type PartResult, target } from "./part.ts";
import { writeRequests } from "./raw-request.ts";
import { mixedReads } from "./read-cases.ts";
import { READ_ACCOUNTS } from "./reads.ts";
import { recordAnswer, type RecordedAnswer } from "./recorded-answer.ts";
import { startBare, startOurs } from "./servers.ts";
import { spreadOf } from "./spread.ts";

const REQUESTS = 20_000;
const RECORDED = 100;
const WARM_SECONDS = 1;
const SATURATION_SECONDS = 2;
/** Beyond this rate the generator itself, one thread of Node, saturates. */
const RATE_MAX = 25_000;

export async function latency(bench: Bench): Promise<PartResult> {
  const { coins } = await readManifest(await currentSnapshot(bench.snapshots));
  const store = storeIn(bench.folder);
  const keys = (await makeAccounts(store, "load", READ_ACCOUNTS)).map(({ key }) => key);
  const requests = mixedReads(coins, keys, REQUESTS);
  const requestsFile = writeRequests(join(bench.folder, "mixed"), requests);
  const ours = await startOurs(bench.snapshots, store);
  let bare: ChildServer | undefined;
  try {
    const answers: RecordedAnswer[] = [];
    for (const each of requests.slice(0, RECORDED))
      answers.push(await recordAnswer(ours.port, each));
    bare = await startBare(bench.folder, { mixed: answers });
    const perSecond = await halfOfSaturation(bench, ours, requestsFile);
    const lines = [
      { name: "ours, half of its saturation", port: ours.port, results: [] as OpenLoopResult[] },
      { name: "bare, the same rate", port: bare.port, results: [] as OpenLoopResult[] },
    ];
    for (let round = 1; round <= bench.rounds; round++) {
      for (const { name, port, results } of lines) {
        bench.progress(`round ${round} of ${bench.rounds}: ${name}`);
        const { connections } = bench;
        const load = { port, requestsFile, perSecond, connections, warmSeconds: WARM_SECONDS };
        const during = () => sleep(bench.seconds * 2000);
        results.push(await runOpenLoop({ ...load, during }));
      }
    }
    return resultOf(perSecond, lines);
  } finally {
    await ours.stop();
    await bare?.stop();
  }
}

async function halfOfSaturation(
  bench: Bench,
  server: ChildServer,
  requestsFile: string,
): Promise<number> {
  bench.progress("how much is saturation");
  const load = { ...bench, requestsFile, seconds: SATURATION_SECONDS };
  await measureLoad(server, load);
  const { perSecond } = await measureLoad(server, load);
  return Math.min(RATE_MAX, Math.round(perSecond / 2));
}

const MEASURES = ["p50_ms", "p99_ms", "p999_ms", "max_ms"] as const;

function resultOf(
  perSecond: number,
  lines: readonly { readonly name: string; readonly results: readonly OpenLoopResult[] }[],
): PartResult {
  const figures = lines.map(({ name, results }) => {
    const over = (measure: keyof OpenLoopResult) => spreadOf(results.map((each) => each[measure]));
    return {
      name,
      per_second: perSecond,
      failed: sum(results.map(({ failed }) => failed)),
      p50_ms: over("p50_ms"),
      p99_ms: over("p99_ms"),
      p999_ms: over("p999_ms"),
      max_ms: over("max_ms"),
    };
  });
  return {
    title: "Latency: open loop, a third each of /signals?coin, /buy-hold, /dca; milliseconds",
    columns: ["", "requests/s", "p50", "p99", "p99.9", "worst", "failed"],
    rows: figures.map((each) => [
      each.name,
      countText(each.per_second),
      ...MEASURES.map((measure) => spreadText(each[measure])),
      String(each.failed),
    ]),
    notes: [
      "Poisson arrivals; a latency counts from when the request was due (no coordinated omission), the generator's own delays included:",
      "the bare line shows how much of ours is the generator and the machine.",
    ],
    targets: [
      target("p99 at half of saturation, ms", { below: 2 }, figures[0]?.p99_ms.median),
      target("requests that failed", { below: 1 }, sum(figures.map(({ failed }) => failed))),
    ],
    figures: { lines: figures },
  };
}
