// Computes on two threads, of which the system refuses the second; prints what came of it. The process ends by itself.
import { createRequire, syncBuiltinESMExports } from "node:module";

const require = createRequire(import.meta.url);
const threads = require("node:worker_threads");
const { Worker } = threads;
let started = 0;
threads.Worker = function start(...given) {
  if (++started % 2 === 1) return new Worker(...given);
  throw Object.assign(new Error("EAGAIN"), { code: "ERR_WORKER_INIT_FAILED" });
};
require("node:os").availableParallelism = () => 2;
syncBuiltinESMExports();

const file = new URL("../../dist/pipeline/compute-threads.js", import.meta.url);
const { openComputePool } = await import(file);
const pool = openComputePool();
// Of the computations that begin on a thread: the others prepare work from bars first.
const work = [1, 2, 3].map(() => pool.indexDraw({ panel: { days: 0 } }));
const failed = (await Promise.allSettled(work)).map(({ reason }) => reason?.code);
await pool.close();
process.stdout.write(`${failed.join(" ")}, threads asked for: ${started}\n`);
