/**
 * Switches the snapshot while the server is under load; counts the requests that fail, and measures the
 * longest pause with a steady probe.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { dateOfDay } from "../../quant/calendar.ts";
import { listSnapshotIds, writeCurrent } from "../../snapshots/folder.ts";
import { readManifest } from "../../snapshots/read-manifest.ts";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import type { ChildServer } from "../support/child-server.ts";
import { currentSnapshot } from "../cli/current-snapshot.ts";
import { runLoad, type LoadResult } from "./load.ts";
import { runOpenLoop, type OpenLoopResult } from "./open-loop-run.ts";
import { countText, type Bench, type PartResult, target } from "./part.ts";
import { mixedReads } from "./read-cases.ts";
import { READ_ACCOUNTS } from "./reads.ts";
import { recordAnswer } from "./recorded-answer.ts";
import { startOurs } from "./servers.ts";
import { makeState, type BenchState } from "./state-file.ts";
import { writeRequests } from "./raw-request.ts";

const REQUESTS = 5_000;
const PROBES_PER_SECOND = 500;
/** Enough connections for a pause to show as itself and not as a queue for connections. */
const PROBE_CONNECTIONS = 100;
const SWITCHES = 3;
const BETWEEN_SWITCHES_MS = 2_000;
/** How long a server may take to answer from the other snapshot. On an idle machine it takes far less. */
const FOLLOW_MAX_MS = 10_000;
const FOLLOW_STEP_MS = 50;
/**
 * A request of the load that is never answered does not count as failed: its connection falls silent. So many
 * of them show in the throughput only. A few in the probe, which misses none.
 */
const LOAD_MIN = 0.5;
/** Time for opening snapshots, in addition to the pauses between switches. */
const OPENING_SECONDS = 3;

interface Phase {
  readonly name: string;
  readonly loaded: boolean;
  readonly switches: number;
}

const PHASES: readonly Phase[] = [
  { name: "no load, no switch", loaded: false, switches: 0 },
  { name: "no load, switches", loaded: false, switches: SWITCHES },
  { name: "full load, no switch", loaded: true, switches: 0 },
  { name: "full load, switches", loaded: true, switches: SWITCHES },
];

export async function snapshotSwitch(bench: Bench): Promise<PartResult> {
  const snapshots = await twoSnapshots(bench);
  const { coins } = await readManifest(await currentSnapshot(snapshots));
  const state = await makeState(bench.folder, READ_ACCOUNTS);
  const file = writeRequests(join(bench.folder, "mixed"), mixedReads(coins, state.keys, REQUESTS));
  const server = await startOurs(snapshots, state);
  try {
    const measured = [];
    await runLoad(bench.generator, {
      ...bench,
      origin: server.origin,
      requestsFile: file,
      seconds: 2,
    });
    for (const phase of PHASES) {
      bench.progress(`switch: ${phase.name}`);
      measured.push(await measurePhase({ bench, server, snapshots, state, file }, phase));
    }
    return resultOf(measured);
  } finally {
    await server.stop();
  }
}

/** Two runs of the demo market, one of which ends a day earlier. */
async function twoSnapshots(bench: Bench): Promise<string> {
  const out = join(bench.folder, "two-snapshots");
  mkdirSync(out);
  const options = [
    "pipeline",
    "--source",
    "demo",
    "--out",
    out,
    "--index-draws",
    "2",
    "--robustness-draws",
    "0",
  ];
  bench.progress("publishing a snapshot");
  await runScript(HINDSIGHT, options);
  const { asOf } = await readManifest(await currentSnapshot(out));
  bench.progress("publishing another");
  await runScript(HINDSIGHT, [...options, "--as-of", dateOfDay(asOf - 1)]);
  return out;
}

interface Setup {
  readonly bench: Bench;
  readonly server: ChildServer;
  readonly snapshots: string;
  readonly state: BenchState;
  readonly file: string;
}

interface MeasuredPhase {
  readonly phase: Phase;
  readonly load: LoadResult | undefined;
  readonly probe: OpenLoopResult;
  /** How many snapshots, in turn, were seen in answers. */
  readonly seen: number;
}

async function measurePhase(setup: Setup, phase: Phase): Promise<MeasuredPhase> {
  const { bench, server, file } = setup;
  const seconds = (SWITCHES * BETWEEN_SWITCHES_MS) / 1000 + OPENING_SECONDS;
  const load = phase.loaded
    ? runLoad(bench.generator, { ...bench, origin: server.origin, requestsFile: file, seconds })
    : Promise.resolve(undefined);
  const probe = runOpenLoop({
    port: server.port,
    requestsFile: file,
    perSecond: PROBES_PER_SECOND,
    warmSeconds: 1,
    during: () => sleep((seconds - 1) * 1000),
    connections: PROBE_CONNECTIONS,
    status: 200,
    sleeps: true,
  });
  const [seen, loadResult, probeResult] = await Promise.all([
    switches(setup, phase.switches),
    load,
    probe,
  ]);
  return { phase, load: loadResult, probe: probeResult, seen };
}

/** Points `CURRENT` at the other snapshot, again and again, and counts how often the server followed. */
async function switches({ server, snapshots, state }: Setup, times: number): Promise<number> {
  const ids = await listSnapshotIds(snapshots);
  const request = { path: "/v1/overfitting-index", key: state.keys[0] ?? "" };
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
      const { body } = await recordAnswer(server.port, request);
      followed = body?.includes(`"snapshot":"${other}"`) === true;
    }
    if (followed) seen++;
  }
  return seen;
}

function resultOf(measured: readonly MeasuredPhase[]): PartResult {
  const figures = measured.map(({ phase, load, probe, seen }) => ({
    phase: phase.name,
    switches: phase.switches,
    followed: seen,
    requests: (load?.requests ?? 0) + probe.requests,
    failed: (load?.broken ?? 0) + (load?.status400 ?? 0) + probe.failed,
    requests_per_second: load?.perSecond ?? null,
    probe_p99_ms: probe.p99_ms,
    probe_worst_ms: probe.max_ms,
  }));
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
      target("requests that failed", { below: 1 }, sum(figures.map(({ failed }) => failed))),
      target(
        "switches not followed",
        { below: 1 },
        sum(figures.map((each) => each.switches - each.followed)),
      ),
      target(
        "requests/s of the load with switches, of those without",
        { atLeast: LOAD_MIN },
        (figures[3]?.requests_per_second ?? NaN) / (figures[2]?.requests_per_second ?? NaN),
      ),
      target("worst pause with switches, no load, ms", { below: 20 }, figures[1]?.probe_worst_ms),
      target("worst pause with switches, full load, ms", { below: 20 }, figures[3]?.probe_worst_ms),
    ],
    figures: { phases: figures },
  };
}
