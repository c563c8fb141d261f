import { once } from "node:events";
import type { Piscina } from "piscina";
import type { BacktestTask } from "./task.ts";
import type { JobError } from "../job.ts";
import { LoadingThreads } from "./loading-threads.ts";
import type { ReportFailure } from "../../process/report-failure.ts";
import type { WorkerStart } from "./worker.ts";

/**
 * Runs backtests on worker threads, so that the thread that answers requests never does. A task that hangs is
 * ended with its thread after a time limit. A task that exhausts its heap or ends its thread is reported as
 * lost. The pool starts a new thread for the next task.
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
  /** Whether the threads give way to everything else on the machine; false by default. */
  readonly givesWay?: boolean;
  /** Threads end after this long without a task; by default they stay. */
  readonly idleMs?: number;
  readonly timeLimitMs?: number;
  readonly heapLimitMb?: number;
  /**
   * Called once if a task waits and the system starts no thread for it: there are too many, or too many open files.
   * From then on tasks wait until the pool is closed, and are reported as lost. So whoever made the pool ends the
   * process, and the next one tries anew. This one cannot, because Piscina keeps tasks
   * that it could start no thread for, and lets nobody take them back.
   */
  readonly onNoThreads?: ((error: unknown) => void) | undefined;
  /** Reports a thread that failed while it had no task. */
  readonly report?: ReportFailure;
}

const TIME_LIMIT_MS = 60_000;
/**
 * The limit is counted in steps: while the process is stopped, or the whole machine, none is taken, and the task does not
 * run either.
 */
const LIMIT_STEPS = 60;
/** Columns are shared memory and do not count; a job's own result takes a few megabytes. */
const HEAP_LIMIT_MB = 256;

/** What a worker answers. Failures cross threads as data. */
export type WorkerReply =
  | { readonly ok: true; readonly result: Uint8Array }
  | { readonly ok: false; readonly error: JobError };

/** Of errors that mean that the system refuses a thread, or what it needs in order to begin. */
const REFUSALS = new Set(["ERR_WORKER_INIT_FAILED", "EMFILE", "ENFILE", "EAGAIN", "ENOMEM"]);

interface Threads {
  readonly pool: Piscina<BacktestTask, WorkerReply>;
  readonly loading: LoadingThreads;
}

/** Threads start with the first task, because a server that is starting has better use for its cores. */
export function createBacktestPool(options: PoolOptions): BacktestPool {
  const { threads, timeLimitMs = TIME_LIMIT_MS, onNoThreads } = options;
  const closing = new AbortController();
  let starting: Promise<Threads> | undefined;
  let underWay = 0;
  let hasThreads = true;
  /** False once Piscina may hold tasks whose failure nobody would hear, which would end the process out of turn. */
  let isOrderly = true;
  const giveUp = (error: unknown) => {
    if (hasThreads) onNoThreads?.(error);
    hasThreads = false;
  };
  const start = async () => {
    const pool = await startThreads(options);
    const loading = new LoadingThreads(pool);
    loading.look();
    pool.on("error", (error: unknown) => {
      if (pool.threads.length === 0 && underWay > 0) giveUp(error);
    });
    // Another thread is started in its place.
    pool.on("workerDestroy", () => queueMicrotask(() => loading.look()));
    return { pool, loading };
  };
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
        const { pool, loading } = await (starting ??= start());
        const replying = pool.run(task, { signal: limit.signal });
        loading.look();
        const reply = await replying;
        if (reply.ok) return { kind: "result", result: reply.result };
        return { kind: "failed", error: reply.error };
      } catch (error) {
        if (isRefusal(error)) {
          isOrderly = false;
          giveUp(error);
        }
        if (!hasThreads) await isAborted(closing.signal);
        if (!hasThreads || !limit.signal.aborted) return { kind: "lost", reason: String(error) };
        const message = `the backtest did not end within ${timeLimitMs / 1000} s`;
        return { kind: "failed", error: { code: "timed_out", message } };
      } finally {
        underWay--;
        clearInterval(timer);
      }
    },
    async close() {
      closing.abort();
      if (starting === undefined || !isOrderly) return;
      const { pool, loading } = await starting;
      await loading.none();
      await pool.destroy();
    },
  };
}

function isRefusal(error: unknown): boolean {
  const { code = "" } = error as NodeJS.ErrnoException;
  return REFUSALS.has(code);
}

async function isAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, "abort");
}

async function startThreads(options: PoolOptions): Promise<Piscina<BacktestTask, WorkerReply>> {
  const { worker, threads, givesWay = false, idleMs } = options;
  const { heapLimitMb = HEAP_LIMIT_MB, report = () => {} } = options;
  const workerData: WorkerStart = { givesWay };
  const { Piscina } = await import("piscina");
  const pool = new Piscina<BacktestTask, WorkerReply>({
    filename: worker.href,
    name: "answer",
    minThreads: idleMs === undefined ? threads : 0,
    maxThreads: threads,
    idleTimeout: idleMs ?? 0,
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
  });
  // Without a listener, an error of a thread would end the process. The pool starts another thread.
  pool.on("error", (error: unknown) => report("a worker thread failed", { error: String(error) }));
  return pool;
}
