import {
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { NoteFolder } from "../../../server/redis/note-folder.ts";

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
    expect(readdirSync(folder)).toEqual([]);
  });

  test("shows neither notes of another kind nor what a process was killed while writing", () => {
    const folder = opened(base);
    opened(base, "jobs").write({});
    writeFileSync(join(base, "charges-00ff.json.new"), '{"gro');
    writeFileSync(join(base, "charges-readme.txt"), "");
    expect(folder.list()).toEqual([]);
  });

  test("removes notes that nobody settled within a month", () => {
    const folder = opened(base);
    const name = folder.write({});
    const longAgo = Date.now() / 1000 - MONTH_SECONDS;
    utimesSync(join(base, name), longAgo, longAgo);
    expect(folder.list()).toEqual([]);
    expect(readdirSync(base)).toEqual([]);
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

  test("is looked into again after it could not be read for a while", () => {
    const folder = opened(join(base, "notes"));
    renameSync(join(base, "notes"), join(base, "away"));
    expect(folder.list()).toEqual([]);
    expect(warnings).toHaveLength(1);
    renameSync(join(base, "away"), join(base, "notes"));
    const name = opened(join(base, "notes")).write({});
    expect(folder.list(), "what another process left behind").toEqual([name]);
  });

  test("may be none", () => {
    const folder = opened(undefined);
    folder.remove(folder.write({}));
    expect(folder.list()).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
