import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";

import type { COMPUTATIONS, Computer } from "./computer.ts";
import { THIS_THREAD, computerOf } from "./computer.ts";

/** More threads than this would wait for each other's memory. */
const THREADS_MAX = 8;
/** A thread that runs out of work stays this long: a run asks in bursts. */
const IDLE_MS = 5000;

/**
 * Young objects of a thread, less than the engine's own choice: what a piece of work leaves behind, columns above all,
 * is then let go of earlier.
 */
const YOUNG_MB = 12;

/**
 * A computer with a worker thread a core. A worker runs the built `computer-worker.js`: from sources
 * (tests), and on a single core, everything is done on this thread instead.
 */
export function openComputer(): Computer {
  const threads = Math.min(availableParallelism(), THREADS_MAX);
  const isBuilt = import.meta.url.endsWith(".js");
  if (threads < 2 || !isBuilt) return THIS_THREAD;
  const pool = new Piscina({
    filename: fileURLToPath(new URL("./computer-worker.js", import.meta.url)),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE_MS,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    recordTiming: false,
  });
  return computerOf(
    async (name, job) =>
      (await pool.run(job, { name })) as ReturnType<(typeof COMPUTATIONS)[typeof name]>,
    { parallel: threads, close: async () => await pool.destroy() },
  );
}
