import { copyFileSync, writeFileSync } from "node:fs";
import { defineConfig } from "rolldown";
import manifest from "./package.json" with { type: "json" };

/**
 * Bundles the programs into a few files, `dist/bundle/`, beside the modules that tsc makes: a start then
 * loads some ten files instead of three hundred.
 */
const programs = defineConfig({
  input: {
    program: "cli/program.ts",
    // Entry points of threads, under the names by which they are looked up.
    "compute-worker": "pipeline/compute-worker.ts",
    "check-process": "server/checks/check-process.ts",
    "check-thread": "server/checks/check-thread.ts",
    "pages-worker": "server/pages/pages-worker.ts",
    "read-process": "cli/read-process.ts",
    "resources-worker": "server/openapi/resources-worker.ts",
    "table-writer-worker": "snapshots/table-writer-worker.ts",
    worker: "server/jobs/worker.ts",
  },
  platform: "node",
  // Native code, packages that need files of their own beside the code, and packages that a start does not
  // load. DuckDB's client is a hundred small files over native code: they are taken in, that stays outside.
  external: [
    /^@duckdb\/node-bindings/,
    /^libsql/,
    "@resvg/resvg-js",
    /^@modelcontextprotocol/,
    "ccxt",
    "ioredis",
    "marked",
    "nodemailer",
    "piscina",
    "prom-client",
    "uWebSockets.js",
  ],
  output: {
    dir: "dist/bundle",
    sourcemap: true,
    // All in one folder, so that files looked up relative to a module are found there. Files of earlier
    // builds stay, because a running server may still want them.
    chunkFileNames: "[name]-[hash].js",
  },
});

const CHECK_FOLDER = "dist/hindsight-check";
const { version, license, engines } = manifest;
const checkManifest = {
  name: "hindsight-check",
  version,
  description: "How much of your own backtest may be luck, from the file that your tool wrote",
  license,
  type: "module",
  bin: { "hindsight-check": "hindsight-check.mjs" },
  files: ["hindsight-check.mjs"],
  engines,
};

/** `hindsight-check`: a package of one file that needs no other. What only a server has must not be in it. */
const checkAlone = defineConfig({
  input: "cli/check-alone.ts",
  platform: "node",
  resolve: { mainFields: ["module", "main"] }, // of modules, what is not used is left out
  output: { file: `${CHECK_FOLDER}/hindsight-check.mjs`, codeSplitting: false, minify: true },
  plugins: [
    {
      name: "package",
      writeBundle() {
        writeFileSync(`${CHECK_FOLDER}/package.json`, JSON.stringify(checkManifest, null, 2));
        copyFileSync("docs/hindsight-check.md", `${CHECK_FOLDER}/README.md`);
      },
    },
  ],
});

const assets = {
  dir: "dist/assets",
  minify: true,
  entryFileNames: "[name]-[hash].js",
  chunkFileNames: "[name]-[hash].js",
};

/** What the pages compute in a browser: `dist/assets/`, named by content. */
const pages = defineConfig({
  input: {
    account: "web/browser/account.ts",
    check: "web/browser/check.tsx",
    "check-worker": "web/browser/check-worker.ts",
    dca: "web/browser/dca.tsx",
    docs: "web/browser/docs.tsx",
    luck: "web/browser/luck.tsx",
    prices: "web/browser/prices.tsx",
    "sort-table": "web/browser/sort-table.ts",
    request: "web/browser/request.tsx",
    values: "web/browser/values.ts",
  },
  platform: "browser",
  output: { ...assets, cleanDir: true },
});

/** Apart: parts that they shared with a check would be files of their own, and both would weigh more. */
const studies = defineConfig({
  input: { "rule-study": "web/browser/study.tsx", "study-worker": "web/browser/study-worker.ts" },
  platform: "browser",
  output: { ...assets, cleanDir: false },
});

export default [programs, checkAlone, pages, studies];
