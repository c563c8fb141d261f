import type { Piscina } from "piscina";
import type { FailureLog } from "../failure-log.ts";
import type { JobError } from "../job.ts";
import type { BacktestTask } from "./task.ts";

/**
 * Runs backtests on worker threads. A task that hangs is ended with its thread after a time limit. A task that exhausts
 * its heap or ends its thread is reported as lost. The pool starts a new thread for the next task.
 */
export interface BacktestPool {
  readonly threads: number;
  run(task: BacktestTask): Promise<PoolOutcome>;
  /** Ends the threads; tasks under way are reported as lost. */
  close(): Promise<void>;
}

/** `lost`: the thread ended during the task, which may be run again. */
export type PoolOutcome =
  | { readonly kind: "result"; readonly result: Uint8Array }
  | { readonly kind: "failed"; readonly error: JobError }
  | { readonly kind: "lost"; readonly reason: string };

export interface PoolOptions {
  /** The built worker file, because threads do not start from TypeScript. */
  readonly worker: URL;
  readonly threads: number;
  readonly timeLimitMs?: number;
  readonly heapLimitMb?: number;
  /**
   * Called if a task waits and the system starts no thread for it: there are too many, or too many open files. This
   * process can run no job then, and is to end: Piscina keeps a task that it has no thread for.
   */
  readonly onNoThreads: (error: unknown) => void;
  readonly log: FailureLog;
}

/** Tests run this module from its source, threads start from the build. */
export const BACKTEST_WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/server/jobs/run/worker.js" : "./worker.js",
  import.meta.url,
);

const TIME_LIMIT_MS = 60_000;
/** Counted in steps: none is taken while the process or the machine is stopped, and the task with it. */
const LIMIT_STEPS = 60;
/** Columns are shared memory and do not count; a job's own result takes a few megabytes. */
const HEAP_LIMIT_MB = 256;
/** Of errors that mean that the system refuses a thread, or what it needs in order to begin. */
const REFUSALS = new Set(["ERR_WORKER_INIT_FAILED", "EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** What a worker answers. Failures cross threads as data. */
export type WorkerReply =
  | { readonly ok: true; readonly result: Uint8Array }
  | { readonly ok: false; readonly error: JobError };

/** Threads start with the first task, because a server that is starting has better use for its cores. */
export function createBacktestPool(options: PoolOptions): BacktestPool {
  const { threads, timeLimitMs = TIME_LIMIT_MS, onNoThreads } = options;
  let starting: Promise<Piscina<BacktestTask, WorkerReply>> | undefined;
  let underWay = 0;
  return {
    threads,
    async run(task) {
      const limit = new AbortController();
      let steps = 0;
      const timer = setInterval(() => {
        if (++steps === LIMIT_STEPS) limit.abort();
      }, timeLimitMs / LIMIT_STEPS);
      underWay++;
      try {
        const pool = await (starting ??= startThreads(options, () => underWay > 0));
        const reply = await pool.run(task, { signal: limit.signal });
        if (reply.ok) return { kind: "result", result: reply.result };
        return { kind: "failed", error: reply.error };
      } catch (error) {
        if (isRefusal(error)) onNoThreads(error);
        if (!limit.signal.aborted) return { kind: "lost", reason: String(error) };
        const message = `the backtest did not end within ${timeLimitMs / 1000} s`;
        return { kind: "failed", error: { code: "timed_out", message } };
      } finally {
        underWay--;
        clearInterval(timer);
      }
    },
    async close() {
      await (await starting)?.destroy();
    },
  };
}

function isRefusal(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return REFUSALS.has(code);
}

async function startThreads(
  options: PoolOptions,
  hasTasks: () => boolean,
): Promise<Piscina<BacktestTask, WorkerReply>> {
  const { worker, threads, heapLimitMb = HEAP_LIMIT_MB, onNoThreads, log } = options;
  const { Piscina } = await import("piscina");
  const pool = new Piscina<BacktestTask, WorkerReply>({
    filename: worker.href,
    name: "answer",
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
  });
  // Without a listener, an error of a thread would end the process. The pool starts another thread.
  pool.on("error", (error: unknown) => {
    log.error({ error: String(error) }, "a worker thread failed");
    if (pool.threads.length === 0 && hasTasks()) onNoThreads(error);
  });
  return pool;
}
