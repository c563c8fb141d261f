import type { Piscina } from "piscina";
import type { FailureLog } from "../../accounts/jobs/job-store.ts";
import type { Bars } from "../../quant/bars.ts";
import type { ClaimedJob, JobKind, JobOutcome } from "../../accounts/jobs/job.ts";

/** The task of a worker thread. Its columns are views of shared memory, so nothing is copied. */
export interface JobTask extends Pick<ClaimedJob, "kind" | "request" | "known" | "snapshotId"> {
  readonly bars: Bars;
}

/**
 * Runs jobs on worker threads. A task that hangs is ended with its thread after a time limit. A task that exhausts its
 * heap or ends its thread is reported as lost, and the pool starts another thread.
 */
export interface BacktestPool {
  readonly threads: number;
  run(task: JobTask): Promise<PoolOutcome>;
  /** Ends the threads; tasks under way are reported as lost. */
  close(): Promise<void>;
}

/** `lost`: the reason why the thread ended during the task, which may be run again. */
export type PoolOutcome = JobOutcome | { readonly lost: string };

export interface PoolOptions {
  /** The built worker file, because threads do not start from TypeScript. */
  readonly worker: URL;
  readonly threads: number;
  readonly timeLimitMs?: Readonly<Record<JobKind, number>>;
  readonly heapLimitMb?: number;
  /**
   * Called if the system refuses a thread for a waiting task, because of too many threads or open files. The process
   * must then end, since Piscina keeps a task that has no thread.
   */
  readonly onNoThreads: (error: unknown) => void;
  readonly log: FailureLog;
}

/** Tests run this module from its source, threads start from the build. */
export const BACKTEST_WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "../../dist/server/jobs/worker.js" : "./worker.js",
  import.meta.url,
);

/** A backtest takes milliseconds, and the largest study a minute on a core that may be shared. */
const TIME_LIMIT_MS = { backtest: 60_000, study: 600_000 };
/** A limit is counted in steps, so that time in which the process or machine is suspended does not count. */
const LIMIT_STEPS = 60;
/** Columns are shared memory and do not count. A job's own result takes a few megabytes. */
const HEAP_LIMIT_MB = 256;
/** Codes of errors that mean that the system refuses a thread, or the resources to start one. */
const REFUSALS = new Set(["ERR_WORKER_INIT_FAILED", "EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

/** A pool whose threads start with the first task, so that they do not slow down the start of the process. */
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
        if (REFUSALS.has((error as NodeJS.ErrnoException).code ?? "")) onNoThreads(error);
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
  // Without a listener, an error of a thread would end the process.
  pool.on("error", (error: unknown) => {
    log.error({ error: String(error) }, "a worker thread failed");
    if (pool.threads.length === 0 && hasTasks()) onNoThreads(error);
  });
  return pool;
}
