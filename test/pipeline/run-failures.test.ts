import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Progress } from "../../pipeline/steps.ts";
import type { Stage } from "../../pipeline/stages/stage.ts";
import { findCurrent } from "../../snapshots/folder.ts";
import {
  LAST_DAY,
  MARKET,
  memorySource,
  PRICES_ONLY,
  RUN_INSTANT_MS,
  runPrices,
  watcher,
} from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = () => temporaryFolder("snapshots");

/** The stages, followed by one more that does something to the run. */
const withLast = (run: () => void): Stage[] => [
  ...PRICES_ONLY,
  { name: "last", run: async () => (run(), new Map()) },
];

function fail(): never {
  throw new Error("it broke");
}

describe("a run that fails", () => {
  const failing: [string, Parameters<typeof runPrices>[1], string][] = [
    ["in a stage", { stages: withLast(fail) }, "it broke"],
    ["at its source", { source: memorySource(MARKET, { conclude: fail }) }, "it broke"],
    [
      "without a single price",
      { source: memorySource({ aaa: [] }, { name: "empty", newestDay: async () => LAST_DAY }) },
      "no believable price",
    ],
    [
      "at a source that ends before what is published",
      { source: memorySource(MARKET, { newestDay: async () => LAST_DAY - 1 }) },
      "go back on purpose with --as-of",
    ],
  ];

  test.each(failing)("%s changes nothing", async (_, change, why) => {
    const root = folder();
    const { dir } = await runPrices(root);
    const before = readdirSync(root);
    const failing = { ...change, nowMs: RUN_INSTANT_MS + 1000 };
    await expect(runPrices(root, failing)).rejects.toThrow(why);
    expect(readdirSync(root)).toEqual(before);
    expect(await findCurrent(root)).toBe(dir);
  });

  test("because it was stopped has removed everything at once", async () => {
    const root = folder();
    await runPrices(root);
    const before = readdirSync(root);
    const stop = new AbortController();
    let step = "";
    let atOnce: string[] = [];
    const progress: Progress = {
      ...watcher(),
      begin: (name) => {
        step = name;
      },
      advance() {
        if (step !== "write") return;
        stop.abort();
        atOnce = readdirSync(root);
      },
    };
    await expect(runPrices(root, { progress, signal: stop.signal })).rejects.toThrow("aborted");
    expect(atOnce).toEqual(before);
    expect(readdirSync(root)).toEqual(before);
  });
});
