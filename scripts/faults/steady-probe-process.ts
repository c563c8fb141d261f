import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { watched } from "../bench/child-server.ts";

export interface SteadyProbeOptions {
  readonly port: number;
  readonly path: string;
  readonly key: string;
  /** Sent as JSON by POST; without one it is a GET. */
  readonly body?: string;
  readonly perSecond: number;
  readonly connections: number;
}

/** What was answered since the previous window. */
export interface SteadyWindow {
  readonly latenciesMs: readonly number[];
  /** How many answers had each status. */
  readonly statuses: Readonly<Record<number, number>>;
}

const SCRIPT = fileURLToPath(new URL("./steady-probe.js", import.meta.url));

/** Runs `steady-probe.ts` in a process of its own, from now until it is stopped. */
export class SteadyProbe {
  readonly #child: ChildProcess;

  constructor(options: SteadyProbeOptions) {
    this.#child = watched(fork(SCRIPT, [JSON.stringify(options)]));
  }

  /** Ends a window and begins the next one. */
  window(): Promise<SteadyWindow> {
    return new Promise((resolve, reject) => {
      this.#child.once("message", (message) => resolve(message as SteadyWindow));
      this.#child.send("window", (error) => error && reject(error));
    });
  }

  stop(): void {
    this.#child.kill();
  }
}
