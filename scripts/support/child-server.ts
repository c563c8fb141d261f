import { spawn, type ChildProcess } from "node:child_process";
import { cpuMsOf, endOf, HINDSIGHT, starvedMsOf, watched, type End } from "./child-processes.ts";
import { SERVER_NODE_FLAGS } from "../../cli/node-flags.ts";

const READY_TIMEOUT_MS = 120_000;
/** A server ends within ten seconds of the signal. */
const STOP_TIMEOUT_MS = 12_000;

interface ChildServerOptions {
  /** Node's own flags. */
  readonly flags?: readonly string[];
  readonly script: string;
  readonly args: readonly string[];
  /** Whether to open a channel for `tell`. */
  readonly ipc?: boolean;
}

/** `hindsight serve` or `hindsight work`, as a user starts it. */
export function startHindsight(args: readonly string[]): Promise<ChildServer> {
  const flags = args[0] === "serve" ? SERVER_NODE_FLAGS : [];
  return ChildServer.start({ flags, script: HINDSIGHT, args });
}

/**
 * A server or worker in a process of its own, which has announced that it is ready. It ends only when this program
 * ends it.
 */
export class ChildServer {
  /** Empty for a worker. */
  readonly origin: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #ended: Promise<End>;

  private constructor(origin: string, child: ChildProcess, ended: Promise<End>) {
    this.origin = origin;
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
    const ended = endOf(child);
    const timer = setTimeout(() => child.kill("SIGKILL"), READY_TIMEOUT_MS);
    try {
      return new ChildServer(await announced(child, ended), child, ended);
    } finally {
      clearTimeout(timer);
    }
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  /** Its exit code or signal, or undefined while it is running. */
  get exit(): End | undefined {
    return this.#child.exitCode ?? this.#child.signalCode ?? undefined;
  }

  /** Sends a message and waits for the answer. */
  async tell(message: string): Promise<void> {
    const answered = new Promise((resolve) => {
      this.#child.once("message", resolve);
    });
    this.#child.send(message);
    await answered;
  }

  cpuMs(): number {
    return cpuMsOf(this.pid);
  }

  /** How long its main thread has waited for a core. */
  starvedMs(): number {
    return starvedMsOf(this.pid);
  }

  /** Pauses or resumes the process. */
  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.#child.kill(signal);
  }

  /** Ends it in order, or kills it if that takes too long. */
  async stop(): Promise<End> {
    this.#child.kill("SIGTERM");
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), STOP_TIMEOUT_MS);
    const end = await this.#ended;
    clearTimeout(timer);
    return end;
  }

  /** Kills it. */
  async kill(): Promise<End> {
    this.#child.kill("SIGKILL");
    return await this.#ended;
  }
}

/** Passes on the lines of its log that report trouble. */
function passOn(text: string): void {
  const lines = text.split("\n").filter((line) => line !== "" && !line.includes('"level":30'));
  for (const line of lines) process.stderr.write(`${line}\n`);
}

/** The address that a server prints when it listens, or empty for a worker. Trouble that it logs later is passed on. */
function announced(child: ChildProcess, ended: Promise<End>): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    let found = false;
    child.stdout?.on("data", (chunk: Buffer) => {
      if (found) {
        passOn(chunk.toString());
        return;
      }
      text += chunk.toString();
      const said = /"origin":"(http:[^"]+)"|Serving on (http:\S+)|working on jobs/.exec(text);
      found = said !== null;
      if (said !== null) resolve(said[1] ?? said[2] ?? "");
    });
    void ended.then((end) =>
      reject(new Error(`a server ended with ${String(end)} before it served: ${text}`)),
    );
  });
}
