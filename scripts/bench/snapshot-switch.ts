/**
 * Switches the snapshot while the server is under load; counts the requests that fail, and measures the
 * longest pause with a steady probe.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { dateOfDay } from "../../quant/calendar.ts";
import { listSnapshotIds, writeCurrent } from "../../snapshots/folder.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import { makeAccounts, storeIn } from "../support/made-accounts.ts";
import { pipelineArgs } from "../support/publish.ts";
import { measureLoad, runOpenLoop } from "./load.ts";
import { countText, type Bench, type PartResult, target } from "./part.ts";
import { writeRequests } from "./raw-request.ts";
import { mixedReads } from "./read-cases.ts";
import { READ_ACCOUNTS } from "./reads.ts";
import { recordAnswer } from "./recorded-answer.ts";
import { startOurs } from "./servers.ts";

const REQUESTS = 5_000;
const PROBES_PER_SECOND = 500;
/** Enough connections for a pause to show as itself and not as a queue for connections. */
const PROBE_CONNECTIONS = 100;
const SWITCHES = 3;
const BETWEEN_SWITCHES_MS = 2_000;
/** Time for opening snapshots, in addition to the pauses between switches. */
const OPENING_MS = 3_000;
/** How long a server may take to answer from the other snapshot. On an idle machine it takes far less. */
const FOLLOW_MAX_MS = 10_000;
const FOLLOW_STEP_MS = 50;
/** The load's requests a second with switches, as a share of those without. */
const LOAD_MIN = 0.5;

const PHASES = [
  { name: "no load, no switch", loaded: false, switches: 0 },
  { name: "no load, switches", loaded: false, switches: SWITCHES },
  { name: "full load, no switch", loaded: true, switches: 0 },
  { name: "full load, switches", loaded: true, switches: SWITCHES },
];

export async function snapshotSwitch(bench: Bench): Promise<PartResult> {
  const snapshots = await twoSnapshots(bench);
  const { coins } = await readManifest(await currentSnapshot(snapshots));
  const store = storeIn(bench.folder);
  const keys = (await makeAccounts(store, "load", READ_ACCOUNTS)).map(({ key }) => key);
  const reads = mixedReads(coins, keys, REQUESTS);
  const requestsFile = writeRequests(join(bench.folder, "mixed"), reads);
  const server = await startOurs(snapshots, store);
  const lasts = SWITCHES * BETWEEN_SWITCHES_MS + OPENING_MS;
  const measure = async ({ name, loaded, switches }: (typeof PHASES)[number]) => {
    bench.progress(`switch: ${name}`);
    const [load, probe, followed] = await Promise.all([
      loaded ? measureLoad(server, { ...bench, requestsFile, seconds: lasts / 1000 }) : undefined,
      runOpenLoop({
        port: server.port,
        requestsFile,
        perSecond: PROBES_PER_SECOND,
        warmSeconds: 1,
        during: () => sleep(lasts - 1000),
        connections: PROBE_CONNECTIONS,
        sleeps: true,
      }),
      switchTimes(switches, { snapshots, port: server.port, key: keys[0]! }),
    ]);
    return {
      phase: name,
      switches,
      followed,
      requests: (load?.requests ?? 0) + probe.requests,
      failed: (load?.failed ?? 0) + probe.failed,
      requests_per_second: load?.perSecond ?? null,
      probe_p99_ms: probe.p99_ms,
      probe_worst_ms: probe.max_ms,
    };
  };
  try {
    await measureLoad(server, { ...bench, requestsFile, seconds: 2 });
    const figures = [];
    for (const phase of PHASES) figures.push(await measure(phase));
    return resultOf(figures);
  } finally {
    await server.stop();
  }
}

/** Two runs of the demo market, one of which ends a day earlier. */
async function twoSnapshots(bench: Bench): Promise<string> {
  const out = join(bench.folder, "two-snapshots");
  bench.progress("publishing a snapshot");
  await runScript(HINDSIGHT, pipelineArgs("demo", out));
  const { asOf } = await readManifest(await currentSnapshot(out));
  bench.progress("publishing another");
  await runScript(HINDSIGHT, [...pipelineArgs("demo", out), "--as-of", dateOfDay(asOf - 1)]);
  return out;
}

/** Points `CURRENT` at the other snapshot, again and again, and counts how often the server followed. */
async function switchTimes(
  times: number,
  of: { readonly snapshots: string; readonly port: number; readonly key: string },
): Promise<number> {
  const { snapshots, port, key } = of;
  const ids = await listSnapshotIds(snapshots);
  let seen = 0;
  for (let time = 0; time < times; time++) {
    await sleep(BETWEEN_SWITCHES_MS);
    const before = await currentSnapshot(snapshots);
    const other = ids.find((id) => before !== join(snapshots, id)) ?? "";
    writeCurrent(snapshots, other);
    const giveUpMs = performance.now() + FOLLOW_MAX_MS;
    let followed = false;
    while (!followed && performance.now() < giveUpMs) {
      await sleep(FOLLOW_STEP_MS);
      const { body } = await recordAnswer(port, { path: "/v1/overfitting-index", key });
      followed = body?.includes(`"snapshot":"${other}"`) === true;
    }
    if (followed) seen++;
  }
  return seen;
}

interface PhaseFigures {
  readonly phase: string;
  readonly switches: number;
  /** How many snapshots, in turn, were seen in answers. */
  readonly followed: number;
  readonly requests: number;
  readonly failed: number;
  readonly requests_per_second: number | null;
  readonly probe_p99_ms: number;
  readonly probe_worst_ms: number;
}

function resultOf(figures: readonly PhaseFigures[]): PartResult {
  const failed = sum(figures.map((each) => each.failed));
  const notFollowed = sum(figures.map((each) => each.switches - each.followed));
  const kept = (figures[3]?.requests_per_second ?? NaN) / (figures[2]?.requests_per_second ?? NaN);
  return {
    title: "Switch of the snapshot: failed requests, and a probe of 500 requests/s, milliseconds",
    columns: ["", "switches", "followed", "requests", "failed", "p99", "worst"],
    rows: figures.map((each) => [
      each.phase,
      String(each.switches),
      String(each.followed),
      countText(each.requests),
      String(each.failed),
      each.probe_p99_ms.toFixed(2),
      each.probe_worst_ms.toFixed(1),
    ]),
    notes: [
      "The pause that a switch makes is the worst latency with switches against that without, under the same load. Under full load a",
      "probe waits after the load's requests, and on two cores the load, the probe and the server take turns.",
    ],
    targets: [
      target("requests that failed", { below: 1 }, failed),
      target("switches not followed", { below: 1 }, notFollowed),
      target("requests/s of the load with switches, of those without", { atLeast: LOAD_MIN }, kept),
      target("worst pause with switches, no load, ms", { below: 20 }, figures[1]?.probe_worst_ms),
      target("worst pause with switches, full load, ms", { below: 20 }, figures[3]?.probe_worst_ms),
    ],
    figures: { phases: figures },
  };
}
