import { describe, expect, test } from "vitest";
import { AccountLoad } from "../../../scripts/faults/account-load.ts";
import { JsonClient } from "../../../scripts/faults/json-client.ts";
import { usageAudit } from "../../../scripts/faults/usage-audit.ts";

/** What /usage shows of two reads, a job that is done and one that ended in error, unless changed. */
function shown({ used = 12, running = 0, reads = 2, jobs = 2, units = 10 } = {}) {
  const calls = [
    { endpoint: "/signals", calls: reads, units: reads },
    { endpoint: "/backtests", calls: 1, units: 0 },
    { endpoint: "/studies", calls: jobs - 1, units },
  ];
  return { quota: { used }, backtests_running: running, calls };
}

/** An account that was told of both jobs, with a read and a submission left unanswered. */
function faultsOf(usage: Parameters<typeof shown>[0], used = 12): readonly string[] {
  const load = new AccountLoad({
    account: { id: "ann", key: "" },
    client: new JsonClient(),
    uniform: () => 0,
  });
  load.jobs.set(1, "/v1/backtests").set(2, "/v1/studies");
  load.doneRuns = 1;
  Object.assign(load.counts, { reads: 2, readsLost: 1, submissionsLost: 1 });
  load.usage = shown(usage);
  return usageAudit(load, used).faults;
}

describe("the usage of an account after a load", () => {
  test.each([
    ["each answer was charged once", {}, 12],
    ["a lost read was charged", { used: 13, reads: 3 }, 13],
    ["a lost submission made a job", { used: 22, jobs: 3, units: 20 }, 22],
    ["a lost submission made a job as dear as two", { used: 32, jobs: 3, units: 30 }, 32],
    ["a lost submission made a job that failed", { jobs: 3 }, 12],
  ])("balances where %s", (_, usage, used) => {
    expect(faultsOf(usage, used)).toEqual([]);
  });

  test.each([
    ["a read is not charged", { used: 11, reads: 1 }, 11],
    ["a read is charged twice", { used: 14, reads: 4 }, 14],
    ["a failed job is not refunded", { used: 22, units: 20 }, 22],
    ["a job's call is lost", { jobs: 1 }, 12],
    ["more jobs are there than were submitted", { jobs: 4 }, 12],
    ["the command line shows another figure", {}, 13],
    ["the calls do not add up", { reads: 3 }, 12],
    ["a job is under way", { running: 1 }, 12],
    ["a run is paid in part", { used: 17, jobs: 3, units: 15 }, 17],
  ])("does not where %s", (_, usage, used) => {
    expect(faultsOf(usage, used).length).toBeGreaterThan(0);
  });
});
