/** Latency at half of saturation, open loop, of a mix of the three common reads. */
import { join } from "node:path";
import { readManifest } from "../../snapshots/read-manifest.ts";
import type { ChildServer } from "../support/child-server.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { measureLoad } from "./measured-load.ts";
import { runOpenLoop, type OpenLoopResult } from "./open-loop-run.ts";
import { countText, spreadText, type Bench, type PartResult, target } from "./part.ts";
import { mixedReads } from "./read-cases.ts";
import { READ_ACCOUNTS } from "./reads.ts";
import { recordAnswer, type RecordedAnswer } from "./recorded-answer.ts";
import { startAlternative, startBare, startOurs } from "./servers.ts";
import { spreadOf, type Spread } from "./spread.ts";
import { makeState } from "./state-file.ts";
import { writeRequests } from "./raw-request.ts";

const REQUESTS = 20_000;
const RECORDED = 100;
const WARM_SECONDS = 1;
const SATURATION_SECONDS = 2;
/** Beyond this rate the generator itself, one thread of Node, saturates. */
const RATE_MAX = 25_000;

interface Line {
  readonly name: string;
  readonly server: ChildServer;
  readonly perSecond: number;
  readonly results: OpenLoopResult[];
}

export async function latency(bench: Bench): Promise<PartResult> {
  const dir = await currentSnapshot(bench.snapshots);
  const { coins } = await readManifest(dir);
  const state = await makeState(bench.folder, READ_ACCOUNTS);
  const requests = mixedReads(coins, state.keys, REQUESTS);
  const file = writeRequests(join(bench.folder, "mixed"), requests);
  const running: ChildServer[] = [];
  const started = async (server: Promise<ChildServer>) => {
    running.push(await server);
    return await server;
  };
  try {
    const ours = await started(startOurs(bench.snapshots, state));
    const alternative = await started(startAlternative(bench.folder, dir, state));
    const answers: RecordedAnswer[] = [];
    for (const each of requests.slice(0, RECORDED))
      answers.push(await recordAnswer(ours.port, each));
    const bare = await started(startBare(bench.folder, { mixed: answers }));
    const half = await halfOfSaturation(bench, ours, file);
    const alternativeHalf = await halfOfSaturation(bench, alternative, file);
    const line = (name: string, server: ChildServer, perSecond: number): Line => {
      return { name, server, perSecond, results: [] };
    };
    const lines = [
      line("ours, half of its saturation", ours, half),
      line("bare, the same rate", bare, half),
      line("Fastify, half of its saturation", alternative, alternativeHalf),
      line("ours, the same rate", ours, alternativeHalf),
    ];
    await inRounds(bench, lines, file);
    return resultOf(lines);
  } finally {
    await Promise.all(running.map((server) => server.stop()));
  }
}

async function halfOfSaturation(bench: Bench, server: ChildServer, file: string): Promise<number> {
  bench.progress("how much is saturation");
  const plan = { ...bench, requestsFile: file, seconds: SATURATION_SECONDS };
  await measureLoad(server, plan);
  const { perSecond } = await measureLoad(server, plan);
  return Math.min(RATE_MAX, Math.round(perSecond / 2));
}

async function inRounds(bench: Bench, lines: readonly Line[], file: string): Promise<void> {
  for (let round = 1; round <= bench.rounds; round++) {
    for (const { name, server, perSecond, results } of lines) {
      bench.progress(`round ${round} of ${bench.rounds}: ${name}`);
      results.push(
        await runOpenLoop({
          port: server.port,
          requestsFile: file,
          perSecond,
          warmSeconds: WARM_SECONDS,
          during: () => sleep(bench.seconds * 2000),
          connections: bench.connections,
          status: 200,
          sleeps: false,
        }),
      );
    }
  }
}

const MEASURES = ["p50_ms", "p99_ms", "p999_ms", "max_ms"] as const;

function resultOf(lines: readonly Line[]): PartResult {
  const figures = lines.map(({ name, perSecond, results }) => ({
    name,
    per_second: perSecond,
    failed: sum(results.map(({ failed }) => failed)),
    p50_ms: over(results, "p50_ms"),
    p99_ms: over(results, "p99_ms"),
    p999_ms: over(results, "p999_ms"),
    max_ms: over(results, "max_ms"),
  }));
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

function over(results: readonly OpenLoopResult[], measure: keyof OpenLoopResult): Spread {
  return spreadOf(results.map((result) => result[measure]));
}
