/** Latency at half of saturation, open loop, of a mix of the three common reads. */
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { inRounds, spreadOf, target, type Bench, type PartResult } from "./part.ts";
import { measureLoad, runOpenLoop, writeRequests } from "./load.ts";
import { mixedReads } from "./read-cases.ts";
import { oursWith, READ_ACCOUNTS, recorded, startBare } from "./servers.ts";

const REQUESTS = 20_000;
const SATURATION_SECONDS = 2;
/** Beyond this rate the generator itself, one thread of Node, saturates. */
const RATE_MAX = 25_000;

export async function latency(bench: Bench): Promise<PartResult> {
  const { server: ours, keys, coins } = await oursWith(bench, READ_ACCOUNTS);
  const requests = mixedReads(coins, keys, REQUESTS);
  const requestsFile = writeRequests(bench.folder, "mixed", requests);
  const bare = await startBare(bench.folder, { mixed: await recorded(ours, requests) });
  const saturating = { ...bench, requestsFile, seconds: SATURATION_SECONDS };
  await measureLoad(ours, saturating);
  const saturation = (await measureLoad(ours, saturating)).perSecond;
  const perSecond = Math.min(RATE_MAX, Math.round(saturation / 2));
  const { connections } = bench;
  const measure = ({ port }: { readonly port: number }) =>
    runOpenLoop({
      port,
      requestsFile,
      perSecond,
      connections,
      warmSeconds: 1,
      during: () => sleep(bench.seconds * 2000),
    });
  const rounds = await inRounds(bench, "latency", async () => {
    return { ours: await measure(ours), bare: await measure(bare) };
  });
  const line = (name: string, results: readonly Awaited<ReturnType<typeof measure>>[]) => ({
    "": name,
    "requests/s": perSecond,
    p50: spreadOf(results.map(({ p50_ms }) => p50_ms)),
    p99: spreadOf(results.map(({ p99_ms }) => p99_ms)),
    "p99.9": spreadOf(results.map(({ p999_ms }) => p999_ms)),
    worst: spreadOf(results.map(({ max_ms }) => max_ms)),
    failed: sum(results.map(({ failed }) => failed)),
  });
  const rows = [
    line(
      "ours, half of its saturation",
      rounds.map((round) => round.ours),
    ),
    line(
      "bare, the same rate",
      rounds.map((round) => round.bare),
    ),
  ] as const;
  return {
    title: "Latency: open loop, a third each of /signals?coin, /buy-hold, /dca; milliseconds",
    rows,
    notes: [
      "Poisson arrivals; a latency counts from when the request was due (no coordinated omission), the generator's own delays included:",
      "the bare line shows how much of ours is the generator and the machine.",
    ],
    targets: [
      target("p99 at half of saturation, ms", { below: 2 }, rows[0].p99.median),
      target("requests that failed", { below: 1 }, sum(rows.map(({ failed }) => failed))),
    ],
  };
}
