import { spawnSync } from "node:child_process";
import {
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { LOCK_FILE, takeLock } from "../../snapshots/lock.ts";
import { SnapshotError } from "../../snapshots/snapshot-error.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = () => temporaryFolder("snapshots");

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

  test("respects a living process that cannot be queried, or whose start was not written down", () => {
    const root = folder();
    const holder = { pid: process.pid, host: hostname(), started: null, token: "other" };
    const path = leaveLock(root, holder);
    expect(() => takeLock(root)).toThrow(`process ${process.pid} holds "${path}"`);
    const notAllowed = vi.spyOn(process, "kill").mockImplementation(() => {
      throw Object.assign(new Error("kill EPERM"), { code: "EPERM" }); // another user's
    });
    onTestFinished(() => notAllowed.mockRestore());
    expect(() => takeLock(root)).toThrow(`process ${process.pid} holds`);
  });

  // In ticks since boot, a hundred a second.
  test.runIf(process.platform === "linux")("writes down when its process started", () => {
    const root = folder();
    const lock = takeLock(root);
    onTestFinished(() => lock.release());
    const { started } = JSON.parse(readFileSync(join(root, LOCK_FILE), "utf8")) as {
      started: string;
    };
    const beforeNow =
      Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) - Number(started) / 100;
    expect(Math.abs(beforeNow - process.uptime())).toBeLessThan(5);
  });

  const here = { host: hostname(), token: "old" };
  test.each([
    ["a process that is gone", { ...here, pid: deadPid(), started: null }],
    ["an earlier process of this id", { ...here, pid: process.pid, started: "1" }],
    ["nobody", ""],
    ["half a text", "{"],
    ["null", "null"],
    ["no number", '{"pid":"x"}'],
    ["no host", '{"pid":1}'],
    ["no process", '{"host":"elsewhere"}'],
  ])("takes over the lock of %s, which it does not keep", (_, holder) => {
    const root = folder();
    leaveLock(root, holder);
    const lock = takeLock(root);
    expect(() => lock.check()).not.toThrow();
    expect(readdirSync(root)).toEqual([LOCK_FILE]);
    lock.release();
    expect(readdirSync(root)).toEqual([]);
  });

  test.each([
    ["has been silent", -9.8, -10.2],
    ["was left before the clock was set back", 9.8, 31 * 24 * 60],
  ])("takes over another machine's lock that %s for long enough", (_, held, left) => {
    const root = folder();
    const path = leaveLock(root, { pid: 1, host: "elsewhere", started: null, token: "far" });
    const touchedIn = (minutes: number) => {
      const at = Date.now() / 1000 + minutes * 60;
      utimesSync(path, at, at);
    };
    touchedIn(held);
    expect(() => takeLock(root)).toThrow('a run on "elsewhere" (process 1) holds');
    touchedIn(left);
    takeLock(root).release();
  });

  test("is touched every 15 seconds until it is released, and only while it is ours", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const root = folder();
    const path = join(root, LOCK_FILE);
    const lock = takeLock(root);
    const text = readFileSync(path, "utf8");
    const isTouchedWithin = (ms: number) => {
      utimesSync(path, 1000, 1000);
      vi.advanceTimersByTime(ms);
      expect(readFileSync(path, "utf8"), "its content stays").toBe(text);
      return statSync(path).mtimeMs > 1_000_000;
    };
    expect(isTouchedWithin(14_999)).toBe(false);
    expect(isTouchedWithin(1)).toBe(true);
    expect(isTouchedWithin(15_000)).toBe(true);
    renameSync(path, join(root, "taken-away"));
    writeFileSync(path, text);
    expect(isTouchedWithin(15_000), "another file in its place").toBe(false);
    lock.release();
    expect(vi.getTimerCount()).toBe(0);
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
