import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import { watched } from "../support/child-processes.ts";

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
  /** How long the request has waited by now that has waited longest without an answer. */
  readonly unansweredMs: number;
}

/** Ends a window and begins the next one, or ends the last one once everything is answered. */
export type ProbeMessage = "window" | "finish";

const SCRIPT = fileURLToPath(new URL("./steady-probe.js", import.meta.url));

/** Runs `steady-probe.ts` in a process of its own, from now until it is stopped. */
export class SteadyProbe {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  constructor(options: SteadyProbeOptions) {
    this.#child = watched(fork(SCRIPT, [JSON.stringify(options)]));
    this.#ended = new Promise((_, reject) => {
      this.#child.on("exit", () => reject(new Error("a probe ended by itself")));
    });
    this.#ended.catch(() => {}); // whoever waits for a window is told
  }

  /** Ends a window and begins the next one. */
  window(): Promise<SteadyWindow> {
    return this.#ask("window");
  }

  /** Sends nothing more, and ends the last window once everything is answered, or should long have been. */
  finish(): Promise<SteadyWindow> {
    return this.#ask("finish");
  }

  stop(): void {
    this.#child.kill();
  }

  async #ask(message: ProbeMessage): Promise<SteadyWindow> {
    const told = new Promise<SteadyWindow>((resolve, reject) => {
      this.#child.once("message", (window) => resolve(window as SteadyWindow));
      this.#child.send(message, (error) => error && reject(error));
    });
    return await Promise.race([told, this.#ended]);
  }
}
