import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Whole-market comparisons on real prices take seconds, not milliseconds, on two shared cores.
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
