import { describe, expect, test } from "vitest";
import { accountBook, type BookedJob } from "../../../scripts/faults/account-book.ts";
import { AccountLoad } from "../../../scripts/faults/account-load.ts";
import { JsonClient } from "../../../scripts/faults/json-client.ts";

/** An account that was told of the job 1 and got two reads, with one submission left unanswered. */
function load(): AccountLoad {
  const account = { id: "ann", key: "" };
  const made = new AccountLoad({ account, client: new JsonClient(), uniform: () => 0 });
  made.jobs.add(1);
  made.counts.reads = 2;
  made.counts.submissionsLost = 1;
  return made;
}

const job = (id: number, more: Partial<BookedJob> = {}): BookedJob => ({
  id,
  status: "done",
  keyed: false,
  ...more,
});

describe("the book of an account", () => {
  test.each([
    ["each answer was charged once", [job(1)], 12],
    ["a submission without an answer made a job", [job(1), job(2)], 22],
    ["a failed job was refunded", [job(1), job(2, { status: "error" })], 12],
  ])("balances where %s", (_, jobs, used) => {
    expect(accountBook(load(), jobs, used).faults).toEqual([]);
  });

  test.each([
    ["a read is not charged", [job(1)], 11],
    ["a read is charged twice", [job(1)], 13],
    ["a failed job is not refunded", [job(1), job(2, { status: "error" })], 22],
    ["an accepted job is lost", [], 2],
    ["a key has made another job", [job(1), job(2, { keyed: true })], 22],
    ["more jobs are there than were submitted", [job(1), job(2), job(3)], 32],
  ])("does not where %s", (_, jobs, used) => {
    expect(accountBook(load(), jobs, used).faults).toHaveLength(1);
  });
});
