import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { AccountLoad, KEYED_START } from "../../../scripts/faults/account-load.ts";
import { bookFaults, capFaults } from "../../../scripts/faults/job-books.ts";
import { JsonClient } from "../../../scripts/faults/json-client.ts";
import { openStateFile } from "../../../server/accounts/sqlite/state-file.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";

const folder = temporaryFolder("job-books");
const { db, close } = openStateFile(join(folder, "state.db"));
afterAll(close);

/** Puts a job into the store, and the account's usage at this if it is given. */
function store(id: number, { status = "done", start = "2022-01-01" } = {}, used?: number): void {
  if (used !== undefined) use(used);
  db.prepare(
    `INSERT INTO jobs (id, account_id, env, status, request, snapshot_id, attribution, turn, units, period, created_ms)
     VALUES (?, 'ann', 'live', ?, ?, '', '', 0, 10, '', 0)`,
  ).run(id, status, JSON.stringify({ start_date: start }));
  if (status === "done") db.prepare("INSERT INTO results VALUES (?, x'00')").run(id);
}

function lose(): void {
  db.exec("DELETE FROM jobs; DELETE FROM results");
  use(2);
}

function use(units: number): void {
  db.prepare("INSERT OR REPLACE INTO usage VALUES ('ann', 'live', '', ?)").run(units);
}

/** An account that was told of the job 1 and got two reads, with one submission left unanswered. */
function load(): AccountLoad {
  const account = { id: "ann", key: "" };
  const made = new AccountLoad({ account, client: new JsonClient(), uniform: () => 0 });
  made.jobs.add(1);
  made.counts.reads = 2;
  made.counts.submissionsLost = 1;
  return made;
}

const faultsNow = () => bookFaults(db, [load()]).faults;

beforeEach(() => {
  for (const table of ["jobs", "results", "usage"]) db.exec(`DELETE FROM ${table}`);
  store(1);
  use(12);
});

describe("the books of a load", () => {
  test("balance where each answer was charged once", () => {
    expect(faultsNow()).toEqual([]);
  });

  test.each([
    ["a read is not charged", () => use(11)],
    ["a read is charged twice", () => use(13)],
    ["a failed job is not refunded", () => store(2, { status: "error" }, 22)],
    ["an accepted job is lost", lose],
    ["a job is done without a result", () => db.exec("DELETE FROM results")],
    ["a key has made another job", () => store(2, { start: KEYED_START }, 22)],
    ["more jobs are there than were asked for", () => [store(2), store(3, {}, 32)]],
  ])("do not where %s", (_, spoil) => {
    spoil();
    expect(faultsNow()).toHaveLength(1);
  });

  test("leave room for the job of a submission without an answer", () => {
    store(2, {}, 22);
    expect(faultsNow()).toEqual([]);
  });
});

test("an account with more jobs under way than it may have is told", () => {
  for (const id of [2, 3]) store(id, { status: "queued" });
  expect(capFaults(db, 2)).toEqual([]);
  expect(capFaults(db, 1)).toEqual(["account ann has 2 jobs under way"]);
});
