import { mkdirSync } from "node:fs";
import type * as FileSystem from "node:fs";
import { basename, join } from "node:path";
import { expect, test, vi } from "vitest";
import { listSnapshotIds } from "../../snapshots/folder.ts";
import { pruneSnapshots, removeLeftovers } from "../../snapshots/prune.ts";
import { runCommand } from "../support/command-line.ts";
import { makeRuns } from "../support/empty-runs.ts";
import { useSnapshotFolders } from "../support/snapshot-market.ts";

/** A folder that cannot be removed, like one of another user. */
const held = vi.hoisted(() => ({ name: "" }));

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  const rmSync: typeof real.rmSync = (path, options) => {
    const isHeld = basename(String(path)) === held.name && real.existsSync(path);
    if (isHeld) throw Object.assign(new Error("permission denied"), { code: "EACCES" });
    real.rmSync(path, options);
  };
  return { ...real, rmSync };
});

const folder = useSnapshotFolders();

test("what cannot be removed is reported and does not stop the other removals", async () => {
  const root = folder();
  const ids = makeRuns(root, 4);
  held.name = `.unfinished-pruned-${ids[0]}`;
  const told: string[] = [];
  const report = (message: string) => void told.push(message);
  expect(await pruneSnapshots(root, 2, report)).toEqual([ids[1], ids[0]]);
  expect(await listSnapshotIds(root)).toEqual([ids[3], ids[2]]);
  mkdirSync(join(root, ".unfinished-z"));
  expect(removeLeftovers(root, report)).toEqual([".unfinished-z"]);
  expect(told).toHaveLength(2);
  expect(told[1]).toContain(`${held.name}" cannot be removed (EACCES)`);
  held.name = "";
});

test("hindsight snapshot prune says what it cannot remove, and exits with 1", async () => {
  const root = folder();
  const ids = makeRuns(root, 3);
  held.name = `.unfinished-pruned-${ids[0]}`;
  const { code, out, err } = await runCommand(
    "snapshot",
    "prune",
    "--keep",
    "1",
    "--snapshots",
    root,
  );
  held.name = "";
  expect([code, out]).toEqual([1, `removed ${ids[1]}, ${ids[0]}\n`]);
  expect(err).toMatch(/^error: [^\n]* cannot be removed \(EACCES\)[^\n]*\n$/);
});
