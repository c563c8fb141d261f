/**
 * The built file of a worker thread. Threads start only from the build; tests run this module from its
 * source.
 */
export const BACKTEST_WORKER = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/server/jobs/run/worker.js" : "./worker.js",
  import.meta.url,
);
