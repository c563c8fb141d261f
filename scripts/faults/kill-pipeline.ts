/**
 * Kills the pipeline with `kill -9` at random instants, many of them during publication, again and again. After each
 * kill, readers must find a whole snapshot with every checksum right: the one from before, or the new one. The run
 * after the last kill must succeed and remove what is left behind.
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
import { randomStream } from "../../pipeline/sources/random.ts";
import { LOCK_FILE } from "../../snapshots/lock.ts";
import { openSnapshot } from "../../snapshots/reader.ts";
import { currentSnapshot } from "../../cli/current-snapshot.ts";
import { endOf, HINDSIGHT, watched } from "../support/child-processes.ts";
import { ownFolder } from "../support/own-folder.ts";
import { pipelineArgs } from "../support/publish.ts";
import { main, scriptOptions, whole } from "../support/script-options.ts";

/** The share of kills in the last part of a run, where it writes and publishes. */
const LATE_SHARE = 0.5;
const LATE_FROM = 0.6;
/** The share of kills during publication, a short part of a run that begins when the last stage but one is done. */
const PUBLICATION_SHARE = 0.3;
const WRITTEN = '"stage":"write"';
/** Some kills come after the end of a run on purpose. If more than this share do, too little was tested. */
const MISSED_SHARE_MAX = 0.5;

const values = scriptOptions(import.meta.url, {
  times: { type: "string", default: "50" },
  source: { type: "string", default: "demo" },
  seed: { type: "string", default: "1" },
});
const times = whole("--times", values.times);
const root = ownFolder("faults");
const args = [HINDSIGHT, ...pipelineArgs(values.source, root)];

const kills = randomStream(`kills:${values.seed}`);

/** How long an uninterrupted run and its publication take. */
function runWhole(): { readonly wholeMs: number; readonly publicationMs: number } {
  const started = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`a run ended with ${String(status)}: ${stderr}`);
  const seconds = Number(/"stage":"publish","seconds":([\d.]+)/.exec(stdout)?.[1]);
  if (!stdout.includes(WRITTEN) || !(seconds > 0))
    throw new Error("a run does not say when it publishes");
  return { wholeMs: performance.now() - started, publicationMs: 1000 * seconds };
}

/**
 * Starts a run and kills it some time after its start, or after the beginning of its publication. Returns how long the
 * run took if it ended before.
 */
async function runKilled(
  afterMs: number,
  from: "start" | "publication",
): Promise<number | undefined> {
  const started = performance.now();
  const child = watched(spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] }));
  const ended = endOf(child);
  let timer: NodeJS.Timeout | undefined;
  const begin = () => (timer ??= setTimeout(() => child.kill("SIGKILL"), afterMs));
  if (from === "start") begin();
  child.stdout.on("data", (lines: Buffer) => lines.includes(WRITTEN) && begin());
  const end = await ended;
  clearTimeout(timer);
  if (end !== 0 && end !== "SIGKILL") throw new Error(`a run ended by itself with ${String(end)}`);
  return end === 0 ? performance.now() - started : undefined;
}

/** The id of the snapshot that a reader finds. Throws unless every checksum holds. */
async function readCurrent(): Promise<string> {
  return (await openSnapshot(await currentSnapshot(root))).id;
}

/** What unfinished runs have left in the folder. The lock file stays. */
function leftBehind(): string[] {
  return readdirSync(root).filter((name) => name.startsWith(".") && name !== LOCK_FILE);
}

function shareOfRun(): number {
  if (kills.uniform() >= LATE_SHARE) return kills.uniform();
  return LATE_FROM + kills.uniform() * (1.1 - LATE_FROM);
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

await main(async () => {
  const first = runWhole();
  const night = runWhole(); // much shorter, because it takes the index of past months over
  let nightMs = night.wholeMs;
  console.log(`the first run takes ${seconds(first.wholeMs)}, the others ${seconds(nightMs)}`);
  let killed = 0;
  let published = 0;
  let leftovers = 0;
  let before = await readCurrent();
  for (let kill = 1; kill <= times; kill++) {
    const endedMs =
      kills.uniform() < PUBLICATION_SHARE
        ? await runKilled(1.1 * kills.uniform() * night.publicationMs, "publication")
        : await runKilled(shareOfRun() * nightMs, "start");
    if (endedMs === undefined) killed++;
    else nightMs = endedMs;
    const after = await readCurrent();
    if (after !== before) published++;
    before = after;
    if (leftBehind().length > 0) leftovers++;
  }
  if (killed < times * (1 - MISSED_SHARE_MAX)) {
    throw new Error(`only ${killed} of ${times} runs were killed; the others ended before`);
  }
  runWhole();
  const after = await readCurrent();
  if (after === before) throw new Error("the run after the last kill published nothing");
  const left = leftBehind();
  if (left.length > 0) throw new Error(`the last run left ${left.join(", ")}`);
  console.log(
    `${times} runs, ${killed} killed on the way, ${leftovers} left something behind, ${published} had published; readers always found a whole snapshot, and the next run published and tidied up`,
  );
});
