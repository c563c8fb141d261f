import type { ChildProcess } from "node:child_process";
import type { MetricValues } from "../metrics/metric.ts";
import { SupervisedProcess, type SupervisedProcessOptions } from "./supervised-process.ts";

export interface SupervisorOptions extends Omit<SupervisedProcessOptions, "name" | "start"> {
  readonly count: number;
  readonly start: (index: number) => ChildProcess;
}

/**
 * Keeps several processes of one server running, all listening on one port. If one of them cannot start at
 * all, nothing runs.
 */
export class Supervisor {
  readonly #processes: readonly SupervisedProcess[];
  #stopping = false;

  constructor({ count, start, ...options }: SupervisorOptions) {
    this.#processes = Array.from(
      { length: count },
      (_, index) => new SupervisedProcess({ ...options, name: index, start: () => start(index) }),
    );
  }

  /** Processes that ended by themselves and were started again. */
  get restarts(): number {
    return this.#processes.reduce((sum, each) => sum + each.restarts, 0);
  }

  /** Processes that run now. */
  get running(): number {
    return this.#processes.filter((each) => each.isRunning).length;
  }

  /**
   * Resolves with the address where they listen, once all do. The first goes ahead: what it ends with would
   * end all of them, and is reported once. After that, one that ends is started again.
   */
  async start(): Promise<string> {
    const [first, ...others] = this.#processes;
    if (first === undefined) throw new Error("a server has a process at least");
    try {
      const origin = await first.begin({ failsFast: true });
      if (this.#stopping) throw new Error("told to end while starting");
      await Promise.all(others.map((each) => each.begin({ failsFast: false })));
      return origin;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Every process's metrics; one that does not answer in time is left out. */
  async metrics(): Promise<readonly (readonly MetricValues[])[]> {
    return await Promise.all(this.#processes.map((each) => each.metrics()));
  }

  /** Ends all of them; true if each ended well. */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    return (await Promise.all(this.#processes.map((each) => each.stop()))).every(Boolean);
  }
}
