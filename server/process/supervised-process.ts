import type { ChildProcess } from "node:child_process";
import type { MetricValues } from "../metrics/metric.ts";
import type { ReportFailure } from "./report-failure.ts";

/** What a server's process tells the one that started it. `work`: it took a backtest in; `alive`: it was asked. */
export type FromChild =
  | { readonly kind: "listening"; readonly origin: string }
  | { readonly kind: "work" | "alive" }
  | {
      readonly kind: "metrics";
      readonly id: number;
      readonly values: readonly MetricValues[];
    };

/** What the starting process tells it. `work`: a backtest waits; `alive`: it is to answer. */
export type ToChild =
  | { readonly kind: "metrics"; readonly id: number }
  | { readonly kind: "work" | "alive" };

export interface SupervisedProcessOptions {
  /** The process's name among those of the server. */
  readonly name: string | number;
  /** Starts a process that reports over its channel when it listens, and ends well at SIGTERM. */
  readonly start: () => ChildProcess;
  /** Called when it took a backtest in. */
  readonly onWork?: () => void;
  readonly report: ReportFailure;
  readonly monotonicMs: () => number;
  /**
   * How long to wait before a process that ended by itself is started again. The wait doubles as long as that
   * goes on.
   */
  readonly restartMs?: number | undefined;
  /** How long a process that was told to end may take. */
  readonly stopLimitMs?: number | undefined;
}

const RESTART_MS = 250;
const RESTART_MAX_MS = 30_000;
/** A process that ended this often before it ever listened is not started again. */
const BEGINNINGS_MAX = 5;
/** After a process has lived this long, its end has another reason than the one before. */
const STEADY_MS = 60_000;
/** Longer than a process gives its store to answer. */
const METRICS_WAIT_MS = 2_000;
/**
 * A process that was told to end and has not by then is killed. Draining takes less; the process that started it gives
 * up later (`EXIT_LIMIT_MS`), or it would leave this one behind.
 */
const STOP_LIMIT_MS = 9_500;

/**
 * How often a process is asked whether it is alive. On a busy machine an answer may take seconds, so the third question
 * that it leaves unanswered has it woken, and only the sixth killed.
 */
const ASK_MS = 10_000;
const WAKE_AT = 3;
const KILL_AT = 6;

/** A process that cannot start. */
export class CannotStart extends Error {
  override readonly name = "CannotStart";
  /** With one, the process has said why on standard error itself. Undefined if it did not end by itself. */
  readonly exitCode: number | undefined;

  constructor(how: number | string) {
    super(
      `a process of the server could not start (${typeof how === "string" ? how : `exit ${how}`})`,
    );
    this.exitCode = typeof how === "string" ? undefined : how;
  }
}

interface Beginning {
  /** Whether an exit code shows that starting it again is of no use. */
  readonly failsFast: boolean;
  readonly resolve: (origin: string) => void;
  readonly reject: (error: CannotStart) => void;
  ends: number;
}

/**
 * A process of a server. It is started again when it ends, at longer and longer intervals while it keeps
 * ending.
 */
export class SupervisedProcess {
  readonly #options: SupervisedProcessOptions;
  readonly #asked = new Map<number, (values: readonly MetricValues[]) => void>();
  #child: ChildProcess | undefined;
  /** Set until it listens for the first time, if somebody waits for that. */
  #beginning: Beginning | undefined;
  #startedMs = 0;
  /** How many times in a row it ended by itself soon after its start. */
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;
  #restarts = 0;
  #question = 0;

  constructor(options: SupervisedProcessOptions) {
    this.#options = options;
  }

  /** How often it ended by itself and was started again. */
  get restarts(): number {
    return this.#restarts;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && isRunning(this.#child);
  }

  /**
   * Keeps it running, and resolves with its address once it listens. Rejects with `CannotStart` if it ended too
   * often before that, or, where that `failsFast`, once by itself. What a signal ended may well start: the
   * system's own `kill -9`, when memory runs out, says nothing about the program.
   */
  begin({ failsFast }: { readonly failsFast: boolean }): Promise<string> {
    return new Promise((resolve, reject) => {
      this.#beginning = { failsFast, resolve, reject, ends: 0 };
      this.keep();
    });
  }

  /** Starts it, and starts it again whenever it ends, even before it listens. */
  keep(): void {
    if (this.#stopping) return;
    this.#startedMs = this.#options.monotonicMs();
    try {
      this.#watch(this.#options.start());
    } catch (error) {
      this.#ended(undefined, String(error)); // no memory for another process
    }
  }

  /** Does nothing if the process cannot be told: it is about to end, or not there yet. */
  tell(message: ToChild): void {
    if (this.#child?.connected === true) this.#child.send(message, () => {});
  }

  /** Its metrics; none if it does not answer in time. */
  async metrics(): Promise<readonly MetricValues[]> {
    if (!this.isRunning) return [];
    const id = this.#question++;
    try {
      return await new Promise((resolve) => {
        setTimeout(() => resolve([]), METRICS_WAIT_MS).unref();
        this.#asked.set(id, resolve);
        this.tell({ kind: "metrics", id });
      });
    } finally {
      this.#asked.delete(id);
    }
  }

  /** Ends it; true if it ended well. */
  async stop(): Promise<boolean> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    this.#beginning?.reject(new CannotStart("told to end"));
    const child = this.#child;
    if (child === undefined) return true;
    if (isRunning(child)) await this.#end(child);
    return endedWell(child);
  }

  async #end(child: ChildProcess): Promise<void> {
    const { name, report, stopLimitMs = STOP_LIMIT_MS } = this.#options;
    const details = { child: name, child_pid: child.pid };
    const limit = setTimeout(() => {
      report("a process of the server did not end in time and is killed", details);
      child.kill("SIGKILL");
    }, stopLimitMs);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    child.kill("SIGCONT"); // as systemd does: one that was stopped (SIGSTOP) would hear nothing
    await ended;
    clearTimeout(limit);
    if (endedWell(child)) return;
    const exit = child.signalCode ?? child.exitCode;
    report("a process of the server did not end well", { ...details, exit });
  }

  #watch(child: ChildProcess): void {
    // Without a pid there is no process and never an "exit": the system had none to give.
    if (child.pid === undefined) {
      child.once("error", (error) => this.#ended(undefined, error.message));
      return;
    }
    this.#child = child;
    child.once("exit", (code, signal) => this.#ended(child.pid, signal ?? code ?? "no exit code"));
    child.on("message", (message: FromChild) => {
      if (message.kind === "listening") this.#listens(message.origin);
      else if (message.kind === "work") this.#options.onWork?.();
      else if (message.kind === "metrics") this.#asked.get(message.id)?.(message.values);
    });
    // A broken channel means that the process is ending, which is noticed elsewhere.
    child.on("error", () => {});
    this.#askWhetherAlive(child);
  }

  /**
   * Wakes a process that was stopped, and ends one that hangs, so that others can do what it had to do. Questions are
   * counted, not seconds: none is put while this process is stopped itself, or the whole machine sleeps.
   */
  #askWhetherAlive(child: ChildProcess): void {
    const { name, report } = this.#options;
    const details = { child: name, child_pid: child.pid };
    let unanswered = 0;
    const asking = setInterval(() => {
      if (this.#stopping) return; // which has a limit of its own
      if (unanswered === WAKE_AT) {
        report("a process of the server does not answer: it goes on if it was stopped", details);
        child.kill("SIGCONT");
      }
      if (unanswered === KILL_AT) {
        report("a process of the server hangs and is killed", details);
        child.kill("SIGKILL");
      }
      unanswered++;
      this.tell({ kind: "alive" });
    }, ASK_MS).unref();
    child.on("message", () => {
      unanswered = 0;
    });
    child.once("exit", () => clearInterval(asking));
  }

  #listens(origin: string): void {
    this.#beginning?.resolve(origin);
    this.#beginning = undefined;
  }

  /** `how`: its exit code, the signal that ended it, or why there was no process at all. */
  #ended(pid: number | undefined, how: number | string): void {
    if (this.#stopping) return;
    this.#child = undefined;
    if (this.#beginning !== undefined && !mayBegin(this.#beginning, how)) {
      this.#beginning.reject(new CannotStart(how));
      return;
    }
    const { name, report, monotonicMs, restartMs = RESTART_MS } = this.#options;
    const steady = monotonicMs() - this.#startedMs >= STEADY_MS;
    this.#failures = steady ? 1 : this.#failures + 1;
    const waitMs = Math.min(restartMs * 2 ** (this.#failures - 1), RESTART_MAX_MS);
    const details = { child: name, child_pid: pid, exit: how, wait_ms: waitMs };
    report("a process of the server ended and is started again", details);
    this.#timer = setTimeout(() => {
      this.#restarts++;
      this.keep();
    }, waitMs);
  }
}

/** Whether a process that ended before it listened is started again. */
function mayBegin(beginning: Beginning, how: number | string): boolean {
  beginning.ends++;
  const failed = typeof how === "number" && how !== 0;
  return beginning.ends < BEGINNINGS_MAX && !(beginning.failsFast && failed);
}

/** One that the signal itself ended was still being loaded, and had nothing to bring to an end. */
function endedWell({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === 0 || signalCode === "SIGTERM" || signalCode === "SIGINT";
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
