import { spawn, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { watched } from "../bench/child-server.ts";
import { SERVER_NODE_FLAGS } from "../node-flags.ts";
import { childrenOf } from "./child-processes.ts";

const HINDSIGHT = fileURLToPath(new URL("../hindsight.js", import.meta.url));
const READY_TIMEOUT_MS = 120_000;

/**
 * `hindsight serve` on a free port of this machine, or `hindsight work`, as a child process ended only by
 * this program.
 */
export class ServerChild {
  readonly origin: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | NodeJS.Signals | null>;

  private constructor(
    origin: string,
    child: ChildProcess,
    ended: Promise<number | NodeJS.Signals | null>,
  ) {
    this.origin = origin;
    this.#child = child;
    this.#ended = ended;
  }

  /** Resolves once it reports where it listens, or that it is working. A worker has no origin. */
  static async start(
    args: readonly string[],
    command: "serve" | "work" = "serve",
  ): Promise<ServerChild> {
    const { child, ended } = spawned(args, command);
    const timer = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
    try {
      return new ServerChild(await announced(child, ended), child, ended);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Starts one and kills it after this long, whether or not it is listening by then. */
  static async startAndKill(args: readonly string[], afterMs: number): Promise<void> {
    const { child, ended } = spawned(args);
    const timer = setTimeout(() => child.kill("SIGKILL"), afterMs);
    const end = await ended;
    clearTimeout(timer);
    if (end !== "SIGKILL") throw new Error(`a starting server ended with ${String(end)}`);
  }

  /**
   * Kills, at once, the processes it has started, such as the one that runs its backtests. True if there were
   * any.
   */
  killChildren(): boolean {
    const children = childrenOf(this.#child.pid ?? 0);
    for (const pid of children) killed(pid);
    return children.length > 0;
  }

  /** Stops it where it is, or lets it continue. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(signal);
  }

  /** Sends a signal and waits for the end. */
  async end(signal: "SIGKILL" | "SIGTERM"): Promise<number | NodeJS.Signals | null> {
    this.#child.kill(signal);
    return await this.#ended;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Its exit code or signal; undefined while it is running. */
  get exit(): number | NodeJS.Signals | undefined {
    return this.#child.exitCode ?? this.#child.signalCode ?? undefined;
  }
}

/** A process that has ended meanwhile needs no signal. */
function killed(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

function spawned(args: readonly string[], command: "serve" | "work" = "serve") {
  const [flags, own] = command === "serve" ? [SERVER_NODE_FLAGS, ["--port", "0"]] : [[], []];
  const all = [...flags, HINDSIGHT, command, ...own, "--log-level", "error", ...args];
  const child = watched(spawn(process.execPath, all, { stdio: ["ignore", "pipe", "inherit"] }));
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) => {
    child.on("exit", (code, signal) => resolve(code ?? signal));
  });
  return { child, ended };
}

/** The address that a server prints when it listens. Its later output, the log, is passed on. */
function announced(child: ChildProcess, ended: Promise<unknown>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    let found = false;
    child.stdout?.on("data", (chunk: Buffer) => {
      if (found) {
        process.stderr.write(chunk);
        return;
      }
      text += chunk.toString();
      const said = /Serving on (http:\S+):|Working on the jobs/.exec(text);
      found = said !== null;
      if (said !== null) resolve(said[1] ?? "");
    });
    void ended.then((end) =>
      reject(new Error(`the server ended with ${String(end)} before it served: ${text}`)),
    );
  });
}
