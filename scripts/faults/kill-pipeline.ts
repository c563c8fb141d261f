/**
 * Kills the pipeline with `kill -9` at random instants, again and again. After each kill, readers must find a whole
 * snapshot with every checksum right: the one from before, or the new one. The run after the last kill must succeed
 * and remove what is left behind.
 *
 *   node dist/scripts/faults/kill-pipeline.js [options]
 *
 *   --times N        runs to kill (default: 50)
 *   --source SOURCE  prices, as `hindsight pipeline` takes them (default: demo)
 *   --seed TEXT      the same seed gives the same kills (default: 1)
 *
 * Exits 1 if something did not hold.
 */
import { spawn, spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { randomStream } from "../../pipeline/sources/random.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { watched } from "../bench/child-server.ts";
import { ownFolder } from "../own-folder.ts";
import { scriptOptions, whole } from "../script-options.ts";

const HINDSIGHT = fileURLToPath(new URL("../hindsight.js", import.meta.url));
/** The share of kills that fall on the last part of a run, where it writes and publishes. */
const LATE_SHARE = 0.5;
const LATE_FROM = 0.6;
/** Some kills are meant to come after the end of a run. If more than this do, little was tested. */
const MISSED_SHARE_MAX = 0.5;

const values = scriptOptions(import.meta.url, {
  times: { type: "string", default: "50" },
  source: { type: "string", default: "demo" },
  seed: { type: "string", default: "1" },
});
const times = whole("--times", values.times);
const root = ownFolder("faults");
const args = [HINDSIGHT, "pipeline", "--source", values.source, "--out", root];

/** The same seed gives the same kills. */
const kills = randomStream(`kills:${values.seed}`);

function runWhole(): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`a run ended with ${String(status)}: ${stderr}`);
  return performance.now() - started;
}

/** Starts a run and kills it after this long. Resolves to how long it took if it ended before. */
async function runKilled(afterMs: number): Promise<number | undefined> {
  const started = performance.now();
  const child = watched(spawn(process.execPath, args, { stdio: "ignore" }));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
  const end = await ended;
  clearTimeout(timer);
  if (end !== 0 && end !== "SIGKILL") throw new Error(`a run ended by itself with ${String(end)}`);
  return end === 0 ? performance.now() - started : undefined;
}

/** What a reader finds: the id of a snapshot whose every checksum holds, or an error. */
async function readCurrent(): Promise<string> {
  const dir = await findCurrent(root);
  if (dir === undefined) throw new Error("no snapshot is in force");
  return (await openSnapshot(dir)).id;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

async function main(): Promise<void> {
  const firstMs = runWhole();
  let nightMs = runWhole(); // much shorter, because it takes the index of past months over
  console.log(`the first run takes ${seconds(firstMs)}, the others ${seconds(nightMs)}`);
  let killed = 0;
  let published = 0;
  let leftovers = 0;
  let before = await readCurrent();
  for (let kill = 1; kill <= times; kill++) {
    const share =
      kills.uniform() < LATE_SHARE
        ? LATE_FROM + kills.uniform() * (1.1 - LATE_FROM)
        : kills.uniform();
    const endedMs = await runKilled(share * nightMs);
    if (endedMs === undefined) killed++;
    else nightMs = endedMs;
    const after = await readCurrent();
    if (after !== before) published++;
    before = after;
    if (readdirSync(root).some((name) => name.startsWith("."))) leftovers++;
  }
  if (killed < times * (1 - MISSED_SHARE_MAX)) {
    throw new Error(`only ${killed} of ${times} runs were killed; the others ended before`);
  }
  runWhole();
  const after = await readCurrent();
  if (after === before) throw new Error("the run after the last kill published nothing");
  const left = readdirSync(root).filter((name) => name.startsWith("."));
  if (left.length > 0) throw new Error(`the last run left ${left.join(", ")}`);
  console.log(
    `${times} runs, ${killed} killed on the way, ${leftovers} left something behind, ${published} had published; readers always found a whole snapshot, and the next run published and tidied up`,
  );
}

try {
  await main();
} catch (error) {
  console.error(`failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}
