/** Child processes. None of them outlives the program that started it (`ownFolder`). */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The built command line. */
export const HINDSIGHT = fileURLToPath(new URL("../hindsight.js", import.meta.url));

/** Clock ticks per second in `/proc`, the same on every Linux platform that Node runs on. */
const TICKS_PER_SECOND = 100;

const running = new Set<ChildProcess>();

/** Keeps track of a child while it runs. */
export function watched<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.on("exit", () => running.delete(child));
  return child;
}

/** Kills every child that is still running. */
export function endChildren(): void {
  for (const child of running) child.kill("SIGKILL");
}

/** An exit code, or the signal that ended the process. */
export type End = number | NodeJS.Signals | null;

/** Resolves when a child ends. */
export function endOf(child: ChildProcess): Promise<End> {
  return new Promise((resolve) => child.on("exit", (code, signal) => resolve(code ?? signal)));
}

/** Runs a script and returns its standard output. Throws if it fails. */
export async function runScript(script: string, args: readonly string[]): Promise<string> {
  const child = watched(
    spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] }),
  );
  let output = "";
  let faults = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (faults += chunk.toString()));
  const end = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal));
  });
  if (end !== 0) throw new Error(`${script} ended with ${String(end)}: ${faults}${output}`);
  return output;
}

/** Ids of the running processes that a process started. */
export function childrenOf(pid: number): readonly number[] {
  const table = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return table
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child ?? 0);
}

/**
 * The CPU time that a process has used so far, in milliseconds; NaN where the system does not report it (not Linux). With
 * `children`, also that of the processes it started.
 */
export function cpuMsOf(pid: number, { children = false } = {}): number {
  try {
    // The name in brackets may contain blanks, so fields are counted after it.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    const ended = children ? Number(fields[13]) + Number(fields[14]) : 0;
    const own = ((Number(fields[11]) + Number(fields[12]) + ended) * 1000) / TICKS_PER_SECOND;
    return (children ? childrenOf(pid) : []).reduce(
      (total, child) => total + (cpuMsOf(child) || 0),
      own,
    );
  } catch {
    return NaN;
  }
}

/** How long a process's main thread was ready to run and had no core, in milliseconds. NaN where it is not reported. */
export function starvedMsOf(pid: number): number {
  try {
    const [, waited] = readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ");
    return Number(waited) / 1e6;
  } catch {
    return NaN;
  }
}
