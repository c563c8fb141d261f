import type { FileHandle } from "node:fs/promises";
import { copyFileSync, existsSync, renameSync, rmSync, statSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { WalSync } from "../../../accounts/sqlite/wal-sync.ts";
import { openStateFile } from "../../../accounts/sqlite/state-file.ts";
import { AccountsFixture, callerOf, tinyPlans } from "../../support/accounts-fixture.ts";
import { charge } from "../../support/charge.ts";
import { fileHandleMethods } from "../../support/file-handle-methods.ts";
import { until } from "../../support/until.ts";

const LOG_MAX_BYTES = 16 * 1024 * 1024;

let fixture: AccountsFixture;
beforeEach(() => {
  fixture = new AccountsFixture();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await fixture.close();
});

const logBytes = () => statSync(`${fixture.file}-wal`).size;

describe("the state file's log", () => {
  test("stays short while charges go on", async () => {
    const plans = tinyPlans(1_000_000_000);
    const { key } = await fixture.account("tiny", "a@example.com", plans);
    const state = await fixture.state({ plans });
    const now = fixture.clock.wallMs;
    const caller = callerOf(state, key, now);
    const endpoint = "/".padEnd(12_000, "x"); // as long as the entries of a busy turn
    for (let round = 0; round < 10; round++) {
      const done = state.round(); // runs while the turns go on
      for (let turn = 0; turn < 250; turn++) {
        await charge(state, caller, 1, now, endpoint);
      }
      await done;
    }
    expect(logBytes(), "some 40 MB were written").toBeLessThan(2 * LOG_MAX_BYTES);
    expect(fixture.warnings).toEqual([]);
  });

  test("is forced to the disk once after a change", async () => {
    const { key } = await fixture.account("developer");
    const state = await fixture.state();
    await state.round();
    await state.round();
    const forced: string[] = [];
    const methods = await fileHandleMethods();
    const note = (what: string) => async () => void forced.push(what);
    vi.spyOn(methods, "sync").mockImplementation(note("folder"));
    vi.spyOn(methods, "datasync").mockImplementation(note("log"));
    await fixture.chargeCalls(state, key, 1);
    await state.round();
    await state.round();
    expect(forced).toEqual(["log"]);
    await fixture.chargeCalls(state, key, 1);
    await state.round();
    await state.round();
    expect(forced).toEqual(["log", "log"]);
  });

  test("is moved into the file when the disk refused to be forced, before it is forced again", async () => {
    const { key } = await fixture.account("developer");
    const state = await fixture.state();
    await fixture.chargeCalls(state, key, 2);
    const methods = await fileHandleMethods();
    const datasync = vi.spyOn(methods, "datasync");
    datasync.mockRejectedValueOnce(new Error("EIO: i/o error, fdatasync"));
    await state.round();
    expect(fixture.warnings).toEqual([expect.stringContaining("EIO: i/o error, fdatasync")]);
    expect(logBytes()).toBeGreaterThan(0);
    await state.round();
    expect(logBytes(), "all of it is in the file, which was forced by SQLite").toBe(0);
    expect(datasync).toHaveBeenCalledTimes(2);
    expect(fixture.warnings).toHaveLength(1);
    expect(await fixture.chargeCalls(state, key, 1)).toBe(3);
  });

  test("gives a job no success after the disk refused to be forced", async () => {
    const state = await fixture.state();
    const methods = await fileHandleMethods();
    const error = new Error("EIO: i/o error, fdatasync");
    vi.spyOn(methods, "datasync").mockRejectedValueOnce(error);
    await expect(state.ledger.durable()).rejects.toThrow("EIO");
    const request = { email: "a@example.com", plan: "free" };
    vi.spyOn(methods, "datasync").mockRejectedValueOnce(error);
    await expect(state.admin.createAccount(request)).rejects.toThrow("EIO");
  });
});

test.each(["removed", "replaced"])(
  "calls and jobs stop where the state file was %s",
  async (how) => {
    const { key } = await fixture.account("developer");
    const state = await fixture.state();
    const { ledger } = state;
    await fixture.chargeCalls(state, key, 2);
    copyFileSync(fixture.file, `${fixture.file}.copy`);
    if (how === "removed") rmSync(fixture.file);
    else renameSync(`${fixture.file}.copy`, fixture.file);
    await state.round();
    await state.round();
    expect(fixture.warnings, "once").toEqual([expect.stringMatching(/was removed or replaced/)]);
    await expect(fixture.chargeCalls(state, key, 1)).rejects.toThrow("was removed or replaced");
    expect(() => ledger.transaction(() => "a job")).toThrow("was removed or replaced");
    await expect(state.ping()).rejects.toThrow("was removed or replaced");
    await fixture.closeState();
    expect(existsSync(fixture.file), "what is there is left alone").toBe(how === "replaced");
  },
);

test("a disk that fails is warned of, once, and again after it has worked", async () => {
  const { key } = await fixture.account("free");
  const state = await fixture.state();
  await fixture.chargeCalls(state, key, 1);
  const methods = await fileHandleMethods();
  const datasync = vi.spyOn(methods, "datasync").mockRejectedValue(new Error("EIO"));
  await state.round();
  await state.round();
  expect(fixture.warnings).toHaveLength(1);
  datasync.mockRestore();
  await state.round();
  await fixture.chargeCalls(state, key, 1);
  vi.spyOn(methods, "datasync").mockRejectedValueOnce(new Error("EIO"));
  await state.round();
  expect(fixture.warnings).toHaveLength(2);
});

describe("forcing the log to the disk", () => {
  let disk: WalSync;
  let close: () => Promise<void>;
  /** The forced files, and "moved" when the log was moved into the file, in order. */
  let forced: string[];
  /** Functions that end the forces under way, if the test holds them. */
  let held: ((error?: Error) => void)[];
  let isHeld: boolean;
  /** The error that keeps the log from being moved. */
  let refusal: Error | undefined;

  beforeEach(async () => {
    [forced, held, isHeld, refusal] = [[], [], false, undefined];
    const owned = openStateFile(fixture.file);
    const methods = await fileHandleMethods();
    vi.spyOn(methods, "sync").mockImplementation(note("folder"));
    vi.spyOn(methods, "datasync").mockImplementation(note("log"));
    const { file } = fixture;
    disk = new WalSync({
      file,
      changes: () => 1,
      async hold(work) {
        if (refusal !== undefined) throw refusal;
        forced.push("moved");
        await work();
      },
    });
    close = async () => {
      await disk.close();
      owned.close();
    };
    await disk.sync();
  });
  afterEach(() => close());

  /** A fake force to the disk, which the test may hold. */
  function note(what: string) {
    return function (this: FileHandle): Promise<void> {
      forced.push(what);
      if (!isHeld) return Promise.resolve();
      return new Promise((resolve, reject) => {
        held.push((error) => (error === undefined ? resolve() : reject(error)));
      });
    };
  }

  /** The state of a call by now: pending, done or failed. */
  function followed(call: Promise<void>): { state: string } {
    const seen = { state: "waits" };
    call.then(
      () => (seen.state = "done"),
      () => (seen.state = "failed"),
    );
    return seen;
  }

  /** Resolves when all pending work has run. */
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  /** A force that fails. Earlier entries of `forced` are dropped. */
  async function failAForce(): Promise<void> {
    isHeld = true;
    const failing = disk.sync();
    await settled();
    held[0]!(new Error("the disk is gone"));
    await expect(failing).rejects.toThrow("the disk is gone");
    isHeld = false;
    forced = [];
  }

  test("includes its name once, and what is in it at every call", async () => {
    expect(forced).toEqual(["folder", "log"]);
    await disk.sync();
    expect(forced).toEqual(["folder", "log", "log"]);
  });

  test("is done once more for all who come while it is under way", async () => {
    isHeld = true;
    const first = followed(disk.sync());
    await settled();
    const later = [followed(disk.sync()), followed(disk.sync()), followed(disk.sync())];
    const states = () => later.map(({ state }) => state);
    expect(first.state, "not before it is on the disk").toBe("waits");
    held[0]!();
    await settled();
    expect(first.state).toBe("done");
    expect(states(), "the first began before they wrote").toEqual(["waits", "waits", "waits"]);
    expect(held).toHaveLength(2);
    const last = followed(disk.sync());
    held[1]!();
    await settled();
    expect(states()).toEqual(["done", "done", "done"]);
    expect(last.state, "it came while the second was under way").toBe("waits");
    expect(held).toHaveLength(3);
    held[2]!();
    await settled();
    expect(last.state).toBe("done");
  });

  test("fails for those that waited for one that failed; for others the log is moved first", async () => {
    isHeld = true;
    const first = followed(disk.sync());
    await settled();
    const second = followed(disk.sync());
    held[0]!(new Error("the disk is gone"));
    await until(() => held.length === 2); // moving the log takes a while
    expect([first.state, second.state]).toEqual(["failed", "waits"]);
    held[1]!();
    await settled();
    expect(second.state).toBe("done");
    expect(forced.slice(2), "a force alone would prove nothing").toEqual(["log", "moved", "log"]);
  });

  test("counts again after a failure only when the log has been moved, which is done once", async () => {
    await failAForce();
    refusal = new Error("the file is in use");
    await expect(disk.sync()).rejects.toThrow("the file is in use");
    expect(forced).toEqual([]);
    refusal = undefined;
    await disk.sync();
    await disk.sync();
    expect(forced).toEqual(["moved", "log", "log"]);
  });

  test("moves nothing into another file that has the state file's name", async () => {
    await failAForce();
    rmSync(fixture.file);
    await expect(disk.sync()).rejects.toThrow("the state file is not there any more");
    expect(forced).toEqual([]);
  });
});
