import { rmSync } from "node:fs";
import type * as FileSystem from "node:fs";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { AccountsUnavailable } from "../../../../server/accounts/accounts.ts";
import { openMeterFile, type MeterFile } from "../../../../server/accounts/sqlite/meter-file.ts";
import {
  CHUNK_RECORDS,
  HEADER_BYTES,
  METERS,
} from "../../../../server/accounts/sqlite/meter-layout.ts";
import type * as StateFile from "../../../../server/accounts/sqlite/state-file.ts";
import { AccountsFixture } from "../../../support/accounts-fixture.ts";

/** A disk that refuses to be forced, and a state file whose commits fail. */
const disk = vi.hoisted(() => ({ isRefusing: false, forces: 0, refusesCommits: false }));

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof FileSystem>();
  const forced = (): Error | null => {
    disk.forces++;
    return disk.isRefusing ? new Error("EIO: i/o error, fdatasync") : null;
  };
  return {
    ...real,
    fdatasyncSync: () => {
      const refusal = forced();
      if (refusal !== null) throw refusal;
    },
    fdatasync: (_: number, done: (error: Error | null) => void) => done(forced()),
  };
});

vi.mock("../../../../server/accounts/sqlite/state-file.ts", async (importOriginal) => {
  const real = await importOriginal<typeof StateFile>();
  const inTransaction: typeof real.inTransaction = (db, work) =>
    real.inTransaction(db, () => {
      const result = work();
      if (disk.refusesCommits) throw new Error("disk I/O error");
      return result;
    });
  return { ...real, inTransaction };
});

const PAGE_BYTES = 4096;
const SECOND_CHUNK = CHUNK_RECORDS + 1;

let fixture: AccountsFixture;
let meters: MeterFile;
beforeEach(() => {
  fixture = new AccountsFixture();
  Object.assign(disk, { isRefusing: false, refusesCommits: false });
  meters = openMeterFile(fixture.file);
  disk.forces = 0;
});
afterEach(async () => {
  vi.restoreAllMocks();
  meters.close();
  await fixture.close();
});

/** How many pages are written to while this runs. */
async function pagesWritten(work: () => Promise<void> | void): Promise<number> {
  const add = vi.spyOn(Atomics, "add");
  await work();
  const count = add.mock.calls.filter(([, , value]) => Number(value) === 0).length;
  add.mockRestore();
  return count;
}

describe("a meter file that the disk refuses to have forced", () => {
  const PAGES = (HEADER_BYTES + METERS.chunkBytes) / PAGE_BYTES;

  test("is written to on every page before it is forced again, and once", async () => {
    expect(await pagesWritten(() => meters.sync())).toBe(0);
    disk.isRefusing = true;
    await expect(meters.sync()).rejects.toThrow(AccountsUnavailable);
    const again = async () =>
      await expect(meters.sync()).rejects.toThrow(
        "the meter file cannot be forced to the disk: Error: EIO",
      );
    expect(await pagesWritten(again), "the system may have dropped all of them").toBe(PAGES);
    disk.isRefusing = false;
    expect(await pagesWritten(() => meters.sync())).toBe(PAGES);
    expect(await pagesWritten(() => meters.sync())).toBe(0);
  });

  test("is in doubt for every process", async () => {
    disk.isRefusing = true;
    await expect(meters.sync()).rejects.toThrow(AccountsUnavailable);
    disk.isRefusing = false;
    const other = openMeterFile(fixture.file);
    expect(await pagesWritten(() => other.sync())).toBe(PAGES);
    other.close();
    expect(await pagesWritten(() => meters.sync())).toBe(0);
  });

  test("has no place for a further account until it was forced with that place in it", () => {
    disk.isRefusing = true;
    expect(() => meters.reserve(SECOND_CHUNK)).toThrow(AccountsUnavailable);
    expect(() => meters.reserve(SECOND_CHUNK), "though it is long enough now").toThrow(
      AccountsUnavailable,
    );
    disk.isRefusing = false;
    meters.reserve(SECOND_CHUNK);
    expect(disk.forces).toBe(3);
    meters.reserve(SECOND_CHUNK);
    expect(disk.forces).toBe(3);
  });
});

test("a meter file that the state file could not be told of is taken at the next start", () => {
  const { identity } = meters;
  meters.close();
  rmSync(`${fixture.file}-meters`);
  disk.refusesCommits = true;
  expect(() => openMeterFile(fixture.file)).toThrow("disk I/O error");
  disk.refusesCommits = false;
  meters = openMeterFile(fixture.file);
  expect(meters.identity).not.toBe(identity);
});
