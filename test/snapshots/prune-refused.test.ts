import { mkdirSync } from "node:fs";
import type * as FileSystem from "node:fs";
import { basename, join } from "node:path";
import { expect, test, vi } from "vitest";
import { listSnapshotIds } from "../../snapshots/folder.ts";
import { pruneSnapshots, removeLeftovers } from "../../snapshots/prune.ts";
import { runCommand } from "../support/command-line.ts";
import { makeRuns } from "../support/empty-runs.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

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

const folder = () => temporaryFolder("snapshots");

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

test("a snapshot that keeps its name is not among the removed", async () => {
  const root = folder();
  const ids = makeRuns(root, 3);
  held.name = `.unfinished-pruned-${ids[1]}`; // left by an earlier run, and in the way of this one
  mkdirSync(join(root, held.name));
  const told: string[] = [];
  expect(await pruneSnapshots(root, 1, (message) => told.push(message))).toEqual([ids[0]]);
  held.name = "";
  expect(await listSnapshotIds(root)).toEqual([ids[2], ids[1]]);
  expect(told).toEqual([`"${join(root, ids[1]!)}" cannot be removed (EACCES): remove it by hand`]);
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
