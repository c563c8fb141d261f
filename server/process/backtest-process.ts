import type { ChildProcess } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { lowerPriority } from "../../aside/lower-priority.ts";
import type { FailureLog, JobReadiness } from "../../accounts/jobs/job-store.ts";
import type { JobCalls } from "../jobs/served-jobs.ts";
import type { MetricValues } from "../metrics/process-registry.ts";
import { childChannel, type Channel } from "../../aside/channel.ts";

export interface BacktestProcessOptions {
  /** Starts the process; SIGTERM ends it in order. */
  readonly start: () => ChildProcess;
  /** The jobs, if the process has them from this server. */
  readonly served?: (JobCalls & { requeue(): void }) | undefined;
  readonly log: FailureLog;
  readonly monotonicMs: () => number;
  /** How long to wait before it is started again. The wait doubles each time that it ends soon after. */
  readonly restartMs?: number;
  readonly stopLimitMs?: number;
}

const RESTART_MS = 250;
const RESTART_MAX_MS = 30_000;
/** A process that has lived this long did not end for the same reason as the one before it. */
const STEADY_MS = 60_000;
/** Longer than the process waits for its store. */
const METRICS_WAIT_MS = 2_000;
/** Less than the server itself may take to end, which would leave this process behind. */
const STOP_LIMIT_MS = 9_000;
/** A process that leaves this many calls in a row unanswered hangs. */
const UNANSWERED_MAX = 6;
const ASK_MS = 10_000;
/** Below the server, but above what runs only on an idle machine (19). */
const NICE = 15;
/** Where memory runs out, the process is judged as if it used half of the machine's memory more than it does. */
const OOM_SCORE = 500;
const OOM_SCORE_MAX = 1000;
const ENDS_AGAIN = "the process that runs backtests ends again and again; the log says why";
const OPENS_NOTHING = "the process that runs backtests cannot use the snapshot; the log says why";
const MEMORY_REFUSED = "where memory runs out, the server may be ended before its backtests";

/** The process beside a server that runs its backtests. It is started again whenever it ends by itself. */
export class BacktestProcess {
  readonly #options: BacktestProcessOptions;
  #child: ChildProcess | undefined;
  #channel: Channel | undefined;
  #startedMs = 0;
  /** How many times in a row it ended soon after its start without being stopped. */
  #failures = 0;
  #timer: NodeJS.Timeout | undefined;
  #stopping = false;
  /** Its last answer; undefined until it has given one. */
  #readiness: JobReadiness | undefined;
  /** Whether the log says that the system refuses to prefer the server. */
  #isRefused = false;

  constructor(options: BacktestProcessOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#stopping) return;
    this.#startedMs = this.#options.monotonicMs();
    try {
      this.#options.served?.requeue(); // jobs that the previous process left
      this.#watch(this.#options.start());
    } catch (error) {
      this.#ended(undefined, String(error)); // a full disk, or no memory for another process
    }
  }

  wake(): void {
    void this.#ask("wake");
  }

  /** Why jobs on this snapshot do not run here, as far as is known for some seconds; undefined if they do. */
  faultOn(snapshotId: string | undefined): string | undefined {
    if (this.#readiness === undefined) return this.#failures > 1 ? ENDS_AGAIN : undefined;
    const { holds, isRefused } = this.#readiness;
    return isRefused && holds !== snapshotId ? OPENS_NOTHING : undefined;
  }

  async metrics(): Promise<readonly MetricValues[]> {
    const late = sleep(METRICS_WAIT_MS, undefined, { ref: false });
    const values = await Promise.race([this.#ask("metrics"), late]);
    return (values ?? []) as readonly MetricValues[];
  }

  async stop(): Promise<boolean> {
    this.#stopping = true;
    clearTimeout(this.#timer);
    const child = this.#child;
    if (child === undefined || !isRunning(child)) return true;
    const { log, stopLimitMs = STOP_LIMIT_MS } = this.#options;
    const limit = setTimeout(() => {
      log.error({ child_pid: child.pid }, "the backtest process did not end in time and is killed");
      child.kill("SIGKILL");
    }, stopLimitMs);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    child.kill("SIGCONT"); // one that was stopped would not see the first signal
    await ended;
    clearTimeout(limit);
    if (endedWell(child)) return true;
    const exit = child.signalCode ?? child.exitCode;
    log.error({ child_pid: child.pid, exit }, "the backtest process did not end well");
    return false;
  }

  /** What a function of the process returns; undefined if it cannot answer, because it is ending. */
  async #ask(name: string): Promise<unknown> {
    return await this.#channel?.call(name).catch(() => undefined);
  }

  #watch(child: ChildProcess): void {
    // Without a pid the system could not start the process, and there is never an "exit".
    if (child.pid === undefined) {
      child.once("error", (error) => this.#ended(undefined, error.message));
      return;
    }
    this.#letServerFirst(child.pid);
    this.#child = child;
    this.#channel = childChannel(child, this.#options.served);
    child.once("exit", (code, signal) => this.#ended(child.pid, signal ?? code ?? "no exit code"));
    child.on("error", () => {}); // a broken channel means that the process is ending
    this.#endIfItHangs(child);
  }

  /** Lets the server have processor and memory first. Call it before the process has threads: they inherit it. */
  #letServerFirst(pid: number): void {
    lowerPriority(NICE, pid);
    if (process.platform !== "linux") return;
    try {
      const file = `/proc/${pid}/oom_score_adj`;
      const score = Number(readFileSync(file, "utf8")) + OOM_SCORE;
      writeFileSync(file, String(Math.min(score, OOM_SCORE_MAX)));
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (this.#isRefused || code === "ENOENT" || code === "ESRCH") return; // gone already
      this.#isRefused = true;
      this.#options.log.error({ reason: message }, MEMORY_REFUSED);
    }
  }

  async #askReadiness(child: ChildProcess): Promise<void> {
    const answer = await this.#ask("alive"); // true while it is still starting
    if (this.#child === child)
      this.#readiness = typeof answer === "object" ? (answer as JobReadiness) : undefined;
  }

  /** Counts calls instead of seconds, because none is made while this process itself is suspended. */
  #endIfItHangs(child: ChildProcess): void {
    let unanswered = 0;
    const asking = setInterval(() => {
      if (this.#stopping) return; // which has a limit of its own
      if (unanswered === UNANSWERED_MAX) {
        const details = { child_pid: child.pid };
        this.#options.log.error(details, "the backtest process hangs and is killed");
        child.kill("SIGKILL");
      }
      unanswered++;
      void this.#askReadiness(child);
    }, ASK_MS).unref();
    child.on("message", () => (unanswered = 0));
    child.once("exit", () => clearInterval(asking));
  }

  /** `how` is the exit code, the signal that ended the process, or why it could not be started. */
  #ended(pid: number | undefined, how: number | string): void {
    this.#readiness = undefined;
    this.#child = undefined;
    this.#channel = undefined;
    if (this.#stopping) return;
    const { log, monotonicMs, restartMs = RESTART_MS } = this.#options;
    const steady = monotonicMs() - this.#startedMs >= STEADY_MS;
    this.#failures = steady ? 1 : this.#failures + 1;
    const waitMs = Math.min(restartMs * 2 ** (this.#failures - 1), RESTART_MAX_MS);
    const details = { child_pid: pid, exit: how, wait_ms: waitMs };
    log.error(details, "the backtest process ended and is started again");
    this.#timer = setTimeout(() => this.start(), waitMs);
  }
}

/** A process that the signal itself ended was still being loaded and had no work to finish. */
function endedWell({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === 0 || signalCode === "SIGTERM" || signalCode === "SIGINT";
}

function isRunning(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}
