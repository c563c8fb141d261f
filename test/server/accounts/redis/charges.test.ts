import { expect, test } from "vitest";
import type { ChargeOutcome } from "../../../../server/accounts/accounts.ts";
import { BUILT_IN_PLANS } from "../../../../server/accounts/plans.ts";
import { knownKeyOf } from "../../../../server/accounts/redis/known-key.ts";
import { RedisCharges, type ChargesOptions } from "../../../../server/accounts/redis/charges.ts";

/** A process whose writer answers with this, whatever it is given. */
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
  const key = { hash: "hash", keyId: "key_1", accountId: "acc_1", env: "live" } as const;
  const unused = { expiresMs: null, lastUsedMs: null };
  const { caller } = knownKeyOf({ ...key, ...unused }, ["free", "0", "1"], BUILT_IN_PLANS);
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
