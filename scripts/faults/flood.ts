/**
 * What floods of requests do to another account: its p99 at a steady rate, alone and beside each flood. The floods are
 * mistyped keys, unknown keys, one account and 20 accounts far above their minute, backtests above an account's cap,
 * and polls of jobs of other accounts.
 *
 *   node dist/scripts/faults/flood.js --snapshots DIR [options]
 *
 *   --snapshots DIR  folder of published snapshots
 *   --redis          accounts in a Redis of its own (default: in a state file of its own)
 *   --rounds N       times that each flood is measured (default: 7)
 *   --window N       seconds of each measurement (default: 2)
 *   --rate N         requests a second of the account that behaves (default: 500)
 *   --flood N        requests a second of a flood (default: 6000)
 *   --only TEXT      only floods whose name contains this
 *
 * Each window beside a flood follows one without, and a ratio is of these two, because other work on the machine
 * disturbs both. Needs `wrk`, and with --redis `redis-server`. Exits 1 if a flood was not refused or not there, or if
 * a request of the account that behaves failed.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CATALOGUE } from "../../quant/strategies/catalogue.ts";
import { makeKey } from "../../server/accounts/keys.ts";
import { readManifest } from "../../snapshots/read-manifest.ts";
import type { ChildServer } from "../support/child-server.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { withAdmin } from "../cli/with-admin.ts";
import { runLoad } from "../bench/load.ts";
import { startOurs } from "../bench/servers.ts";
import { spreadText } from "../bench/part.ts";
import { percentile, ratioSpread, spreadOf } from "../bench/spread.ts";
import { type LoadRequest, writeRequests } from "../bench/raw-request.ts";
import { LOAD_PLANS } from "../bench/state-file.ts";
import { ownFolder } from "../support/own-folder.ts";
import { needed, positive, scriptOptions, whole } from "../support/script-options.ts";
import { RedisChild } from "./redis-child.ts";
import { SteadyProbe } from "./steady-probe-process.ts";

const values = scriptOptions(import.meta.url, {
  snapshots: { type: "string" },
  redis: { type: "boolean", default: false },
  rounds: { type: "string", default: "7" },
  window: { type: "string", default: "2" },
  rate: { type: "string", default: "500" },
  flood: { type: "string", default: "6000" },
  only: { type: "string", default: "" },
});
const snapshots = needed(values.snapshots, "--snapshots DIR");
const rounds = whole("--rounds", values.rounds);
const windowMs = 1000 * positive("--window", values.window);
const perSecond = positive("--rate", values.rate);
const floodPerSecond = positive("--flood", values.flood);

const PROBE_CONNECTIONS = 16;
const FLOOD_CONNECTIONS = 64;
/** More than the number of unknown keys that the server remembers, so that each is looked up. */
const UNKNOWN_KEYS = 30_000;
const MANY_ACCOUNTS = 20;
/** A flood's first moments, with new connections and code that is not compiled yet, are not measured. */
const SETTLE_MS = 300;
const WARM_MS = 3_000;

const folder = ownFolder("floods");
const plans = join(folder, "plans.json");
/** Practically no limit per minute, so that only the cap on backtests holds it back. */
const CAP_PLAN = {
  name: "cap",
  price_usd: null,
  calls_per_month: 1e9,
  rate_per_minute: 1e8,
  backtest_units: 1,
  concurrent_runs: 1,
};
writeFileSync(plans, JSON.stringify({ plans: [...LOAD_PLANS, CAP_PLAN] }));

interface Accounts {
  readonly good: string;
  readonly many: readonly string[];
  readonly capped: string;
}

interface Flood {
  readonly name: string;
  readonly file: string;
  readonly p99: number[];
  readonly alone: number[];
  requests: number;
  /** Whether some requests succeed: a backtest each time an earlier one has ended. */
  readonly granted: boolean;
}

async function createAccounts(state: string): Promise<Accounts> {
  return await withAdmin({ state, plans }, { mustExist: false }, async (admin) => {
    const make = async (plan: string, n = 0) =>
      (await admin.createAccount({ email: `${plan}-${n}@example.com`, plan })).key;
    const many: string[] = [];
    for (let n = 0; n < MANY_ACCOUNTS; n++) many.push(await make("minute", n));
    return { good: await make("load"), many, capped: await make("cap") };
  });
}

function floodsOf(path: string, coin: string, { many, capped }: Accounts): readonly Flood[] {
  const flood = (name: string, requests: readonly LoadRequest[], granted = false): Flood => {
    const file = writeRequests(join(folder, name.replaceAll(" ", "-")), requests);
    return { name, file, p99: [], alone: [], requests: 0, granted };
  };
  const reads = (keys: readonly string[]) => keys.map((key) => ({ path, key }));
  const unknown = Array.from({ length: UNKNOWN_KEYS }, () => makeKey("live"));
  // One wrong letter, which the checksum reveals.
  const mistyped = unknown.map((key) => key.slice(0, -1) + (key.endsWith("a") ? "b" : "a"));
  const body = JSON.stringify({ strategy: CATALOGUE[0]?.name, coin, start_date: "2023-01-01" });
  const polls = Array.from({ length: 1_000 }, (_, n) => `/v1/backtests/${n + 1}`);
  return [
    flood("mistyped keys", reads(mistyped)),
    flood("unknown keys", reads(unknown)),
    flood("an account above its minute", reads(many.slice(0, 1))),
    flood(`${MANY_ACCOUNTS} accounts above their minute`, reads(many)),
    flood("backtests above a cap", [{ path: "/v1/backtests", key: capped, body }], true),
    flood(
      "polls of jobs not its own",
      polls.map((poll) => ({ path: poll, key: capped })),
    ),
  ].filter(({ name }) => name.includes(values.only));
}

/** wrk's connections, each with a pause chosen so that together they reach the rate. */
async function runFlood({ origin }: ChildServer, flood: Flood, forMs: number): Promise<void> {
  const load = await runLoad("wrk", {
    origin,
    requestsFile: flood.file,
    seconds: forMs / 1000,
    connections: FLOOD_CONNECTIONS,
    pauseMs: (1000 * FLOOD_CONNECTIONS) / floodPerSecond,
  });
  if (load.broken > 0) throw new Error(`of the flood of ${flood.name}, ${load.broken} failed`);
  // One a minute is admitted for each account.
  if (!flood.granted && load.requests - load.status400 > 2 * MANY_ACCOUNTS)
    throw new Error(`the flood of ${flood.name} was not refused`);
  flood.requests += load.perSecond / rounds;
}

/** The p99, in milliseconds, of the account that behaves, over one window. */
async function windowOf(probe: SteadyProbe): Promise<number> {
  await sleep(SETTLE_MS);
  await probe.window();
  await sleep(windowMs - 2 * SETTLE_MS);
  const { latenciesMs, statuses, unansweredMs } = await probe.window();
  if (statuses[200] !== latenciesMs.length) {
    throw new Error(`good requests were answered ${JSON.stringify(statuses)}`);
  }
  if (unansweredMs > windowMs) {
    throw new Error(`a good request has had no answer for ${unansweredMs.toFixed(0)} ms`);
  }
  return percentile(Float64Array.from(latenciesMs).sort(), 0.99);
}

async function measure(
  server: ChildServer,
  probe: SteadyProbe,
  floods: readonly Flood[],
): Promise<void> {
  for (const flood of floods) await runFlood(server, flood, 1000); // a warm-up that is not counted
  for (const flood of floods) flood.requests = 0;
  for (let round = 0; round < rounds; round++) {
    for (const flood of floods) {
      flood.alone.push(await windowOf(probe));
      const [p99] = await Promise.all([windowOf(probe), runFlood(server, flood, windowMs)]);
      flood.p99.push(p99);
    }
  }
}

let redis: RedisChild | undefined;
try {
  redis = values.redis ? await RedisChild.start({ appendonly: "yes" }) : undefined;
  const state = redis?.address ?? join(folder, "state.db");
  const accounts = await createAccounts(state);
  const { coins } = await readManifest(await currentSnapshot(snapshots));
  const coin = coins[0]?.ticker ?? "";
  const path = `/v1/buy-hold?coin=${coin}`;
  const server = await startOurs(snapshots, { state, plans });
  const { port } = server;
  const steady = { port, path, key: accounts.good, perSecond };
  const probe = new SteadyProbe({ ...steady, connections: PROBE_CONNECTIONS });
  try {
    const floods = floodsOf(path, coin, accounts);
    if (floods.length === 0) throw new Error(`no flood's name contains "${values.only}"`);
    await sleep(WARM_MS);
    const before = server.cpuMs() ?? NaN;
    const startedMs = performance.now();
    await measure(server, probe, floods);
    const busy = ((server.cpuMs() ?? NaN) - before) / (performance.now() - startedMs);
    console.log(`alone: p99 ${spreadText(spreadOf(floods.flatMap(({ alone }) => alone)))} ms`);
    for (const { name, p99, alone, requests } of floods) {
      const ratio = spreadText(ratioSpread(p99, alone));
      console.log(
        `${name}, ${Math.round(requests)}/s: p99 ${spreadText(spreadOf(p99))} ms, ratio ${ratio}`,
      );
    }
    console.log(`the server was busy ${busy.toFixed(2)} of the time`);
  } finally {
    probe.stop();
    await server.stop();
  }
} catch (error) {
  console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
} finally {
  await redis?.remove();
}
