import { fork, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { watched } from "../support/child-processes.ts";
import { percentile } from "./spread.ts";

export interface OpenLoopOptions {
  readonly port: number;
  /** As `writeRequests` makes it. */
  readonly requestsFile: string;
  readonly perSecond: number;
  readonly connections: number;
  /** Leaves the core to others between requests. */
  readonly sleeps: boolean;
}

/** What was answered since the previous window. */
export interface OpenLoopWindow {
  readonly latenciesMs: readonly number[];
  /** How many answers had each status; 0 counts connections that the server closed in place of an answer. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Requests without an answer by now, and how long the oldest has waited. */
  readonly unanswered: number;
  readonly unansweredMs: number;
}

/** Ends a window and begins the next one, or ends the last one once everything is answered. */
export type OpenLoopMessage = "window" | "finish";

const SCRIPT = fileURLToPath(new URL("./open-loop.js", import.meta.url));

/** Helper threads of its V8 would take their time from the server's core. */
const NO_HELPERS = "--single-threaded";

/** Runs `open-loop.ts` in a process of its own, from now until it is stopped. */
export class OpenLoop {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(options: OpenLoopOptions) {
    this.#child = watched(fork(SCRIPT, [JSON.stringify(options)], { execArgv: [NO_HELPERS] }));
    this.#ended = new Promise((_, reject) => {
      this.#child.on("exit", () => reject(new Error("an open loop ended by itself")));
    });
    this.#ended.catch(() => {}); // a caller that waits for a window gets it
  }

  /** Ends a window and begins the next one. */
  window(): Promise<OpenLoopWindow> {
    return this.#ask("window");
  }

  /** Sends nothing more, and ends the last window once everything is answered, or should long have been. */
  finish(): Promise<OpenLoopWindow> {
    return this.#ask("finish");
  }

  stop(): void {
    this.#child.kill();
  }

  async #ask(message: OpenLoopMessage): Promise<OpenLoopWindow> {
    const answered = new Promise<OpenLoopWindow>((resolve, reject) => {
      this.#child.once("message", (window) => resolve(window as OpenLoopWindow));
      this.#child.send(message, (error) => error && reject(error));
    });
    return await Promise.race([answered, this.#ended]);
  }
}

interface OpenLoopRun extends OpenLoopOptions {
  /** How long to load at the same rate before measuring. */
  readonly warmSeconds: number;
  /** What is measured lasts as long as this. */
  during(): Promise<unknown>;
  /** The status that every answer should have. */
  readonly status: number;
}

export interface OpenLoopResult {
  readonly requests: number;
  /** Answers with another status, broken connections, and requests without an answer. */
  readonly failed: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  readonly p999_ms: number;
  readonly max_ms: number;
}

/** One measurement at a steady rate. */
export async function runOpenLoop(run: OpenLoopRun): Promise<OpenLoopResult> {
  const loop = new OpenLoop(run);
  try {
    const warm = [await loop.window()]; // it has started
    await sleep(run.warmSeconds * 1000);
    warm.push(await loop.window());
    await run.during();
    const last = await loop.finish();
    if (last.latenciesMs.length === 0) throw new Error("no request of the open loop was answered");
    const sorted = Float64Array.from(last.latenciesMs).sort();
    const failed = (window: OpenLoopWindow) =>
      countOf(window.statuses) - (window.statuses[run.status] ?? 0);
    return {
      requests: countOf(last.statuses) + last.unanswered,
      failed: [...warm, last].reduce((sum, each) => sum + failed(each), last.unanswered),
      p50_ms: percentile(sorted, 0.5),
      p99_ms: percentile(sorted, 0.99),
      p999_ms: percentile(sorted, 0.999),
      max_ms: percentile(sorted, 1),
    };
  } finally {
    loop.stop();
  }
}

function countOf(statuses: Readonly<Record<number, number>>): number {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}
