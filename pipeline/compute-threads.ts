import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { Piscina } from "piscina";
import { THIS_THREAD, computePoolOf, type COMPUTATIONS, type ComputePool } from "./compute-pool.ts";

/** Each thread takes some 40 MB, and a run of 50 coins must stay below 700 MiB. */
const THREADS_MAX = 4;

/**
 * Size of a thread's young generation. Smaller than the engine's default, so that a piece's columns are collected
 * earlier.
 */
const YOUNG_MB = 12;

/** Pieces that the main thread prepares while every other thread works on one. */
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
 * Starts all threads at once, with the first computation. If the system refuses one, that computation fails; a thread
 * that Piscina starts later, between two computations, would end the process with a stack.
 */
async function startThreads(threads: number): Promise<Piscina> {
  const pool = new Piscina({
    filename: fileURLToPath(new URL("./compute-worker.js", import.meta.url)),
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    recordTiming: false,
  });
  // A failed thread has rejected its computation and is replaced. An error of the new thread belongs to no
  // computation, and without a listener would end the process.
  pool.on("error", () => {});
  return pool;
}
