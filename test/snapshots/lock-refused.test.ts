import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type * as FileSystem from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { LOCK_FILE, takeLock } from "../../snapshots/lock.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const disk = vi.hoisted(() => ({
  /** What the next link fails with. */
  link: "",
  /** What another process does just before a file is renamed. */
  beforeRename: () => {},
}));

vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<typeof FileSystem>();
  const linkSync: typeof original.linkSync = (from, to) => {
    const code = disk.link;
    if (code !== "") throw Object.assign(new Error(code), { code });
    original.linkSync(from, to);
  };
  const renameSync: typeof original.renameSync = (from, to) => {
    disk.beforeRename();
    original.renameSync(from, to);
  };
  return { ...original, linkSync, renameSync };
});

const folder = () => temporaryFolder("snapshots");

beforeEach(() => {
  disk.link = "";
  disk.beforeRename = () => {};
});

describe("of two runs that want one lock", () => {
  test("neither reports a folder as taken where the file system has no hard links", () => {
    const root = folder();
    disk.link = "EPERM";
    expect(() => takeLock(root)).toThrow(
      `the file system of "${root}" has no hard links, which the lock of snapshots needs (EPERM): ` +
        "exFAT and FAT have none; use another disk",
    );
    expect(readdirSync(root)).toEqual([]);
  });

  test("the later one puts back the lock that the earlier one made of the same stale one", () => {
    const root = folder();
    const path = join(root, LOCK_FILE);
    const other = folder();
    takeLock(other); // of a living process: this one
    const live = readFileSync(join(other, LOCK_FILE), "utf8");
    writeFileSync(path, "stale");
    disk.beforeRename = () => {
      disk.beforeRename = () => {};
      writeFileSync(path, live);
    };
    expect(() => takeLock(root)).toThrow("another run is writing snapshots here");
    expect(readFileSync(path, "utf8")).toBe(live);
    expect(readdirSync(root)).toEqual([LOCK_FILE]);
  });
});
