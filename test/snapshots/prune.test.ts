import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listSnapshotIds } from "../../snapshots/folder.ts";
import { pruneSnapshots, removeLeftovers } from "../../snapshots/prune.ts";
import { makeRuns } from "../support/empty-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = () => temporaryFolder("snapshots");

function unexpected(message: string): void {
  throw new Error(message);
}

describe("pruneSnapshots", () => {
  test("keeps the newest runs, whatever their last day", async () => {
    const root = folder();
    const ids = makeRuns(root, 10);
    writeFileSync(join(root, "CURRENT"), ids[9]!);
    expect(await pruneSnapshots(root, 7, unexpected)).toEqual([ids[2], ids[1], ids[0]]);
    expect(await listSnapshotIds(root)).toEqual(ids.slice(3).reverse());
  });

  test("never removes the current one, and counts it", async () => {
    const root = folder();
    const ids = makeRuns(root, 5);
    writeFileSync(join(root, "CURRENT"), ids[0]!);
    await pruneSnapshots(root, 3, unexpected);
    expect(await listSnapshotIds(root)).toEqual([ids[4], ids[3], ids[0]]);
    await pruneSnapshots(root, 1, unexpected);
    expect(await listSnapshotIds(root)).toEqual([ids[0]]);
  });

  test("keeps the last runs, not those made while the clock was ahead", async () => {
    const root = folder();
    // The last three runs came after the clock was set back.
    const [a, b, c, d, e, f] = makeRuns(root, 6);
    writeFileSync(join(root, "CURRENT"), c!);
    expect(await pruneSnapshots(root, 4, unexpected)).toEqual([e, d]);
    expect(await listSnapshotIds(root)).toEqual([f, c, b, a]);
  });

  test("leaves everything but snapshots alone", async () => {
    const root = folder();
    const ids = makeRuns(root, 3);
    mkdirSync(join(root, "notes"));
    writeFileSync(join(root, "CURRENT"), ids[2]!);
    await pruneSnapshots(root, 1, unexpected);
    expect(readdirSync(root).sort()).toEqual([ids[2], "CURRENT", "notes"]);
  });
});

test("removeLeftovers removes only what is unfinished", () => {
  const root = folder();
  const ids = makeRuns(root, 1);
  mkdirSync(join(root, ".unfinished-a"));
  writeFileSync(join(root, ".unfinished-b"), "x");
  writeFileSync(join(root, ".keep"), "x");
  expect(removeLeftovers(root, unexpected).sort()).toEqual([".unfinished-a", ".unfinished-b"]);
  expect(readdirSync(root).sort()).toEqual([".keep", ...ids]);
});
