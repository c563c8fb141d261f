import { fork, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { sum } from "simple-statistics";
import { quantile } from "../../quant/sample-statistics.ts";
import { watched } from "../support/child-processes.ts";
import type { ChildServer } from "../support/child-server.ts";

export interface LoadOptions {
  readonly port: number;
  /** As `writeRequests` makes it. */
  readonly requestsFile: string;
  readonly connections: number;
  /** Null: as many as are answered. */
  readonly perSecond: number | null;
  /** Leaves the core to others between requests. */
  readonly sleeps?: boolean;
}

/** What was answered since the previous window. */
export interface LoadWindow {
  /** Of a load at a rate. */
  readonly latenciesMs: readonly number[];
  /** How many answers had each status; 0 counts connections that the server closed in place of an answer. */
  readonly statuses: Readonly<Record<number, number>>;
  readonly tookMs: number;
  /** Requests without an answer by now, and how long the oldest has waited. */
  readonly unanswered: number;
  readonly unansweredMs: number;
}

/** Ends a window and begins the next one, or ends the last one once everything is answered. */
export type LoadMessage = "window" | "finish";

const SCRIPT = fileURLToPath(new URL("./load-generator.js", import.meta.url));

/** Helper threads of its V8 would take their time from the server's core. */
const NO_HELPERS = "--single-threaded";

/** Runs `load-generator.ts` in a process of its own, until it is stopped. */
export class Load {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(options: LoadOptions) {
    this.#child = watched(fork(SCRIPT, [JSON.stringify(options)], { execArgv: [NO_HELPERS] }));
    this.#ended = new Promise((_, reject) => {
      this.#child.on("exit", () => reject(new Error("a load generator ended by itself")));
    });
    this.#ended.catch(() => {}); // a caller that waits for a window gets it
  }

  /** Ends a window and begins the next one. The first call begins the load. */
  window(): Promise<LoadWindow> {
    return this.#ask("window");
  }

  /** Sends nothing more, and ends the last window once everything is answered, or should long have been. */
  finish(): Promise<LoadWindow> {
    return this.#ask("finish");
  }

  stop(): void {
    this.#child.kill();
  }

  async #ask(message: LoadMessage): Promise<LoadWindow> {
    const answered = new Promise<LoadWindow>((resolve, reject) => {
      this.#child.once("message", (window) => resolve(window as LoadWindow));
      this.#child.send(message, (error) => error && reject(error));
    });
    return await Promise.race([answered, this.#ended]);
  }
}

interface ClosedLoop {
  readonly requestsFile: string;
  readonly seconds: number;
  readonly connections: number;
  /** The status that answers should have. */
  readonly status?: number;
}

export interface MeasuredLoad {
  readonly perSecond: number;
  /** The server's CPU time per request in microseconds; NaN if the system does not tell. */
  readonly cpuMicros: number;
  /** The share of one core that the server used. Well below 1, it was waiting for the generator. */
  readonly cpuShare: number;
  readonly requests: number;
  /** Answers with another status, broken connections, and requests without an answer. */
  readonly failed: number;
}

/** Loads a server as fast as it answers, and measures what that cost it. */
export async function measureLoad(server: ChildServer, of: ClosedLoop): Promise<MeasuredLoad> {
  const { requestsFile, seconds, connections, status = 200 } = of;
  const load = new Load({ port: server.port, requestsFile, connections, perSecond: null });
  try {
    await load.window();
    const before = server.cpuMs();
    await sleep(1000 * seconds);
    const { statuses, tookMs, unanswered } = await load.finish();
    const cpuMs = server.cpuMs() - before;
    const requests = sum(Object.values(statuses));
    return {
      perSecond: requests / (tookMs / 1000),
      cpuMicros: (cpuMs * 1000) / requests,
      cpuShare: cpuMs / tookMs,
      requests,
      failed: requests - (statuses[status] ?? 0) + unanswered,
    };
  } finally {
    load.stop();
  }
}

interface OpenLoop extends LoadOptions {
  readonly perSecond: number;
  /** How long to load at the same rate before measuring. */
  readonly warmSeconds: number;
  /** What is measured lasts as long as this. */
  during(): Promise<unknown>;
}

export interface OpenLoopResult {
  readonly requests: number;
  /** Answers other than 200, broken connections, and requests without an answer. */
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly p999_ms: number;
  readonly max_ms: number;
}

/** One measurement at a steady rate. */
export async function runOpenLoop(of: OpenLoop): Promise<OpenLoopResult> {
  const load = new Load(of);
  try {
    await load.window();
    await sleep(of.warmSeconds * 1000);
    const warm = await load.window();
    await of.during();
    const last = await load.finish();
    if (last.latenciesMs.length === 0) throw new Error("no request of the open loop was answered");
    const failed = ({ statuses }: LoadWindow) =>
      sum(Object.values(statuses)) - (statuses[200] ?? 0);
    return {
      requests: sum(Object.values(last.statuses)) + last.unanswered,
      failed: failed(warm) + failed(last) + last.unanswered,
      p50_ms: quantile(last.latenciesMs, 0.5),
      p99_ms: quantile(last.latenciesMs, 0.99),
      p999_ms: quantile(last.latenciesMs, 0.999),
      max_ms: quantile(last.latenciesMs, 1),
    };
  } finally {
    load.stop();
  }
}
