import { statfsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

/** These replace a module, or open descriptors under their numbers, for everything in their process: each gets its own. */
const ALONE = [
  "test/pipeline/kill.test.ts",
  "test/pipeline/power-loss.test.ts",
  "test/pipeline/refused-calls.test.ts",
  "test/accounts/sqlite/state-file.test.ts",
  "test/snapshots/database.test.ts",
  "test/snapshots/prune-refused.test.ts",
  "test/web/walk.test.ts",
];

/** Takes many minutes, most of them installing: for `make walk` alone. */
const WALK =
  process.env["HINDSIGHT_WALK"] === "1" ? ["test/deploy/walk.ts", "test/deploy/upgrade.ts"] : [];

/** Folders of tests are in memory where it has room: a disk would be waited for at each charge. */
const MEMORY = "/dev/shm";
const ROOM_BYTES = 4 * 1024 ** 3;
if (hasRoom(MEMORY)) process.env["TMPDIR"] = MEMORY;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > ROOM_BYTES;
  } catch {
    return false; // not on this system
  }
}

// The socket library reads it as it is loaded; the workers inherit it.
process.env["UWS_HTTP_MAX_HEADERS_SIZE"] = String(16 * 1024);

/** Where `.ci/again` reads which tests failed. */
const REPORT = process.env["HINDSIGHT_TEST_REPORT"];

export default defineConfig({
  test: {
    reporters: REPORT === undefined ? ["default"] : ["default", ["json", { outputFile: REPORT }]],
    // Whole-market comparisons on real prices take seconds on two shared cores, not milliseconds.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // By itself it gives up after a second, which a pause of the machine uses up.
    expect: { poll: { timeout: 60_000 } },
    // Few processes for all files (`isolate: false`): one for each would cost more than the tests in it. Threads wait for
    // each other whenever one starts a child, which copies the page tables of all.
    pool: "forks",
    // Larger than V8's 16 MiB: tests leave much garbage.
    execArgv: ["--max-semi-space-size=64"],
    // Much of the time of tests is waiting.
    maxWorkers: availableParallelism() + 2,
    setupFiles: ["test/support/seeded-properties.ts", "test/support/shared-processor.ts"],
    projects: [
      {
        extends: true,
        test: { name: "all", include: ["test/**/*.test.ts"], exclude: ALONE, isolate: false },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
      { extends: true, test: { name: "walk", include: WALK } },
    ],
  },
});
