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
import { besideChecks, besideJobs, besideStudies } from "./beside-jobs.ts";
import { engine } from "./engine.ts";
import { fairness } from "./fairness.ts";
import { latency } from "./latency.ts";
import type { Bench, Part } from "./part.ts";
import { pipeline } from "./pipeline.ts";
import { reads } from "./reads.ts";
import { start } from "./start.ts";
import { snapshotSwitch } from "./snapshot-switch.ts";
import { textOf } from "./result-text.ts";
import { snapshotsOrDemo } from "../support/publish.ts";
import { ownFolder } from "../support/own-folder.ts";
import { progressLine } from "../support/progress-line.ts";
import { refuse, scriptOptions, whole } from "../support/script-options.ts";

const PARTS: Readonly<Record<string, Part>> = {
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
};
const NAMES = Object.keys(PARTS);

/** Above this load another program is using a good part of a core. */
const QUIET_LOAD_MAX = 0.5;

// If this is set, every Node process reads and checks these certificates before its program's first line: 45 ms.
delete process.env["NODE_EXTRA_CA_CERTS"];

const values = scriptOptions(import.meta.url, {
  only: { type: "string", default: NAMES.join(",") },
  quick: { type: "boolean", default: false },
  seconds: { type: "string" },
  rounds: { type: "string" },
  connections: { type: "string", default: "64" },
  snapshots: { type: "string" },
  json: { type: "string" },
});

const folder = ownFolder("bench");

function partsOf(only: string): string[] {
  const names = only.split(",");
  const unknown = names.find((name) => !NAMES.includes(name));
  if (unknown === undefined) return names;
  return refuse(`there is no part "${unknown}": the parts are ${NAMES.join(", ")}`);
}

/** What one must know about the machine for a figure to mean anything. */
function machineOf() {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: cpus().length,
    memory_gib: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    /** Mean number of runnable processes in the minute before the benchmark. */
    load_before: Number(loadavg()[0]!.toFixed(2)),
  };
}

async function main(): Promise<void> {
  const machine = machineOf();
  const names = partsOf(values.only);
  const options = {
    seconds: whole("--seconds", values.seconds ?? "1"),
    rounds: whole("--rounds", values.rounds ?? (values.quick ? "2" : "5")),
    connections: whole("--connections", values.connections),
  };
  progressLine("making snapshots ready");
  const snapshots = await snapshotsOrDemo(values.snapshots, folder);
  const bench: Bench = { ...options, folder, progress: progressLine, snapshots };
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
  const parts: Record<string, object> = {};
  for (const name of names) {
    parts[name] = await runPart(name, bench);
    if (values.json === undefined) continue;
    const all = { started_at: startedAt, machine, options, parts };
    // Written after each part, because the next may take long.
    writeFileSync(values.json, `${JSON.stringify(all, null, 2)}\n`);
  }
}

/** Runs a part in a folder of its own and prints it. A part that fails does not stop the others. */
async function runPart(name: string, bench: Bench): Promise<object> {
  const begunMs = performance.now();
  const own = join(folder, name);
  mkdirSync(own);
  try {
    const part = await PARTS[name]!({ ...bench, folder: own }); // checked by partsOf
    progressLine("");
    console.log(`${textOf(part)}  (${Math.round((performance.now() - begunMs) / 1000)} s)\n`);
    return { ...part.figures, targets: part.targets };
  } catch (error) {
    progressLine("");
    const reason = error instanceof Error ? error.message : String(error);
    console.error(`${name} failed: ${reason}\n`);
    process.exitCode = 1;
    return { failed: reason };
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

try {
  await main();
} catch (error) {
  progressLine("");
  console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
