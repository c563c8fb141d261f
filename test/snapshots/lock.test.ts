import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, readdirSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LOCK_FILE, takeLock } from "../../snapshots/lock.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { useSnapshotFolders } from "../support/snapshot-market.ts";

const folder = useSnapshotFolders();

/** The id of a process that has ended. */
function deadPid(): number {
  return spawnSync(process.execPath, ["--version"]).pid;
}

function leaveLock(root: string, holder: object | string): string {
  const path = join(root, LOCK_FILE);
  writeFileSync(path, typeof holder === "string" ? holder : JSON.stringify(holder));
  return path;
}

describe("takeLock", () => {
  test("is held by one at a time and leaves nothing behind", () => {
    const root = folder();
    const lock = takeLock(root);
    lock.check();
    expect(() => takeLock(root)).toThrow(SnapshotError);
    expect(() => takeLock(root)).toThrow(`process ${process.pid} holds`);
    expect(readdirSync(root)).toEqual([LOCK_FILE]);
    lock.release();
    expect(readdirSync(root)).toEqual([]);
    takeLock(root).release();
  });

  test("may be released twice, and does not release a lock that another has taken since", () => {
    const root = folder();
    const first = takeLock(root);
    first.release();
    const second = takeLock(root);
    first.release();
    expect(() => second.check()).not.toThrow();
    second.release();
  });

  test.runIf(process.platform === "linux")("says that a folder cannot be written to", () => {
    expect(() => takeLock("/sys"), "not even by root").toThrow('cannot write to the folder "/sys"');
  });

  test("takes over the lock of a process that is gone", () => {
    const root = folder();
    leaveLock(root, { pid: deadPid(), host: hostname(), started: null, token: "old" });
    const lock = takeLock(root);
    expect(() => lock.check()).not.toThrow();
    lock.release();
  });

  test("takes over when the process id was given to another process since", () => {
    const root = folder();
    leaveLock(root, { pid: process.pid, host: hostname(), started: "1", token: "old" });
    const lock = takeLock(root);
    expect(() => lock.check()).not.toThrow();
    lock.release();
  });

  test.each(["", "{", "null", '{"pid":"x"}'])("takes over a lock file of %j", (text) => {
    const root = folder();
    leaveLock(root, text);
    takeLock(root).release();
    expect(existsSync(join(root, LOCK_FILE))).toBe(false);
  });

  test("respects another machine's lock until it has been silent for ten minutes", () => {
    const root = folder();
    const path = leaveLock(root, { pid: 1, host: "elsewhere", started: null, token: "far" });
    expect(() => takeLock(root)).toThrow('a run on "elsewhere" (process 1) holds');
    const longAgo = Date.now() / 1000 - 11 * 60;
    utimesSync(path, longAgo, longAgo);
    takeLock(root).release();
  });

  test("notices that it was taken away", () => {
    const root = folder();
    const lock = takeLock(root);
    leaveLock(root, { pid: 1, host: "elsewhere", started: null, token: "thief" });
    expect(() => lock.check()).toThrow("was taken away during the run");
    lock.release();
    expect(readFileSync(join(root, LOCK_FILE), "utf8")).toContain("thief");
  });
});
