/**
 * The benchmark: this service beside the least that its socket library can do, and beside what one would otherwise
 * build. Everything runs on this machine, on 127.0.0.1, in rounds; figures are medians and ratios with their spread.
 *
 *   node dist/scripts/bench/bench.js [options]
 *
 *   --only PARTS       some of reads,latency,jobs,studies,checks,fairness,start,switch,
 *                      engine,pipeline (default: all of them)
 *   --rounds N         rounds that count (default: 5)
 *   --seconds N        length of each measurement (default: 1)
 *   --connections N    connections of the load (default: 64)
 *   --quick            two rounds, for a first look
 *   --snapshots DIR    folder of published snapshots (default: publishes the demo market first)
 *   --json FILE        file that takes every figure, written anew after each part
 *
 * All of it takes some ten minutes on two idle cores; docs/performance.md says how to read it. Each part that
 * has targets ends with them, as met or MISSED. Exits 1 if a part failed.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { cpus, loadavg, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { endChildren } from "../support/child-processes.ts";
import { ownFolder, REMOVAL } from "../support/own-folder.ts";
import { progressLine } from "../../cli/progress-line.ts";
import { snapshotsOrDemo } from "../support/publish.ts";
import { main, refuse, scriptOptions, whole } from "../support/script-options.ts";
import { besideChecks, besideJobs, besideStudies } from "./beside-jobs.ts";
import { engine } from "./engine.ts";
import { fairness } from "./fairness.ts";
import { latency } from "./latency.ts";
import { textOf, type Bench, type Part } from "./part.ts";
import { pipeline } from "./pipeline.ts";
import { reads } from "./reads.ts";
import { snapshotSwitch } from "./snapshot-switch.ts";
import { start } from "./start.ts";

const PARTS: ReadonlyMap<string, Part> = new Map(
  Object.entries({
    reads,
    latency,
    jobs: besideJobs,
    studies: besideStudies,
    checks: besideChecks,
    fairness,
    start,
    switch: snapshotSwitch,
    engine,
    pipeline,
  }),
);
const NAMES = [...PARTS.keys()].join(",");

/** Above this load another program is using a good part of a core. */
const QUIET_LOAD_MAX = 0.5;

// If this is set, every Node process reads and checks these certificates before its program's first line: 45 ms.
delete process.env["NODE_EXTRA_CA_CERTS"];

const values = scriptOptions(import.meta.url, {
  only: { type: "string", default: NAMES },
  quick: { type: "boolean", default: false },
  seconds: { type: "string", default: "1" },
  rounds: { type: "string" },
  connections: { type: "string", default: "64" },
  snapshots: { type: "string" },
  json: { type: "string" },
});
const parts = values.only.split(",").map((name) => {
  const part = PARTS.get(name);
  return part === undefined
    ? refuse(`there is no part "${name}": the parts are ${NAMES}`)
    : ([name, part] as const);
});
const options = {
  seconds: whole("--seconds", values.seconds),
  rounds: whole("--rounds", values.rounds ?? (values.quick ? "2" : "5")),
  connections: whole("--connections", values.connections),
};
const folder = ownFolder("bench");

/** Runs a part in a folder of its own and prints it. A part that fails does not stop the others. */
async function run(name: string, part: Part, bench: Bench): Promise<object> {
  const begunMs = performance.now();
  mkdirSync(bench.folder);
  try {
    const { rows, targets, ...result } = await part(bench);
    const seconds = Math.round((performance.now() - begunMs) / 1000);
    progressLine("");
    console.log(`${textOf({ rows, targets, ...result })}  (${seconds} s)\n`);
    return { rows, targets };
  } catch (error) {
    const failed = error instanceof Error ? error.message : String(error);
    progressLine("");
    console.error(`${name} failed: ${failed}\n`);
    process.exitCode = 1;
    return { failed };
  } finally {
    endChildren();
    rmSync(bench.folder, REMOVAL);
  }
}

await main(async () => {
  const machine = {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    /** Mean number of runnable processes in the minute before the benchmark. */
    load_before: Number(loadavg()[0]!.toFixed(2)),
  };
  progressLine("making snapshots ready");
  const snapshots = await snapshotsOrDemo(values.snapshots, folder);
  const startedAt = new Date().toISOString();
  console.log(
    `${startedAt}  ${machine.cpu}, ${machine.cores} cores, ${machine.memory_gib} GiB, ${machine.system}, ` +
      `Node ${machine.node}; load before: ${machine.load_before}\n` +
      `${options.connections} connections, ${options.rounds} rounds of ${options.seconds} s; ` +
      `figures are medians of rounds with (smallest..largest)\n`,
  );
  if (machine.load_before > QUIET_LOAD_MAX) {
    console.log("Other work runs on this machine: only ratios by CPU time mean something now.\n");
  }
  const figures: Record<string, object> = {};
  for (const [name, part] of parts) {
    figures[name] = await run(name, part, { ...options, snapshots, folder: join(folder, name) });
    const all = { started_at: startedAt, machine, options, parts: figures };
    // Written after each part, because the next may take long.
    if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
  }
});
