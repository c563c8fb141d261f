import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AccountsUnavailable, type Caller } from "../../../../server/accounts/accounts.ts";
import type { EmbeddedAccounts } from "../../../../server/accounts/sqlite/embedded-accounts.ts";
import { openStateFile } from "../../../../server/accounts/sqlite/state-file.ts";
import { openEmbeddedHome } from "../../../../server/jobs/sqlite/embedded-home.ts";
import { EmbeddedJobs } from "../../../../server/jobs/sqlite/embedded-jobs.ts";
import type { JobHome, SubmitOutcome } from "../../../../server/jobs/job-store.ts";
import { AccountsFixture, callerOf } from "../../../support/accounts-fixture.ts";
import { fileHandleMethods } from "../../../support/file-handle-methods.ts";
import { holding } from "../../../support/held-snapshots.ts";
import { acceptedId, FAILURE, submissionOf } from "../../../support/job-steps.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";
import { until } from "../../../support/until.ts";

let fixture: AccountsFixture;
let accounts: EmbeddedAccounts;
let ann: Caller;
let home: JobHome;
let reports: string[];
/** In the place of a force to the disk. */
let force: () => Promise<void>;
/** The folder of snapshots; "s1", which is loaded, is not in it. */
const snapshots = temporaryFolder("snapshots");
const GONE = new Error("the disk is gone");
const LOCKED = Object.assign(new Error("locked"), { code: "SQLITE_BUSY" });

beforeEach(async () => {
  fixture = new AccountsFixture();
  accounts = fixture.server();
  ann = callerOf(accounts, (await fixture.account("startup")).key, fixture.clock.wallMs);
  reports = [];
  home = opened(accounts);
  force = () => Promise.resolve();
  vi.spyOn(await fileHandleMethods(), "datasync").mockImplementation(() => force());
});

afterEach(async () => {
  vi.restoreAllMocks();
  await home.close();
  await fixture.close();
});

function opened(payers: EmbeddedAccounts | undefined): JobHome {
  return openEmbeddedHome({
    stateFile: fixture.file,
    accounts: payers,
    snapshots: payers === undefined ? holding("s1", { root: snapshots }) : undefined,
    monotonicMs: fixture.clock.monotonicMs,
    report: (message) => reports.push(message),
  });
}

const submit = async (key?: string) => await home.submit(submissionOf(fixture, ann, key));
const used = () => accounts.quota(ann, fixture.clock.wallMs).used;

/** Forces that wait until they are let go. */
function heldForces(): (() => void)[] {
  const held: (() => void)[] = [];
  force = () => new Promise((resolve) => held.push(resolve));
  return held;
}

describe("a job of the embedded store", () => {
  test.each(["accepted", "repeated"])(
    "that was %s is secure once the disk has it",
    async (kind) => {
      if (kind === "repeated") await submit("k");
      const outcome = await submit("k");
      expect(outcome.kind).toBe(kind);
      const held = heldForces();
      let isSecure = false;
      const securing = Promise.resolve(home.secure(outcome)).then(() => (isSecure = true));
      await until(() => held.length === 1);
      expect(isSecure).toBe(false);
      held[0]!();
      await securing;
    },
  );

  test("that was refused needs no disk", async () => {
    force = () => Promise.reject(GONE);
    const refused: SubmitOutcome = { kind: "concurrency_exceeded", running: 3 };
    await expect(home.secure(refused)).resolves.toBeUndefined();
  });

  test("that the disk does not take is undone with its charge, and may be sent again", async () => {
    force = () => Promise.reject(GONE);
    const outcome = await submit("k");
    expect(used()).toBe(10);
    await expect(home.secure(outcome)).rejects.toThrow(AccountsUnavailable);
    expect(used()).toBe(0);
    expect(await home.counts()).toEqual({ queued: 0, running: 0 });
    expect((await submit("k")).kind).toBe("accepted");
    expect(reports).toEqual([]);
  });

  test("stays where only its repeat is not secure: the first call was told of it", async () => {
    const id = acceptedId(await submit("k"));
    force = () => Promise.reject(GONE);
    await expect(home.secure(await submit("k"))).rejects.toThrow(AccountsUnavailable);
    expect((await home.find(id, ann.accountId))?.job.status).toBe("queued");
    expect(used()).toBe(10);
  });

  test.each(["at once", "after the next force"])(
    "that was undone is told to nobody who repeated it meanwhile: it is undone %s",
    async (when) => {
      const first = await submit("k");
      let refuse: ((error: Error) => void) | undefined;
      force = () => new Promise((_, reject) => (refuse = reject));
      const securing = home.secure(first);
      await until(() => refuse !== undefined);
      const again = await submit("k");
      expect(again).toMatchObject({ kind: "repeated", jobId: acceptedId(first) });
      const repeating = home.secure(again);
      let isForced = when === "at once";
      const withdraw = vi.spyOn(EmbeddedJobs.prototype, "withdraw");
      withdraw.mockImplementation(() => {
        if (isForced) withdraw.mockRestore();
        throw new AccountsUnavailable("locked", { cause: LOCKED });
      });
      force = async () => void setTimeout(() => (isForced = true), 20); // it counts
      refuse!(GONE);
      await Promise.all([
        expect(securing).rejects.toThrow(AccountsUnavailable),
        expect(repeating).rejects.toThrow(AccountsUnavailable),
      ]);
      expect(used()).toBe(0);
      expect((await submit("k")).kind).toBe("accepted");
    },
  );

  test.each([
    ["it before the disk refused it stays", true],
    ["it after the disk refused it is undone for both", false],
  ])("that is promised by another process that was asked for %s", async (_, isEarly) => {
    const other = opened(accounts);
    const first = await submit("k");
    let refuse: ((error: Error) => void) | undefined;
    force = () => new Promise((__, reject) => (refuse = reject));
    const securing = home.secure(first);
    await until(() => refuse !== undefined);
    const again = await other.submit(submissionOf(fixture, ann, "k"));
    expect(again).toMatchObject({ kind: "repeated", jobId: acceptedId(first) });
    force = () => Promise.resolve();
    const repeat = async () => {
      await other.secure(again);
    };
    if (isEarly) await repeat();
    refuse!(GONE);
    await expect(securing).rejects.toThrow(AccountsUnavailable);
    const told = await repeat().then(
      () => "told",
      (error: Error) => error.message,
    );
    expect(told).toBe(isEarly ? "told" : "the job was undone: the disk refused it");
    expect((await home.find(acceptedId(first), ann.accountId)) !== undefined).toBe(isEarly);
    expect(used()).toBe(isEarly ? 10 : 0);
    expect((await submit("k")).kind).toBe(isEarly ? "repeated" : "accepted");
    await other.close();
  });

  test("that can be neither secured nor undone is told to the operator", async () => {
    force = () => Promise.reject(GONE);
    const outcome = await submit();
    const db = openStateFile(fixture.file, { busyMs: 0 });
    db.exec("BEGIN IMMEDIATE");
    const securing = home.secure(outcome);
    await Promise.all([
      expect(securing).rejects.toThrow(AccountsUnavailable),
      until(() => {
        fixture.clock.pass(1_000);
        return reports.length > 0;
      }),
    ]);
    db.close();
    expect(reports).toEqual(["a job that was refused stays in the queue"]);
  });

  test("keeps no server that ran none from closing, whoever holds the file", async () => {
    const other = opened(accounts);
    const db = openStateFile(fixture.file, { busyMs: 0 });
    db.exec("BEGIN IMMEDIATE");
    await expect(other.close()).resolves.toBeUndefined();
    db.close();
  });

  test("that runs waits again when its process closes the store", async () => {
    await submit();
    const runner = opened(undefined);
    await runner.claim(fixture.clock.wallMs);
    expect(await home.counts()).toEqual({ queued: 0, running: 1 });
    await runner.close();
    expect(await home.counts()).toEqual({ queued: 1, running: 0 });
  });

  test.each([
    ["was killed waits again", () => spawnSync("true").pid, { queued: 1, running: 0 }],
    ["lives runs on", () => process.ppid, { queued: 0, running: 1 }],
  ])("of another process on this machine that %s", async (_, pidOf, counts) => {
    await submit();
    const runner = opened(undefined);
    await runner.claim(fixture.clock.wallMs);
    const db = openStateFile(fixture.file, { busyMs: 0 });
    db.prepare("UPDATE processes SET pid = ?").run(pidOf());
    db.close();
    const other = opened(undefined);
    await other.recover(fixture.clock.wallMs);
    expect(await home.counts()).toEqual(counts);
    await other.close();
    await runner.close();
  });

  test("is run and refunded by a process that takes none in", async () => {
    await submit();
    const runner = opened(undefined);
    const job = await runner.claim(fixture.clock.wallMs);
    await runner.finish(job!, FAILURE, fixture.clock.wallMs); // there is one: it was just taken in
    await runner.close();
    expect(used()).toBe(0);
  });

  test("is taken by a process that has its snapshot on the disk, though another is loaded", async () => {
    const snapshotId = "2022-06-17T20220618T001000000Z-0123456789ab";
    mkdirSync(join(snapshots, snapshotId));
    await home.submit({ ...submissionOf(fixture, ann), snapshotId });
    const runner = opened(undefined);
    await runner.recover(fixture.clock.wallMs);
    expect(await runner.claim(fixture.clock.wallMs)).toMatchObject({ snapshotId });
    await runner.close();
  });
});
