import { defineConfig } from "rolldown";

/**
 * The programs in few files, `dist/bundle/`, beside the modules that tsc makes: a start loads some ten files in place
 * of three hundred. `scripts/hindsight.ts` says when it is used.
 */
export default defineConfig({
  input: {
    program: "scripts/program.ts",
    // Files that threads are started from, by the names they are looked for under.
    "computer-worker": "pipeline/computer-worker.ts",
    "read-files-worker": "snapshots/read-files-worker.ts",
    "resources-worker": "server/docs/resources-worker.ts",
    "table-writer-worker": "snapshots/table-writer-worker.ts",
    worker: "server/backtests/worker.ts",
  },
  platform: "node",
  // Native code, files of their own beside the code, or nothing that a start loads.
  external: [
    /^@duckdb\//,
    /^libsql/,
    "apache-arrow",
    "ccxt",
    "ioredis",
    "koffi",
    "marked",
    "piscina",
    "prom-client",
    "uWebSockets.js",
  ],
  output: {
    dir: "dist/bundle",
    sourcemap: true,
    // Side by side, so that what is named by its place beside a module is found there. What a build before left
    // stays: a server that runs may want it yet.
    chunkFileNames: "[name]-[hash].js",
  },
});
