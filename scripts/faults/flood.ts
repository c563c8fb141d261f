/**
 * What floods do to the answers of an account that behaves: its p99 at a steady rate alone, and beside mistyped keys, unknown keys
 * and an account far above its minute; each flood at half of what the server can refuse, and as fast as it comes.
 *
 *   node dist/scripts/faults/flood.js --snapshots DIR [--redis] [--rounds 3] [--seconds 4] [--rate 500]
 *
 * On an embedded state of its own, or with `--redis` on a Redis of its own. Latencies are open loop (`scripts/bench/open-loop.ts`).
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openEmbeddedAdmin } from "../../server/accounts/embedded/embedded-admin.ts";
import { makeKey } from "../../server/accounts/keys.ts";
import { readPlans } from "../../server/accounts/plans.ts";
import { openRedisAdmin } from "../../server/accounts/redis/redis-admin.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { readManifest } from "../../snapshots/verified-files.ts";
import type { ChildServer } from "../bench/child-server.ts";
import { findGenerator, runLoad } from "../bench/load.ts";
import { requestsFile } from "../bench/measured-load.ts";
import { runOpenLoop } from "../bench/open-loop-run.ts";
import { startOurs } from "../bench/servers.ts";
import { ratioSpread, spreadOf, type Spread } from "../bench/spread.ts";
import { LOAD_PLANS } from "../bench/state-file.ts";
import { RedisChild } from "./redis-child.ts";

const { values } = parseArgs({
  options: {
    snapshots: { type: "string" },
    redis: { type: "boolean", default: false },
    rounds: { type: "string", default: "3" },
    seconds: { type: "string", default: "4" },
    rate: { type: "string", default: "500" },
  },
});
const { snapshots } = values;
if (snapshots === undefined) throw new Error("--snapshots names a folder of published snapshots");
const rounds = Number(values.rounds);
const seconds = Number(values.seconds);
const perSecond = Number(values.rate);

const FLOOD_CONNECTIONS = 64;
const PROBE_CONNECTIONS = 16;
/** More than the server remembers unknown keys, so that each is looked up. */
const UNKNOWN_KEYS = 30_000;
/** Beyond this a generator that sleeps between requests is the one that saturates. */
const LIMITED_MAX = 10_000;
const SATURATION_SECONDS = 2;
const WARM_SECONDS = 1;
/** With fewer cores than processes, generators that keep a core each would be measured, not the server. */
const sleeps = cpus().length < 4;

const folder = mkdtempSync(join(tmpdir(), "hindsight-floods-"));
const plans = join(folder, "plans.json");
writeFileSync(plans, JSON.stringify({ plans: LOAD_PLANS }));

interface Flood {
  readonly name: string;
  readonly file: string;
  readonly status: number;
}

async function createAccounts(state: string): Promise<{ good: string; flooding: string }> {
  const shared = { plans: readPlans(plans), nowMs: Date.now };
  const admin = values.redis
    ? await openRedisAdmin({ ...shared, address: state })
    : openEmbeddedAdmin({ ...shared, file: state });
  try {
    const make = async (plan: string) =>
      (await admin.createAccount({ email: `${plan}@example.com`, plan })).key;
    return { good: await make("load"), flooding: await make("minute") };
  } finally {
    await admin.close();
  }
}

function floodsOf(path: string, flooding: string): readonly Flood[] {
  const file = (name: string, keys: readonly string[]) =>
    requestsFile(
      join(folder, name),
      keys.map((key) => ({ path, key })),
    );
  const unknown = Array.from({ length: UNKNOWN_KEYS }, () => makeKey("live"));
  // One wrong letter: the checksum tells.
  const mistyped = unknown.map((key) => key.slice(0, -1) + (key.endsWith("a") ? "b" : "a"));
  return [
    { name: "mistyped keys", file: file("mistyped", mistyped), status: 401 },
    { name: "unknown keys", file: file("unknown", unknown), status: 401 },
    { name: "one account above its minute", file: file("flooding", [flooding]), status: 429 },
  ];
}

/** The p99 of the account that behaves, in milliseconds. */
async function probe(server: ChildServer, file: string): Promise<number> {
  const result = await runOpenLoop({
    port: server.port,
    requestsFile: file,
    perSecond,
    warmSeconds: WARM_SECONDS,
    seconds,
    connections: PROBE_CONNECTIONS,
    status: 200,
    sleeps,
  });
  if (result.failed > 0) throw new Error(`${result.failed} good requests were not answered 200`);
  return result.p99_ms;
}

const floodSeconds = WARM_SECONDS + seconds + 1;

async function limited(server: ChildServer, { file, status }: Flood, rate: number) {
  await runOpenLoop({
    port: server.port,
    requestsFile: file,
    perSecond: rate,
    warmSeconds: WARM_SECONDS,
    seconds: floodSeconds,
    connections: FLOOD_CONNECTIONS,
    status,
    sleeps,
  });
}

async function unlimited({ origin }: ChildServer, file: string, forSeconds: number) {
  const load = { origin, requestsFile: file, seconds: forSeconds, connections: FLOOD_CONNECTIONS };
  return await runLoad(findGenerator(), load);
}

function text({ median, min, max }: Spread): string {
  return `${median.toFixed(2)} (${min.toFixed(2)}..${max.toFixed(2)})`;
}

async function measure(server: ChildServer, good: string, floods: readonly Flood[]): Promise<void> {
  const rates = new Map<Flood, number>();
  for (const flood of floods) {
    const { perSecond: most } = await unlimited(server, flood.file, SATURATION_SECONDS);
    rates.set(flood, Math.min(LIMITED_MAX, Math.round(most / 2)));
  }
  const lines = floods.flatMap((flood) => {
    const rate = rates.get(flood) ?? LIMITED_MAX;
    return [
      { name: `${flood.name}, ${rate}/s`, run: () => limited(server, flood, rate) },
      {
        name: `${flood.name}, unlimited`,
        run: () => unlimited(server, flood.file, floodSeconds),
      },
    ];
  });
  const alone: number[] = [];
  const beside = lines.map((): number[] => []);
  await probe(server, good); // warms up
  for (let round = 0; round < rounds; round++) {
    alone.push(await probe(server, good));
    for (const [index, { run }] of lines.entries()) {
      const [p99] = await Promise.all([probe(server, good), run()]);
      beside[index]?.push(p99);
    }
  }
  console.log(`alone at ${perSecond}/s: p99 ${text(spreadOf(alone))} ms`);
  for (const [index, { name }] of lines.entries()) {
    const p99 = beside[index] ?? [];
    console.log(`${name}: p99 ${text(spreadOf(p99))} ms, ratio ${text(ratioSpread(p99, alone))}`);
  }
}

const redis = values.redis ? await RedisChild.start() : undefined;
try {
  const state = redis?.address ?? join(folder, "state.db");
  const { good, flooding } = await createAccounts(state);
  const { coins } = await readManifest((await findCurrent(snapshots)) ?? "");
  const path = `/v1/buy-hold?coin=${coins[0]?.ticker ?? ""}`;
  const server = await startOurs(snapshots, { state, plans });
  try {
    const file = requestsFile(join(folder, "good"), [{ path, key: good }]);
    await measure(server, file, floodsOf(path, flooding));
  } finally {
    await server.stop();
  }
} finally {
  await redis?.remove();
  rmSync(folder, { recursive: true, force: true });
}
