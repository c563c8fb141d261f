import { inTime } from "../../process/in-time.ts";
import type { BacktestPool } from "./pool.ts";

/**
 * A job takes milliseconds, and with a thread's start a quarter of a second. One that takes longer than this
 * gets no processor.
 */
const PATIENCE_MS = 1_000;
/** For this long after that, no job goes to the threads that give way. */
const INSIST_MS = 30_000;

export interface PatientPoolOptions {
  /** Threads that give way to everything else on the machine, so that requests do not wait for them. */
  readonly yielding: BacktestPool;
  /** Threads that get their share even if the processors are never idle. */
  readonly insisting: BacktestPool;
  readonly monotonicMs: () => number;
  readonly patienceMs?: number;
  readonly insistMs?: number;
}

/**
 * Runs backtests beside requests without slowing them, and without being starved by them.
 *
 * A run that does not end in time on the threads that give way is begun again on those that insist. Whichever
 * ends first is the outcome, since a run gives the same bytes wherever it runs. The machine is evidently busy
 * then, so for a while all runs insist.
 */
export function createPatientPool(options: PatientPoolOptions): BacktestPool {
  const { yielding, insisting, monotonicMs } = options;
  const { patienceMs = PATIENCE_MS, insistMs = INSIST_MS } = options;
  let insistUntilMs = -Infinity;
  return {
    threads: yielding.threads,
    async run(task) {
      if (monotonicMs() < insistUntilMs) return await insisting.run(task);
      const patient = yielding.run(task);
      const outcome = await inTime(patient, patienceMs);
      if (outcome !== undefined) return outcome;
      insistUntilMs = monotonicMs() + insistMs;
      return await Promise.race([patient, insisting.run(task)]);
    },
    async close() {
      await Promise.all([yielding.close(), insisting.close()]);
    },
  };
}
