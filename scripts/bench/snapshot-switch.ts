/**
 * Switches the snapshot while the server is under load; counts the requests that fail, and measures the longest pause
 * with a steady probe.
 */
import { basename } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sum } from "simple-statistics";
import { dateOfDay } from "../../quant/calendar.ts";
import { listSnapshotIds, writeCurrent } from "../../snapshots/folder.ts";
import { readManifest } from "../../snapshots/manifest.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { ask } from "../support/ask.ts";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";
import { progressLine } from "../../cli/progress-line.ts";
import { pipelineArgs, snapshotsOrDemo } from "../support/publish.ts";
import { measureLoad, runOpenLoop, writeRequests } from "./load.ts";
import { target, type Bench, type PartResult } from "./part.ts";
import { mixedReads } from "./read-cases.ts";
import { oursWith, READ_ACCOUNTS } from "./servers.ts";

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

export async function snapshotSwitch(bench: Bench): Promise<PartResult> {
  const snapshots = await twoSnapshots(bench);
  const { server, keys, coins } = await oursWith({ ...bench, snapshots }, READ_ACCOUNTS);
  const { port, origin } = server;
  const requestsFile = writeRequests(bench.folder, "mixed", mixedReads(coins, keys, REQUESTS));
  const lastsMs = SWITCHES * BETWEEN_SWITCHES_MS + OPENING_MS;
  const measure = async (phase: string, isLoaded: boolean, switches: number) => {
    progressLine(`switch: ${phase}`);
    const [load, probe, followed] = await Promise.all([
      isLoaded ? measureLoad(server, { ...bench, requestsFile, seconds: lastsMs / 1000 }) : null,
      runOpenLoop({
        port,
        requestsFile,
        perSecond: PROBES_PER_SECOND,
        warmSeconds: 1,
        during: () => sleep(lastsMs - 1000),
        connections: PROBE_CONNECTIONS,
        sleeps: true,
      }),
      switchTimes(switches, snapshots, () =>
        ask(`${origin}/v1/overfitting-index`, { key: keys[0] }),
      ),
    ]);
    return {
      "": phase,
      switches,
      followed,
      requests: (load?.requests ?? 0) + probe.requests,
      "of load/s": load?.perSecond ?? "",
      failed: (load?.failed ?? 0) + probe.failed,
      p99: probe.p99_ms,
      worst: probe.max_ms,
    };
  };
  await measureLoad(server, { ...bench, requestsFile, seconds: 2 });
  const rows = [
    await measure("no load, no switch", false, 0),
    await measure("no load, switches", false, SWITCHES),
    await measure("full load, no switch", true, 0),
    await measure("full load, switches", true, SWITCHES),
  ] as const;
  const failed = sum(rows.map((row) => row.failed));
  const missed = sum(rows.map((row) => row.switches - row.followed));
  const kept = Number(rows[3]["of load/s"]) / Number(rows[2]["of load/s"]);
  return {
    title: "Switch of the snapshot: failed requests, and a probe of 500 requests/s, milliseconds",
    rows,
    notes: [
      "The pause that a switch makes is the worst latency with switches against that without, under the same load. Under full load a",
      "probe waits after the load's requests, and on two cores the load, the probe and the server take turns.",
    ],
    targets: [
      target("requests that failed", { below: 1 }, failed),
      target("switches not followed", { below: 1 }, missed),
      target("requests/s of the load with switches, of those without", { atLeast: LOAD_MIN }, kept),
      target("worst pause with switches, no load, ms", { below: 20 }, rows[1].worst),
      target("worst pause with switches, full load, ms", { below: 20 }, rows[3].worst),
    ],
  };
}

/** Two runs of the demo market, one of which ends a day earlier. */
async function twoSnapshots({ folder }: Bench): Promise<string> {
  progressLine("publishing two snapshots");
  const out = await snapshotsOrDemo(undefined, folder);
  const { asOf } = await readManifest(await currentSnapshot(out));
  await runScript(HINDSIGHT, [...pipelineArgs("demo", out), "--as-of", dateOfDay(asOf - 1)]);
  return out;
}

/** Points `CURRENT` at the other snapshot, again and again. Returns how often the answers followed. */
async function switchTimes(
  times: number,
  snapshots: string,
  answer: () => Promise<{ readonly text: string }>,
): Promise<number> {
  let followed = 0;
  for (let time = 0; time < times; time++) {
    await sleep(BETWEEN_SWITCHES_MS);
    const before = basename(await currentSnapshot(snapshots));
    const other = (await listSnapshotIds(snapshots)).find((id) => id !== before)!; // there are two
    writeCurrent(snapshots, other);
    const giveUpMs = performance.now() + FOLLOW_MAX_MS;
    let isSeen = false;
    while (!isSeen && performance.now() < giveUpMs) {
      await sleep(FOLLOW_STEP_MS);
      isSeen = (await answer()).text.includes(`"snapshot":"${other}"`);
    }
    if (isSeen) followed++;
  }
  return followed;
}
