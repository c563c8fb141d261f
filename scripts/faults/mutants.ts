/**
 * Damages files of every format in many ways, reads each in a process with the limits of a check over HTTP, and counts
 * what becomes of them. Each is read, refused, or ended at a limit of time or memory; an error that is not meant for
 * the sender, a process that ends by itself, and memory above the limit are defects.
 *
 *   node dist/scripts/faults/mutants.js [options]
 *
 *   --times N        mutants, in all (default: 100000)
 *   --files DIR      files beside the small ones that it makes, with its subfolders; repeatable
 *   --seed TEXT      the same seed gives the same mutants (default: 1)
 *   --processes N    that read at the same time (default: 2)
 *
 * Exits 1 if there are defects.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { sum } from "simple-statistics";
import { childChannel, type Channel } from "../../aside/channel.ts";
import { printTable } from "../../cli/text-table.ts";
import { cpuMsOf, watched } from "../support/child-processes.ts";
import { ownFolder } from "../support/own-folder.ts";
import { progressLine } from "../../cli/progress-line.ts";
import { main, scriptOptions, whole } from "../support/script-options.ts";
import { madeExports } from "./made-exports.ts";
import type { MutantReply } from "./mutant-reader.ts";

const READER = fileURLToPath(new URL("./mutant-reader.js", import.meta.url));
const HEAP_MB = 512;
const MEMORY_MB = 1536;
const LIMITED = 'ulimit -c 0; ulimit -d "$1"; shift; exec "$@"';
/** CPU time of one mutant. */
const CPU_MS_MAX = 2000;
const LOOK_MS = 250;
/** Larger files are left out, because they would take all the time there is. */
const FILE_MAX = 500_000;
/** A process ends after this many mutants, so that its peak of memory is that of few. */
const READS_MAX = 2000;
const MESSAGE_MAX = 1000;

const OUTCOMES = [
  "read",
  "refused",
  "more_needed",
  "too_large",
  "out_of_memory",
  "over 2 s",
  "defect",
] as const;
type Outcome = (typeof OUTCOMES)[number];

const values = scriptOptions(import.meta.url, {
  times: { type: "string", default: "100000" },
  files: { type: "string", multiple: true, default: [] },
  seed: { type: "string", default: "1" },
  processes: { type: "string", default: "2" },
});
const times = whole("--times", values.times);
const processes = whole("--processes", values.processes);
const folder = ownFolder("mutants");
const counts = new Map<string, Map<Outcome, number>>();
const defects: string[] = [];
let peakMb = 0;

/** A process that reads mutants. */
class Reader {
  #child: ChildProcess | undefined;
  #channel: Channel | undefined;
  #reads = 0;

  async outcome(path: string, seed: string): Promise<Outcome> {
    const child = (this.#child ??= this.#started());
    const pid = child.pid!; // it has started
    const before = cpuMsOf(pid);
    let isLate = false;
    const timer = setInterval(() => {
      if (cpuMsOf(pid) - before > CPU_MS_MAX) isLate = child.kill("SIGKILL");
    }, LOOK_MS);
    const call = this.#channel!.call("read", [path, seed]); // started with it
    const reply = (await call.catch(() => undefined)) as MutantReply | undefined;
    clearInterval(timer);
    if (reply !== undefined) return this.#answered(reply, path, seed);
    this.#child = undefined;
    if (isLate) return "over 2 s";
    if (child.signalCode === "SIGABRT") return "out_of_memory";
    defects.push(`${seed} of ${path}: ended with ${child.exitCode ?? child.signalCode}`);
    return "defect";
  }

  end(): void {
    this.#child?.kill("SIGKILL");
    this.#child = undefined;
  }

  #started(): ChildProcess {
    const node = [process.execPath, `--max-old-space-size=${HEAP_MB}`, "--single-threaded", READER];
    const args = ["-c", LIMITED, "sh", String(MEMORY_MB * 1024), ...node];
    this.#reads = 0;
    const stdio = ["ignore", "ignore", "ignore", "ipc"] as const;
    const child = watched(spawn("/bin/sh", args, { stdio: [...stdio] }));
    this.#channel = childChannel(child);
    return child;
  }

  #answered(reply: MutantReply, path: string, seed: string): Outcome {
    peakMb = Math.max(peakMb, reply.peakMb);
    if (++this.#reads === READS_MAX) this.end();
    if (reply.kind === "failed") {
      defects.push(`${seed} of ${path}: ${reply.name}\n${reply.frames}`);
      return "defect";
    }
    if (!("message" in reply) || reply.message.length <= MESSAGE_MAX) return reply.kind;
    defects.push(`${seed} of ${path}: a message of ${reply.message.length} characters`);
    return "defect";
  }
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) return filesIn(path);
    return statSync(path).size <= FILE_MAX ? [path] : [];
  });
}

async function paths(): Promise<string[]> {
  const made = (await madeExports(folder)).map(({ name, bytes }) => {
    writeFileSync(join(folder, name), bytes);
    return join(folder, name);
  });
  return [...made, ...values.files.flatMap(filesIn)];
}

await main(async () => {
  const files = await paths();
  let begun = 0;
  const readAll = async () => {
    const reader = new Reader();
    for (let number = begun++; number < times; number = begun++) {
      const path = files[number % files.length]!;
      const outcome = await reader.outcome(path, `${values.seed}:${number}`);
      const ofFile = counts.get(path) ?? new Map<Outcome, number>();
      counts.set(path, ofFile.set(outcome, (ofFile.get(outcome) ?? 0) + 1));
      progressLine(`${number} of ${times}, ${defects.length} defects`);
    }
    reader.end();
  };
  await Promise.all(Array.from({ length: processes }, readAll));
  progressLine("");
  tell();
  if (peakMb > MEMORY_MB) defects.push(`${peakMb} MiB of memory, more than ${MEMORY_MB}`);
  for (const defect of defects) console.error(`defect: ${defect}`);
  process.exitCode = defects.length > 0 ? 1 : 0;
});

/** A table of all outcomes, with a line for each file whose mutants ended at a limit. */
function tell(): void {
  const cells = (counted: readonly ReadonlyMap<Outcome, number>[]) =>
    OUTCOMES.map((kind) => String(sum(counted.map((each) => each.get(kind) ?? 0))));
  const atLimits = [...counts].filter(
    ([, outcomes]) => outcomes.has("over 2 s") || outcomes.has("out_of_memory"),
  );
  const rows = atLimits.map(([path, outcomes]) => [path, ...cells([outcomes])]);
  printTable(["file", ...OUTCOMES], [...rows, ["all", ...cells([...counts.values()])]]);
  console.log(`at most ${Math.round(peakMb)} MiB of memory`);
}
