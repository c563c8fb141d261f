import { cpSync, readdirSync } from "node:fs";
import type * as FileSystem from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { findCurrent, listSnapshotIds, UNFINISHED_PREFIX } from "../../snapshots/folder.ts";
import { SNAPSHOTS_KEPT } from "../../snapshots/prune.ts";
import { verifySnapshot } from "../../snapshots/verified-files.ts";
import { RUN_INSTANT_MS, runPrices, watcher } from "../support/snapshot-market.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/**
 * A `kill -9` leaves the folder as it is at that instant. So the folder is copied before and after every
 * change of a name in it, and at every step of a run; each copy is what a kill at that point would leave.
 * For real kills of the built program at random instants: `node dist/scripts/faults/kill-pipeline.js`.
 */
const watched = vi.hoisted(() => ({ onChange: undefined as ((what: string) => void) | undefined }));

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  const around =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      watched.onChange?.(`before ${name}`);
      const result = call(...args);
      watched.onChange?.(`after ${name}`);
      return result;
    };
  return {
    ...real,
    renameSync: around("rename", real.renameSync),
    rmSync: around("remove", real.rmSync),
    mkdirSync: around("mkdir", real.mkdirSync),
  };
});

const base = temporaryFolder("kill");
const root = join(base, "snapshots");
const frozen: { what: string; dir: string }[] = [];

/** Copies the folder as it is now, without the lock of the run, which the system drops with its process. */
function freeze(what: string): void {
  const onChange = watched.onChange;
  watched.onChange = undefined; // copying changes names too
  const dir = join(base, `frozen-${frozen.length}`);
  cpSync(root, dir, { recursive: true });
  frozen.push({ what, dir });
  watched.onChange = onChange;
}

beforeAll(async () => {
  for (let run = 0; run < SNAPSHOTS_KEPT; run++) {
    await runPrices(root, { nowMs: RUN_INSTANT_MS + run });
  }
  watched.onChange = freeze;
  const progress = { ...watcher(), begin: (step: string) => freeze(`at ${step}`) };
  await runPrices(root, { nowMs: RUN_INSTANT_MS + 10_000, progress });
  watched.onChange = undefined;
});

afterAll(() => {
  watched.onChange = undefined;
});

test("the run was frozen around every change of a name, publication and pruning included", () => {
  const seen = new Set(frozen.map(({ what }) => what));
  for (const what of ["before mkdir", "after rename", "at publish", "at prune", "after remove"]) {
    expect(seen).toContain(what);
  }
  expect(frozen.length).toBeGreaterThan(15);
});

test("readers see a whole, verified snapshot wherever the run was killed", async () => {
  for (const { what, dir } of frozen) {
    const current = await findCurrent(dir);
    expect({ what, found: current !== undefined }).toEqual({ what, found: true });
    for (const id of await listSnapshotIds(dir)) {
      const problems = await verifySnapshot(join(dir, id));
      expect({ what, id, problems }).toEqual({ what, id, problems: [] });
    }
  }
});

test("the next run succeeds and tidies up wherever the previous one was killed", async () => {
  for (const { what, dir } of frozen) {
    const isLeft = readdirSync(dir).some((name) => name.startsWith(UNFINISHED_PREFIX));
    const progress = watcher();
    const { manifest } = await runPrices(dir, { nowMs: RUN_INSTANT_MS + 20_000, progress });
    expect(progress.notices.join().includes(UNFINISHED_PREFIX), `${what} is reported`).toBe(isLeft);
    const names = readdirSync(dir);
    expect({
      what,
      current: await findCurrent(dir),
      unfinished: names.filter((name) => name.startsWith(UNFINISHED_PREFIX)),
      names: names.length,
    }).toEqual({
      what,
      current: join(dir, manifest.id),
      unfinished: [],
      names: SNAPSHOTS_KEPT + 2, // CURRENT and the lock
    });
  }
});
