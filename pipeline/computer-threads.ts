import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";

import type { COMPUTATIONS, Computer } from "./computer.ts";
import { THIS_THREAD, computerOf } from "./computer.ts";

/** A run is to stay below 700 MiB with the real 50 coins; each thread takes some 40. */
const THREADS_MAX = 4;
/** How long an idle thread stays, because a run needs threads in bursts. */
const IDLE_MS = 5000;

/**
 * Size of a thread's young generation. Smaller than the engine's default, so that what a piece of work
 * leaves behind, above all columns, is collected earlier.
 */
const YOUNG_MB = 12;

/**
 * A computer with one worker thread per core, up to four. A worker runs the built `computer-worker.js`. When run from
 * sources (tests), or on a single core, the calling thread does everything.
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
