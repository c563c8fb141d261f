import { defineConfig } from "vitest/config";

/** These replace a module for all who import it, so they share none with other files. */
const ALONE = [
  "test/pipeline/kill.test.ts",
  "test/pipeline/power-loss.test.ts",
  "test/snapshots/lock-refused.test.ts",
  "test/snapshots/prune-refused.test.ts",
];

export default defineConfig({
  test: {
    // Whole-market comparisons on real prices take seconds, not milliseconds, on two shared cores.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // A process for each test file cost more than the tests in it.
    pool: "threads",
    projects: [
      {
        extends: true,
        test: { name: "all", include: ["test/**/*.test.ts"], exclude: ALONE, isolate: false },
      },
      { extends: true, test: { name: "alone", include: ALONE } },
    ],
  },
});
