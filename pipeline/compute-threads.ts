import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import type { COMPUTATIONS, ComputePool } from "./compute-pool.ts";
import { THIS_THREAD, computePoolOf } from "./compute-pool.ts";

/** A run is to stay below 700 MiB with the real 50 coins; each thread takes some 40. */
const THREADS_MAX = 4;

/**
 * Size of a thread's young generation. Smaller than the engine's default, so that what a piece of work
 * leaves behind, above all columns, is collected earlier.
 */
const YOUNG_MB = 12;

/** Pieces that the main thread prepares while every other thread has one: it finds the fills of a coin first. */
const PREPARED = 1;

/**
 * A pool with one worker thread per core, up to four. A worker runs the built `compute-worker.js`. When run from
 * sources (tests), or on a single core, the calling thread does everything.
 */
export function openComputePool(): ComputePool {
  const threads = Math.min(availableParallelism(), THREADS_MAX);
  const isBuilt = import.meta.url.endsWith(".js");
  if (threads < 2 || !isBuilt) return THIS_THREAD;
  let starting: Promise<Piscina> | undefined;
  return computePoolOf(
    async (name, job) => {
      const pool = await (starting ??= startThreads(threads));
      return (await pool.run(job, { name })) as ReturnType<(typeof COMPUTATIONS)[typeof name]>;
    },
    {
      parallel: threads + PREPARED,
      close: async () => await (await starting?.catch(() => undefined))?.destroy(),
    },
  );
}

/**
 * Starts all threads at once, with the first computation, and none later: a thread that the system refuses is then an
 * error of that computation. One that Piscina starts between two computations would end the process with a stack.
 */
async function startThreads(threads: number): Promise<Piscina> {
  const pool = new Piscina({
    filename: fileURLToPath(new URL("./compute-worker.js", import.meta.url)),
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    recordTiming: false,
  });
  // A thread that failed is replaced. Its computation has told of the failure; what the next one says, without a
  // computation and without a listener, would be a stack.
  pool.on("error", () => {});
  return pool;
}
