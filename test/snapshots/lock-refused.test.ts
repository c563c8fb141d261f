import { readdirSync, readFileSync } from "node:fs";
import type * as FileSystem from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LOCK_FILE, takeLock } from "../../snapshots/lock.ts";
import { useSnapshotFolders } from "../support/snapshot-market.ts";

const disk = vi.hoisted(() => ({ writes: 0, fault: "" }));

vi.mock("node:fs", async (importOriginal) => {
  const original = await importOriginal<typeof FileSystem>();
  const writeSync = (...given: Parameters<typeof original.writeSync>) => {
    disk.writes++;
    if (disk.fault !== "") throw Object.assign(new Error(disk.fault), { code: disk.fault });
    return original.writeSync(...given);
  };
  return { ...original, writeSync };
});

const folder = useSnapshotFolders();

beforeEach(() => {
  disk.fault = "";
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
