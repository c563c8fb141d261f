import type { Piscina } from "piscina";
import type { FailureLog } from "../failure-log.ts";
import type { Bars } from "../../../quant/bars.ts";
import type { ClaimedJob, JobKind, JobOutcome } from "../job.ts";

/** What a worker thread is given. Its columns are views of shared memory, so nothing is copied. */
export interface JobTask extends Pick<ClaimedJob, "kind" | "request" | "known" | "snapshotId"> {
  readonly bars: Bars;
}

/**
 * Runs backtests on worker threads. A task that hangs is ended with its thread after a time limit. A task that exhausts
 * its heap or ends its thread is reported as lost. The pool starts a new thread for the next task.
 */
export interface BacktestPool {
  readonly threads: number;
  run(task: JobTask): Promise<PoolOutcome>;
  /** Ends the threads; tasks under way are reported as lost. */
  close(): Promise<void>;
}

/** The thread ended during the task, which may be run again. */
interface LostWorker {
  readonly lost: string;
}

export type PoolOutcome = JobOutcome | LostWorker;

export interface PoolOptions {
  /** The built worker file, because threads do not start from TypeScript. */
  readonly worker: URL;
  readonly threads: number;
  readonly timeLimitMs?: Readonly<Record<JobKind, number>>;
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

/** A backtest takes milliseconds; the largest study a minute of a core that it may have to share. */
const TIME_LIMIT_MS = { backtest: 60_000, study: 600_000 };
/** Counted in steps: none is taken while the process or the machine is stopped, and the task with it. */
const LIMIT_STEPS = 60;
/** Columns are shared memory and do not count; a job's own result takes a few megabytes. */
const HEAP_LIMIT_MB = 256;
/** Of errors that mean that the system refuses a thread, or what it needs in order to begin. */
const REFUSALS = new Set(["ERR_WORKER_INIT_FAILED", "EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** Threads start with the first task, because a server that is starting has better use for its cores. */
export function createBacktestPool(options: PoolOptions): BacktestPool {
  const { threads, timeLimitMs = TIME_LIMIT_MS, onNoThreads } = options;
  let starting: Promise<Piscina<JobTask, JobOutcome>> | undefined;
  let underWay = 0;
  return {
    threads,
    async run(task) {
      const limit = new AbortController();
      const limitMs = timeLimitMs[task.kind];
      let steps = 0;
      const timer = setInterval(() => {
        if (++steps === LIMIT_STEPS) limit.abort();
      }, limitMs / LIMIT_STEPS);
      underWay++;
      try {
        const pool = await (starting ??= startThreads(options, () => underWay > 0));
        return await pool.run(task, { signal: limit.signal });
      } catch (error) {
        if (isRefusal(error)) onNoThreads(error);
        if (!limit.signal.aborted) return { lost: String(error) };
        const message = `the ${task.kind} did not end within ${limitMs / 1000} s`;
        return { ok: false, error: { code: "timed_out", message } };
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
): Promise<Piscina<JobTask, JobOutcome>> {
  const { worker, threads, heapLimitMb = HEAP_LIMIT_MB, onNoThreads, log } = options;
  const { Piscina } = await import("piscina");
  const pool = new Piscina<JobTask, JobOutcome>({
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
