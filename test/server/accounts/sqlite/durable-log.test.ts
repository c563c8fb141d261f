import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { DurableLog } from "../../../../server/accounts/sqlite/durable-log.ts";
import { SameFile } from "../../../../server/accounts/sqlite/same-file.ts";
import { fileHandleMethods } from "../../../support/file-handle-methods.ts";
import { until } from "../../../support/until.ts";

let folder: string;
let stateFile: string;
let log: DurableLog;
/** What was forced to the disk, in order; and the file handles it was asked of. */
let forced: string[];
let handles: Set<FileHandle>;
/** Forces under way, where a test holds them: each is ended by calling it. */
let held: ((error?: Error) => void)[];
let isHeld: boolean;
/** In the place of SQLite, which moves the log into the state file. */
let emptyLog: () => Promise<void>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hindsight-log-"));
  stateFile = join(folder, "hindsight.db");
  [forced, handles, held, isHeld] = [[], new Set(), [], false];
  writeFileSync(stateFile, "");
  writeFileSync(`${stateFile}-wal`, "");
  emptyLog = async () => void forced.push("moved");
  const methods = await fileHandleMethods();
  vi.spyOn(methods, "sync").mockImplementation(note("folder"));
  vi.spyOn(methods, "datasync").mockImplementation(note("log"));
  log = new DurableLog(stateFile, new SameFile(stateFile), () => emptyLog());
});

afterEach(async () => {
  await log.close();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** In the place of a force to the disk: it takes as long as the test says. */
function note(what: string) {
  return function (this: FileHandle): Promise<void> {
    forced.push(what);
    handles.add(this);
    if (!isHeld) return Promise.resolve();
    return new Promise((resolve, reject) => {
      held.push((error) => (error === undefined ? resolve() : reject(error)));
    });
  };
}

/** Whether a call is over, and how, as far as it is known by now. */
function followed(call: Promise<void>): { state: string } {
  const seen = { state: "waits" };
  call.then(
    () => (seen.state = "done"),
    () => (seen.state = "failed"),
  );
  return seen;
}

/** Until everything pending has run; the file is open by then. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A force that the disk refuses; what came before it is no longer noted. */
async function failAForce(): Promise<void> {
  isHeld = true;
  const failing = log.sync();
  await settled();
  held[0]!(new Error("the disk is gone"));
  await expect(failing).rejects.toThrow("the disk is gone");
  isHeld = false;
  forced = [];
}

describe("the log of a state file", () => {
  test("has its name forced to the disk once, and what is in it at every call", async () => {
    await log.sync();
    expect(forced).toEqual(["folder", "log"]);
    await log.sync();
    expect(forced).toEqual(["folder", "log", "log"]);
  });

  test("is on the disk when the call resolves, and not before", async () => {
    await log.sync();
    isHeld = true;
    const call = followed(log.sync());
    await settled();
    expect(call.state).toBe("waits");
    held[0]!();
    await settled();
    expect(call.state).toBe("done");
  });

  test("is forced once more for all who come while it is being forced", async () => {
    await log.sync();
    isHeld = true;
    const first = followed(log.sync());
    await settled();
    const later = [followed(log.sync()), followed(log.sync()), followed(log.sync())];
    held[0]!();
    await settled();
    expect(first.state).toBe("done");
    expect(
      later.map(({ state }) => state),
      "the first began before they wrote",
    ).toEqual(["waits", "waits", "waits"]);
    expect(held).toHaveLength(2);
    const last = followed(log.sync());
    held[1]!();
    await settled();
    expect(later.map(({ state }) => state)).toEqual(["done", "done", "done"]);
    expect(last.state, "it came while the second was under way").toBe("waits");
    expect(held).toHaveLength(3);
    held[2]!();
    await settled();
    expect(last.state).toBe("done");
  });

  test("that could not be forced fails those that waited for it, and is moved and forced for the others", async () => {
    await log.sync();
    isHeld = true;
    const first = followed(log.sync());
    await settled();
    const second = followed(log.sync());
    held[0]!(new Error("the disk is gone"));
    await until(() => held.length === 2); // looking at the state file takes a while
    expect([first.state, second.state]).toEqual(["failed", "waits"]);
    held[1]!();
    await settled();
    expect(second.state).toBe("done");
    expect(forced.slice(2), "a force alone would prove nothing").toEqual(["log", "moved", "log"]);
  });

  test("is in doubt from a failed force on, until it has been moved and forced", async () => {
    await log.sync();
    expect(log.isInDoubt).toBe(false);
    await failAForce();
    emptyLog = () => Promise.reject(new Error("the file is in use"));
    await expect(log.sync()).rejects.toThrow("the file is in use");
    expect([log.isInDoubt, forced]).toEqual([true, []]);
    emptyLog = async () => void forced.push("moved");
    await log.sync();
    expect([log.isInDoubt, forced]).toEqual([false, ["moved", "log"]]);
    await log.sync();
    expect(forced, "once").toEqual(["moved", "log", "log"]);
  });

  test("in doubt is not moved into another file that has the state file's name", async () => {
    await log.sync();
    await failAForce();
    rmSync(stateFile);
    await expect(log.sync()).rejects.toThrow("the state file is not there any more");
    expect(forced).toEqual([]);
  });
});
