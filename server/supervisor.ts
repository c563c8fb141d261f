import type { ChildProcess } from "node:child_process";
import type { MetricValues } from "./metrics/metric.ts";

/** What a process of a server tells the one that started it. */
export type FromChild =
  | { readonly kind: "listening"; readonly origin: string }
  | {
      readonly kind: "metrics";
      readonly id: number;
      readonly values: readonly MetricValues[];
    };

export interface ToChild {
  readonly kind: "metrics";
  readonly id: number;
}

export interface SupervisorOptions {
  readonly count: number;
  /** Starts a process that tells over its channel when it listens, and ends well at SIGTERM. */
  readonly start: (index: number) => ChildProcess;
  readonly report: (message: string, details: Readonly<Record<string, unknown>>) => void;
  readonly monotonicMs: () => number;
  /** The wait before a process that ended by itself is started again; it doubles while that goes on. */
  readonly restartMs?: number;
}

const RESTART_MS = 250;
const RESTART_MAX_MS = 30_000;
/** A process that lived this long ended for another reason than the one before it. */
const STEADY_MS = 60_000;
/** Longer than a process gives its store to answer. */
const METRICS_WAIT_MS = 2_000;
/** A process ends by itself within its own limit; behind that one it is ended. */
const STOP_LIMIT_MS = 11_000;

interface Seat {
  readonly index: number;
  child: ChildProcess;
  startedMs: number;
  /** Ends by itself, one soon after the other. */
  failures: number;
  timer: NodeJS.Timeout | undefined;
}

/**
 * Keeps so many processes of one server running: all listen on one port, and one that ends is started again, at
 * longer and longer intervals while it keeps ending. When the first of them cannot begin at all, nothing runs.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #seats: Seat[] = [];
  readonly #asked = new Map<number, (values: readonly MetricValues[]) => void>();
  #stopping = false;
  #restarts = 0;
  #question = 0;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Processes that ended by themselves and were started again. */
  get restarts(): number {
    return this.#restarts;
  }

  /** Processes that run now. */
  get running(): number {
    return this.#seats.filter(({ child }) => isRunning(child)).length;
  }

  /**
   * Resolves with where they listen, once all do. The first goes ahead: what keeps it from starting keeps all, and is
   * said once.
   */
  async start(): Promise<string> {
    try {
      const origin = await this.#begin(0);
      if (this.#stopping) throw new Error("told to end while starting");
      const others = Array.from({ length: this.#options.count - 1 }, (_, index) => index + 1);
      await Promise.all(others.map((index) => this.#begin(index)));
      return origin;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  /** Every process's metrics; one that does not answer in time is left out. */
  async metrics(): Promise<readonly (readonly MetricValues[])[]> {
    const running = this.#seats.filter(({ child }) => isRunning(child) && child.connected);
    return await Promise.all(running.map(({ child }) => this.#ask(child)));
  }

  /** Ends all of them. True when each ended well. */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    const ends = this.#seats.map(async ({ child, timer }) => {
      clearTimeout(timer);
      if (!isRunning(child)) return child.exitCode === 0;
      const limit = setTimeout(() => child.kill("SIGKILL"), STOP_LIMIT_MS);
      const ended = exitOf(child);
      child.kill("SIGTERM");
      const code = await ended;
      clearTimeout(limit);
      return code === 0;
    });
    return (await Promise.all(ends)).every(Boolean);
  }

  #begin(index: number): Promise<string> {
    const seat: Seat = {
      index,
      child: this.#options.start(index),
      startedMs: this.#options.monotonicMs(),
      failures: 0,
      timer: undefined,
    };
    this.#seats.push(seat);
    return new Promise((resolve, reject) => {
      const early = (code: number | null, signal: string | null) =>
        reject(new Error(`a process of the server could not start (${signal ?? `exit ${code}`})`));
      seat.child.once("exit", early);
      this.#listen(seat, (origin) => {
        seat.child.off("exit", early);
        seat.child.once("exit", (...how) => this.#ended(seat, how));
        resolve(origin);
      });
    });
  }

  #ended(seat: Seat, [code, signal]: readonly [number | null, string | null]): void {
    if (this.#stopping) return;
    const { report, monotonicMs, restartMs = RESTART_MS } = this.#options;
    const steady = monotonicMs() - seat.startedMs >= STEADY_MS;
    seat.failures = steady ? 1 : seat.failures + 1;
    const waitMs = Math.min(restartMs * 2 ** (seat.failures - 1), RESTART_MAX_MS);
    report("a process of the server ended and is started again", {
      child: seat.index,
      pid: seat.child.pid,
      exit: signal ?? code,
      wait_ms: waitMs,
    });
    seat.timer = setTimeout(() => this.#startAgain(seat), waitMs);
  }

  #startAgain(seat: Seat): void {
    this.#restarts++;
    seat.child = this.#options.start(seat.index);
    seat.startedMs = this.#options.monotonicMs();
    seat.child.once("exit", (...how) => this.#ended(seat, how));
    this.#listen(seat, () => {});
  }

  #listen({ child }: Seat, onListening: (origin: string) => void): void {
    child.on("message", (message: FromChild) => {
      if (message.kind === "listening") onListening(message.origin);
      else this.#asked.get(message.id)?.(message.values);
    });
    // A channel that broke is a process that ends, which is seen elsewhere.
    child.on("error", () => {});
  }

  async #ask(child: ChildProcess): Promise<readonly MetricValues[]> {
    const id = this.#question++;
    try {
      return await new Promise((resolve) => {
        setTimeout(() => resolve([]), METRICS_WAIT_MS).unref();
        this.#asked.set(id, resolve);
        const question: ToChild = { kind: "metrics", id };
        child.send(question, (error) => {
          if (error !== null) resolve([]);
        });
      });
    } finally {
      this.#asked.delete(id);
    }
  }
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

function exitOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => child.once("exit", resolve));
}
