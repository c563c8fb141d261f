import { expect, test } from "vitest";
import type { Caller } from "../../../server/accounts/accounts.ts";
import { type Plan, BUILT_IN_PLANS } from "../../../server/accounts/plans.ts";
import { largeBytesOf, ByteLimit } from "../../../server/requests/byte-limit.ts";

const MIB = 1024 * 1024;
const SCALE = BUILT_IN_PLANS.get("scale")!; // it is on the price list
const caller = (accountId: string, plan: Plan = SCALE): Caller => {
  return { accountId, keyId: "key", env: "live", plan };
};

function admit(large: ByteLimit, of: Caller, bytes: number, nowMs = 0): number {
  return large.admit(of.accountId, { bytes, limit: largeBytesOf(of.plan) }, nowMs);
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
