import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { HeldSnapshots } from "../../../server/jobs/held-snapshots.ts";
import { holding } from "../../support/held-snapshots.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const OLDER = "2022-06-17T20220618T001000000Z-0123456789ab";
const MINUTE_MS = 60_000;
const BEAT_MS = 2_000;

let root: string;
let nowMs: number;
let warnings: string[];
let snapshots: HeldSnapshots;

beforeEach(async () => {
  root = temporaryFolder("held");
  mkdirSync(join(root, OLDER));
  nowMs = 86_400_000;
  warnings = [];
  const warn = (message: string) => warnings.push(message);
  snapshots = holding("current", { root, monotonicMs: () => nowMs, warn });
  await snapshots.refresh();
});

/** Reports the same snapshots as missing at every beat. */
function look(forMs: number, ...missing: readonly string[]): void {
  for (const endMs = nowMs + forMs; nowMs < endMs; nowMs += BEAT_MS) snapshots.missing(missing);
}

describe("the snapshots that a process has", () => {
  test("are the one it has loaded, first, and those in its folder", () => {
    expect(snapshots.held()).toEqual(["current", OLDER]);
    expect(snapshots.claimable()).toEqual(["current", OLDER]);
  });

  test("have the one it has loaded once, though its folder is there like the others'", async () => {
    const newest = "2022-06-18T20220619T001000000Z-0123456789ab";
    mkdirSync(join(root, newest));
    const more = holding(newest, { root });
    await more.refresh();
    expect(more.held()).toEqual([newest, OLDER]);
  });

  test("are without one that could not be opened: tried again after a minute, never promised again", async () => {
    expect(snapshots.doubt(OLDER)).toBe(true);
    nowMs += MINUTE_MS;
    await snapshots.refresh();
    expect(snapshots.claimable()).toEqual(["current"]);
    nowMs += 1;
    expect(snapshots.claimable()).toEqual(["current", OLDER]);
    expect(snapshots.held()).toEqual(["current"]);
  });

  test("are without the one it has loaded where that lacks what a job needs", async () => {
    snapshots.doubt("current");
    await snapshots.refresh();
    expect(snapshots.claimable()).toEqual([OLDER]);
  });

  test("make it end the jobs of one that is damaged everywhere, after five minutes", () => {
    snapshots.doubt(OLDER);
    look(5 * MINUTE_MS, OLDER);
    expect(snapshots.doubt(OLDER)).toBe(false);
    expect(snapshots.claimable()).toEqual(["current", OLDER]);
  });

  test("include one that has been missing for five minutes, until a process has it", () => {
    look(5 * MINUTE_MS, "gone");
    expect(snapshots.claimable()).toEqual(["current", OLDER, "gone"]);
    expect(snapshots.held(), "but it has it no more than others").toEqual(["current", OLDER]);
    look(BEAT_MS);
    expect(snapshots.claimable()).toEqual(["current", OLDER]);
    look(4 * MINUTE_MS, "gone");
    expect(snapshots.claimable()).toEqual(["current", OLDER]);
  });

  test("are waited for anew where it did not look for more than ten seconds", () => {
    look(4 * MINUTE_MS, "gone");
    nowMs += 10_000;
    look(MINUTE_MS, "gone");
    expect(snapshots.claimable()).toEqual(["current", OLDER]);
    look(4 * MINUTE_MS, "gone");
    expect(snapshots.claimable()).toContain("gone");
  });
});
