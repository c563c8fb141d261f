import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  BUILT_IN_PLANS,
  checkPlan,
  parsePlans,
  planForKey,
  readPlans,
} from "../../accounts/plans.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const folder = temporaryFolder("plans");

const ROW = {
  name: "load",
  price_usd: null,
  calls_per_month: 1_000_000_000,
  rate_per_minute: 10_000_000,
  backtest_units: 10,
  concurrent_runs: 4,
};

const fileOf = (...plans: unknown[]) => JSON.stringify({ plans });

describe("the plan table", () => {
  test("stays as it is without a file", () => {
    expect(readPlans(undefined)).toBe(BUILT_IN_PLANS);
  });

  test("gains and replaces plans by name from a file", () => {
    const file = join(folder, "plans.json");
    writeFileSync(file, fileOf(ROW, { ...ROW, name: "free", calls_per_month: 7 }));
    const plans = readPlans(file);
    expect([...plans.keys()]).toEqual(["free", "trial", "developer", "startup", "scale", "load"]);
    expect(plans.get("free")?.callsPerMonth).toBe(7);
    expect(plans.get("load")).toMatchObject({
      name: "load",
      priceUsd: null,
      callsPerMonth: 1_000_000_000,
      ratePerMinute: 10_000_000,
      backtestUnits: 10,
      concurrentRuns: 4,
      checkUnits: 1, // an older file does not say
    });
    expect(BUILT_IN_PLANS.get("free")?.callsPerMonth, "the built-in table is not touched").toBe(
      100,
    );
  });

  test.each([
    ["not JSON", "{", "is not JSON"],
    ["no object", "[]", "expected object"],
    ["no plans", "{}", "plans: "],
    ["an empty list", fileOf(), "plans: "],
    ["an unknown top member", JSON.stringify({ plans: [ROW], plan: 1 }), '"plan"'],
    ["an unknown member", fileOf({ ...ROW, price: 1 }), '"price"'],
    ["a missing member", fileOf({ ...ROW, price_usd: undefined }), "plans[0].price_usd"],
    ["a text for a number", fileOf({ ...ROW, calls_per_month: "100" }), "plans[0].calls_per_month"],
    ["no calls", fileOf({ ...ROW, calls_per_month: 0 }), "plans[0].calls_per_month"],
    ["half a call", fileOf({ ...ROW, rate_per_minute: 1.5 }), "plans[0].rate_per_minute"],
    ["no runs", fileOf({ ...ROW, concurrent_runs: 0 }), "plans[0].concurrent_runs"],
    ["too many calls", fileOf({ ...ROW, calls_per_month: 1e12 + 1 }), "plans[0].calls_per_month"],
    ["too many a minute", fileOf({ ...ROW, rate_per_minute: 1e9 + 1 }), "plans[0].rate_per_minute"],
    ["too many runs", fileOf({ ...ROW, concurrent_runs: 10_001 }), "plans[0].concurrent_runs"],
    ["a negative price", fileOf({ ...ROW, price_usd: -1 }), "plans[0].price_usd"],
    ["a bad name", fileOf(ROW, { ...ROW, name: "Big Plan" }), "plans[1].name"],
    ["free checks", fileOf({ ...ROW, check_units: 0 }), "plans[0].check_units"],
    ["half of backtests", fileOf({ ...ROW, concurrent_runs: null }), "both"],
    ["a name twice", fileOf(ROW, ROW), 'names "load" twice'],
  ])("refuses a file with %s, in one line that says where", (_, text, expected) => {
    expect(() => parsePlans(text, "plans.json")).toThrow(
      expect.objectContaining({ code: "bad_plans" }),
    );
    expect(() => parsePlans(text, "plans.json")).toThrow(/^the plan file "plans\.json"[^\n]+$/);
    expect(() => parsePlans(text, "plans.json")).toThrow(expected);
  });

  test.each([
    ["smallest", { price_usd: 0, calls: 1, rate: 1, runs: 1 }],
    ["largest", { price_usd: 0.5, calls: 1e12, rate: 1e9, runs: 10_000 }],
  ])("takes the %s numbers", (_, { price_usd, calls, rate, runs }) => {
    const row = { name: "odd", price_usd, calls_per_month: calls, rate_per_minute: rate };
    const units = { backtest_units: calls, check_units: calls };
    const text = fileOf({ ...row, ...units, concurrent_runs: runs });
    expect(parsePlans(text, "plans.json").get("odd")).toMatchObject({
      name: "odd",
      priceUsd: price_usd,
      callsPerMonth: calls,
      ratePerMinute: rate,
      backtestUnits: calls,
      concurrentRuns: runs,
      checkUnits: calls,
    });
  });

  test.each([
    [3, /: plans\[0\]\.name: [^;]+; plans\[1\]\.name: [^;]+; plans\[2\]\.name: [^;]+$/],
    [5, /; plans\[2\]\.name: [^;]+; and 2 more$/],
  ])("says of %i faults what the first three are", (count, expected) => {
    const rows = Array.from({ length: count }, () => ({ ...ROW, name: "Big Plan" }));
    expect(() => parsePlans(fileOf(...rows), "plans.json")).toThrow(expected);
  });

  test("takes a file that begins with a mark of its encoding", () => {
    expect(parsePlans(`\uFEFF${fileOf(ROW)}`, "plans.json").has("load")).toBe(true);
  });

  test("refuses a file that is not there", () => {
    expect(() => readPlans(join(folder, "none.json"))).toThrow(
      /^cannot read the plan file ".*none\.json"$/,
    );
  });

  test("names the plans there are when one is not", () => {
    expect(() => checkPlan(BUILT_IN_PLANS, "gold")).toThrow(
      'no plan "gold": the plans are free, trial',
    );
    expect(checkPlan(BUILT_IN_PLANS, "scale").name).toBe("scale");
  });

  test("gives test keys the free plan's calls, the account's rate and no backtests", () => {
    const scale = checkPlan(BUILT_IN_PLANS, "scale");
    const more = { ...scale, soldFromTomorrow: true };
    expect(planForKey(BUILT_IN_PLANS, more, "live")).toBe(more);
    expect(planForKey(BUILT_IN_PLANS, more, "test")).toEqual({
      ...scale,
      callsPerMonth: 100,
      backtestUnits: null,
      concurrentRuns: null,
    });
  });
});
