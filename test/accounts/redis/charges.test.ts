import { expect, test } from "vitest";
import type { ChargeOutcome } from "../../../accounts/accounts.ts";
import { BUILT_IN_PLANS } from "../../../accounts/plans.ts";
import { AuthenticatedKey } from "../../../accounts/in-force.ts";
import { redisAccountOf } from "../../../accounts/redis/directory.ts";
import { RedisCharges, type ChargesOptions } from "../../../accounts/redis/charges.ts";

/** Charges whose writer always answers with this. */
function chargesAnswered(answers: readonly number[] | undefined): RedisCharges {
  const clock = { nowMs: () => 0, monotonicMs: () => 0 };
  const options = {
    clock,
    redis: { ready: true, link: {} },
    writer: { charge: () => Promise.resolve(answers) },
  };
  return new RedisCharges(options as unknown as ChargesOptions);
}

test("a defect on the way to Redis, or back, fails every request of the group", async () => {
  const charges = chargesAnswered(undefined);
  const key = { keyId: "key_1", env: "live", expiresMs: null, lastUsedMs: null } as const;
  const account = redisAccountOf("acc_1", ["free", "0", "1"], BUILT_IN_PLANS);
  const caller = new AuthenticatedKey(key, account);
  const outcomes: (ChargeOutcome | Error)[] = [];
  for (let each = 0; each < 2; each++) {
    charges.add({
      caller,
      units: 1,
      nowMs: 0,
      endpoint: "/dca",
      rate: undefined,
      connection: { open: true },
      settle: (outcome) => void outcomes.push(outcome),
    });
  }
  await expect.poll(() => outcomes).toEqual([expect.any(TypeError), expect.any(TypeError)]);
  expect(charges.pending).toBe(false);
});
