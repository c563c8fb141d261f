import { expect, test } from "vitest";
import { type Plan, BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import {
  KEYLESS_PER_MINUTE,
  largeBytesOf,
  ByteLimit,
  NetworkRate,
} from "../../../server/requests/limits.ts";

const MIB = 1024 * 1024;
const SCALE = BUILT_IN_PLANS.get("scale")!; // it is on the price list
interface Caller {
  readonly accountId: string;
  readonly plan: Plan;
}
const caller = (accountId: string, plan: Plan = SCALE): Caller => ({ accountId, plan });

function admit(large: ByteLimit, of: Caller, bytes: number, nowMs = 0): number {
  return large.admit(of.accountId, bytes, largeBytesOf(of.plan), nowMs);
}

/** How many answers of a length an account gets at one instant. */
function admitted(large: ByteLimit, of: Caller, bytes: number, nowMs = 0): number {
  let count = 0;
  while (count < 1000 && admit(large, of, bytes, nowMs) === 0) count++;
  return count;
}

test("an account gets some 32 MiB of large answers in ten seconds, then waits for the next ten", () => {
  const large = new ByteLimit();
  expect(admitted(large, caller("one"), MIB, 5500)).toBe(32);
  expect(admit(large, caller("one"), MIB, 5500)).toBe(5);
  expect(admit(large, caller("one"), MIB, 9999)).toBe(1);
  expect(admit(large, caller("one"), MIB, 10_000)).toBe(0);
});

test("another account is not affected, and short answers are not counted", () => {
  const large = new ByteLimit();
  admitted(large, caller("one"), MIB);
  expect(admitted(large, caller("two"), 8 * MIB)).toBe(4);
  expect(admitted(large, caller("one"), 64 * 1024 - 1)).toBe(1000);
});

test("a plan with a higher rate than any on the price list gets more", () => {
  const plan = { ...SCALE, ratePerMinute: 6000 };
  expect(admitted(new ByteLimit(), caller("one", plan), MIB)).toBe(328);
});

test("a network gets 600 requests in a minute of the clock, and another is not affected", () => {
  const rate = new NetworkRate(KEYLESS_PER_MINUTE);
  const counted = Array.from({ length: 601 }, () => rate.admit(["one"], 59_000));
  expect(counted.slice(0, 600).every((seconds) => seconds === 0)).toBe(true);
  expect(counted[600]).toBe(1);
  expect(rate.admit(["one"], 45_000)).toBe(15);
  expect(rate.admit(["two"], 45_000)).toBe(0);
  expect(rate.admit(["one"], 60_000)).toBe(0);
});

test("beyond 100,000 networks in a minute, the others are counted as one", () => {
  const rate = new NetworkRate(KEYLESS_PER_MINUTE);
  for (let network = 0; network < 100_000; network++) rate.admit([`n${network}`], 0);
  const others = Array.from({ length: 601 }, (_, at) => rate.admit([`other${at}`], 0));
  expect(others.filter((seconds) => seconds > 0)).toEqual([60]);
  expect(rate.admit(["n5"], 0)).toBe(0);
});

test("a site gets five times as many as a network, and a provider 25 times, and what is refused counts for nobody", () => {
  const rate = new NetworkRate(KEYLESS_PER_MINUTE);
  const many = (count: number, networkOf: (n: number) => readonly string[]) =>
    Array.from({ length: count }, (_, n) => rate.admit(networkOf(n), 0)).filter((s) => s === 0);
  expect(many(100_000, () => ["one", "site", "provider"])).toHaveLength(600);
  expect(many(10_000, (n) => [`n${n}`, "site", "provider"])).toHaveLength(2400);
  expect(many(20_000, (n) => [`m${n}`, `site ${n % 99}`, "provider"])).toHaveLength(12_000);
  expect(many(10, (n) => [`o${n}`, "site", "provider"])).toHaveLength(0);
  expect(many(10, (n) => [`o${n}`, "another site", "another provider"])).toHaveLength(10);
});
