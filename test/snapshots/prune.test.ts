import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { listSnapshotIds } from "../../snapshots/folder.ts";
import { pruneSnapshots, removeLeftovers } from "../../snapshots/prune.ts";
import { formatSnapshotId } from "../../snapshots/snapshot-id.ts";
import { RUN_INSTANT_MS, useSnapshotFolders } from "../support/snapshot-market.ts";

const folder = useSnapshotFolders();

/** Folders of that many runs, the oldest first. Later runs may be of an earlier day. */
function makeRuns(root: string, count: number): string[] {
  return Array.from({ length: count }, (_, run) => {
    const instantMs = RUN_INSTANT_MS + run * 60_000;
    const id = formatSnapshotId({ asOf: 20_000 - run, instantMs, contentHash: "0123456789ab" });
    mkdirSync(join(root, id));
    writeFileSync(join(root, id, "file"), "x");
    return id;
  });
}

function unexpected(message: string): void {
  throw new Error(message);
}

describe("pruneSnapshots", () => {
  test("keeps the newest runs, whatever day they are of", async () => {
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

  test("leaves alone what is no snapshot", async () => {
    const root = folder();
    const ids = makeRuns(root, 3);
    mkdirSync(join(root, "notes"));
    writeFileSync(join(root, "CURRENT"), ids[2]!);
    await pruneSnapshots(root, 1, unexpected);
    expect(readdirSync(root).sort()).toEqual([ids[2], "CURRENT", "notes"]);
  });

  test("works where nothing is current yet", async () => {
    const root = folder();
    const ids = makeRuns(root, 3);
    expect(await pruneSnapshots(root, 2, unexpected)).toEqual([ids[0]]);
  });
});

test("removeLeftovers removes what is unfinished and nothing else", () => {
  const root = folder();
  const ids = makeRuns(root, 1);
  mkdirSync(join(root, ".unfinished-a"));
  writeFileSync(join(root, ".unfinished-b"), "x");
  writeFileSync(join(root, ".keep"), "x");
  expect(removeLeftovers(root, unexpected).sort()).toEqual([".unfinished-a", ".unfinished-b"]);
  expect(readdirSync(root).sort()).toEqual([".keep", ...ids]);
});

test.skipIf(process.getuid?.() === 0)(
  "what cannot be removed is told of, and is in nobody's way",
  async () => {
    const root = folder();
    const ids = makeRuns(root, 4);
    chmodSync(join(root, ids[0]!), 0o500); // as those of another user are
    const told: string[] = [];
    const report = (message: string) => void told.push(message);
    expect(await pruneSnapshots(root, 2, report)).toEqual([ids[1], ids[0]]);
    expect(await listSnapshotIds(root)).toEqual([ids[3], ids[2]]);
    mkdirSync(join(root, ".unfinished-z"));
    expect(removeLeftovers(root, report)).toEqual([".unfinished-z"]);
    expect(told).toHaveLength(2);
    expect(told[1]).toContain(`.unfinished-pruned-${ids[0]}" cannot be removed (EACCES)`);
    chmodSync(join(root, `.unfinished-pruned-${ids[0]}`), 0o700);
  },
);
