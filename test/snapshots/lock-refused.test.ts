import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import type * as FileSystem from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LOCK_FILE, takeLock } from "../../snapshots/lock.ts";
import { useSnapshotFolders } from "../support/snapshot-market.ts";

const disk = vi.hoisted(() => ({
  writes: 0,
  fault: "",
  /** What the next links fail with, one after the other. */
  links: [] as string[],
  /** What another process does just before a file is renamed. */
  beforeRename: () => {},
}));

vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<typeof FileSystem>();
  const writeSync = (...given: Parameters<typeof original.writeSync>) => {
    disk.writes++;
    if (disk.fault !== "") throw Object.assign(new Error(disk.fault), { code: disk.fault });
    return original.writeSync(...given);
  };
  const linkSync: typeof original.linkSync = (from, to) => {
    const code = disk.links.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    original.linkSync(from, to);
  };
  const renameSync: typeof original.renameSync = (from, to) => {
    disk.beforeRename();
    original.renameSync(from, to);
  };
  return { ...original, writeSync, linkSync, renameSync };
});

const folder = useSnapshotFolders();

beforeEach(() => {
  disk.fault = "";
  disk.links = [];
  disk.beforeRename = () => {};
  vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

test("a lock whose heartbeat the disk refuses is held on, and touched again", () => {
  const root = folder();
  const lock = takeLock(root);
  const text = readFileSync(join(root, LOCK_FILE), "utf8");
  disk.fault = "EIO";
  const before = disk.writes;
  vi.advanceTimersByTime(60_000);
  expect(disk.writes - before, "four heartbeats").toBe(4);
  disk.fault = "";
  vi.advanceTimersByTime(15_000);
  expect(() => lock.check()).not.toThrow();
  expect(readFileSync(join(root, LOCK_FILE), "utf8")).toBe(text);
  lock.release();
  expect(readdirSync(root)).toEqual([]);
});

test("a lock that finds no room leaves nothing behind", () => {
  const root = folder();
  disk.fault = "ENOSPC";
  expect(() => takeLock(root)).toThrow("ENOSPC");
  expect(readdirSync(root)).toEqual([]);
});

describe("of two runs that want one lock", () => {
  test.each([
    ["was released before it could be read", "EEXIST"],
    ["cleaned up the other's file", "ENOENT"],
  ])("the one that finds that the holder %s tries again", (_, code) => {
    const root = folder();
    disk.links = [code, code];
    const lock = takeLock(root);
    expect(() => lock.check()).not.toThrow();
    lock.release();
    expect(readdirSync(root)).toEqual([]);
  });

  test("one gives up after five attempts", () => {
    const root = folder();
    disk.links = Array.from({ length: 5 }, () => "EEXIST");
    expect(() => takeLock(root)).toThrow(/"[^"]*\.lock" keeps being taken by other runs/);
    expect(disk.links).toEqual([]);
    expect(readdirSync(root)).toEqual([]);
  });

  test("neither reports a folder as taken where the file system has no hard links", () => {
    const root = folder();
    disk.links = ["EPERM"];
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
