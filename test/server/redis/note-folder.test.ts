import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { NoteFolder } from "../../../server/redis/note-folder.ts";
import { fileHandleMethods } from "../../support/file-handle-methods.ts";
import { until } from "../../support/until.ts";

const MONTH_SECONDS = 31 * 86_400;

let base: string;
let warnings: string[];

/** What the folder goes by; tests compare with the times of files, which are the machine's. */
let retentionMs: () => number | undefined;

const opened = (folder: string | undefined, kind = "charges") =>
  new NoteFolder({ folder, kind, retentionMs, warn: (message) => warnings.push(message) });

describe("a folder of notes", () => {
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), "hindsight-notes-"));
    warnings = [];
    retentionMs = Date.now;
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  test("is made, for its owner alone, and keeps what was written for the next process", () => {
    const folder = join(base, "state", "notes");
    const name = opened(folder).write({ group: 7 });
    const next = opened(folder);
    expect(next.list()).toEqual([name]);
    expect(next.read(name)).toEqual({ group: 7 });
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    next.remove(name);
    next.remove(name); // another process came first
    expect(next.read(name)).toBeUndefined();
    expect([readdirSync(folder), warnings]).toEqual([[], []]);
  });

  test("shows neither notes of another kind nor what a process was killed while writing", () => {
    const folder = opened(base);
    opened(base, "jobs").write({});
    writeFileSync(join(base, "charges-00ff.json.new"), '{"gro');
    writeFileSync(join(base, "charges-readme.txt"), "");
    symlinkSync("gone", join(base, "charges-00.json")); // as one that another process has just removed
    expect([folder.list(), warnings]).toEqual([[], []]);
  });

  test("removes notes that nobody settled within a month", () => {
    const folder = opened(base);
    folder.write({});
    writeFileSync(join(base, "charges-00ff.json.new"), '{"gro');
    writeFileSync(join(base, "somebody's"), "");
    const longAgo = Date.now() / 1000 - MONTH_SECONDS;
    for (const file of readdirSync(base)) utimesSync(join(base, file), longAgo, longAgo);
    expect(folder.list()).toEqual([]);
    expect(readdirSync(base), "and nothing else").toEqual(["somebody's"]);
  });

  test("keeps them while the clock is in doubt", () => {
    retentionMs = () => undefined;
    const folder = opened(base);
    const name = folder.write({});
    utimesSync(join(base, name), 0, 0);
    expect(folder.list()).toEqual([name]);
  });

  test("causes one warning if it cannot be written, and nothing else fails", () => {
    writeFileSync(join(base, "file"), "");
    const folder = opened(join(base, "file", "notes"));
    folder.write({});
    folder.write({});
    expect(folder.list()).toEqual([]);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(/cannot be kept in ".*file\/notes".*may stay charged.*--notes/s);
  });

  test("is used again once it can be, and warned of again if it fails again", () => {
    const place = join(base, "notes");
    const folder = opened(place);
    const lose = () => {
      rmSync(place, { recursive: true });
      folder.write({});
      expect(folder.list()).toEqual([]);
    };
    lose();
    mkdirSync(place);
    const name = opened(place).write({ group: 7 }); // left by another process
    expect(folder.list()).toEqual([name]);
    lose();
    expect(warnings).toHaveLength(2);
  });

  test("forces to the disk, once a second, what is still there", async () => {
    const sync = vi.spyOn(await fileHandleMethods(), "sync").mockRejectedValue(new Error("full"));
    const folder = opened(base);
    /** How many files are forced in the second after these notes. */
    const forcedAfter = async (write: () => void, count: number) => {
      vi.useFakeTimers({ toFake: ["setTimeout"] });
      write();
      vi.advanceTimersByTime(1_000);
      vi.useRealTimers();
      await until(() => sync.mock.calls.length >= count);
      return sync.mock.calls.length;
    };
    try {
      const write = () => {
        folder.write({});
        folder.remove(folder.write({}));
        folder.write({});
      };
      expect(await forcedAfter(write, 3), "two notes and the folder").toBe(3);
      expect(await forcedAfter(() => folder.write({}), 5)).toBe(5);
    } finally {
      vi.useRealTimers();
      vi.restoreAllMocks();
    }
  });

  test("may be none", () => {
    const folder = opened(undefined);
    folder.remove(folder.write({}));
    expect(folder.list()).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
