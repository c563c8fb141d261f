import { describe, expect, test } from "vitest";
import { shownFaults, shownUsageOf } from "../../../scripts/faults/shown-usage.ts";

/** An account with two reads and two backtests, one of which ended in error. */
const DATA = {
  quota: { used: 12 },
  backtests_running: 0,
  calls: [
    { endpoint: "/signals", calls: 1, units: 1 },
    { endpoint: "/backtests", calls: 2, units: 10 },
    { endpoint: "/signals", calls: 1, units: 1 },
  ],
};
const STORED = { used: 12, jobs: 2, paid: 10 };

describe("the usage that an account is shown", () => {
  test("is right where it is what the store has", () => {
    expect(shownFaults("ann", shownUsageOf(DATA), STORED)).toEqual([]);
  });

  test.each([
    ["the month", { quota: { used: 22 } }, 1],
    ["a run under way", { backtests_running: 1 }, 1],
    ["the calls of backtests", { calls: [{ endpoint: "/backtests", calls: 3, units: 12 }] }, 2],
    ["the units of a day", { calls: [...DATA.calls, { endpoint: "/dca", calls: 1, units: 1 }] }, 1],
  ])("is not where it differs in %s", (_, changed, faults) => {
    expect(shownFaults("ann", shownUsageOf({ ...DATA, ...changed }), STORED)).toHaveLength(faults);
  });
});
