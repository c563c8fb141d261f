import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

const READY_TIMEOUT_MS = 60_000;
/** Clock ticks per second in `/proc`: constant in Linux on every platform that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Children that are running now. */
const running = new Set<ChildProcess>();

/** Keeps track of a child while it runs, so that none outlives this program. */
export function watched<Child extends ChildProcess>(child: Child): Child {
  running.add(child);
  child.on("exit", () => running.delete(child));
  return child;
}

/** Kills every child that is still running, for a benchmark that was interrupted. */
export function endChildren(): void {
  for (const child of running) child.kill("SIGKILL");
}

export interface ChildServerOptions {
  /** Node's own flags. */
  readonly flags?: readonly string[];
  readonly script: string;
  readonly args: readonly string[];
  /** Whether to open a channel for `tell`. */
  readonly ipc?: boolean;
}

/** A server in a process of its own, ended only by this program. It has already said where it listens. */
export class ChildServer {
  readonly origin: string;
  readonly port: number;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;

  private constructor(origin: string, child: ChildProcess, ended: Promise<unknown>) {
    this.origin = origin;
    this.port = Number(new URL(origin).port);
    this.pid = child.pid ?? 0;
    this.#child = child;
    this.#ended = ended;
  }

  static async start(options: ChildServerOptions): Promise<ChildServer> {
    const { flags = [], script, args, ipc = false } = options;
    const child = watched(
      spawn(process.execPath, [...flags, script, ...args], {
        stdio: ["ignore", "pipe", "inherit", ...(ipc ? (["ipc"] as const) : [])],
      }),
    );
    const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
      child.on("exit", (code, signal) => resolve(code ?? signal));
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
    try {
      return new ChildServer(await announced(child, ended), child, ended);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a message and waits for an answer, whatever it is. */
  async tell(message: string): Promise<void> {
    const answered = new Promise((resolve) => {
      this.#child.once("message", resolve);
    });
    this.#child.send(message);
    await answered;
  }

  /** See `cpuMsOf`. */
  cpuMs(): number | undefined {
    return cpuMsOf(this.pid);
  }

  /** Resident memory of its own, in bytes; undefined if the system does not tell (not Linux). */
  residentBytes(): number | undefined {
    return residentBytesOf(this.pid);
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), 12_000);
    await this.#ended;
    clearTimeout(timer);
  }
}

/** See `ChildServer.residentBytes`. */
export function residentBytesOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(text)?.[1]) * 1024;
  } catch {
    return undefined;
  }
}

/**
 * CPU time that a process has used so far, in milliseconds; undefined if the system does not tell (not
 * Linux).
 */
export function cpuMsOf(pid: number): number | undefined {
  try {
    // The name in brackets may contain blanks, so count the fields from behind it.
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
    return ((Number(fields[11]) + Number(fields[12])) * 1000) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** The address that a server prints when it listens. Anything it prints later is dropped. */
function announced(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      if (text.length < 10_000) text += chunk.toString();
      const origin = /Serving on (http:[^\s:]+:\d+)/.exec(text)?.[1];
      if (origin !== undefined) resolve(origin);
    });
    void ended.then((end) =>
      reject(new Error(`a server ended with ${String(end)} before it served: ${text}`)),
    );
  });
}

/**
 * Runs a script to its end and returns its standard output; throws if it fails. Node's own options come
 * first.
 */
export async function runScript(script: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  return await outputOf(child, script);
}

/** A child's standard output, once the child has ended well. */
export async function outputOf(child: ChildProcess, name: string): Promise<string> {
  watched(child);
  let output = "";
  let faults = "";
  child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (faults += chunk.toString()));
  const end = await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => resolve(code ?? signal));
  });
  if (end !== 0) throw new Error(`${name} ended with ${String(end)}: ${faults}${output}`);
  return output;
}
