import { expect, test } from "vitest";
import type { ChargeOutcome } from "../../../../server/accounts/accounts.ts";
import { RedisCharges, type ChargesOptions } from "../../../../server/accounts/redis/charges.ts";

/** A process whose writer answers with this, whatever it is given. */
function chargesAnswered(answers: readonly number[] | undefined): RedisCharges {
  const clock = { nowMs: () => 0, monotonicMs: () => 0 };
  const plan = { name: "free", ratePerMinute: 10, callsPerMonth: 100 };
  const caller = { accountId: "acc_1", env: "live", plan };
  const known = { accountId: "acc_1", trialEndsMs: Infinity, caller };
  const options = {
    clock,
    redis: { ready: true, link: {} },
    directory: { keyOf: () => known },
    writer: { charge: () => Promise.resolve(answers) },
  };
  return new RedisCharges(options as unknown as ChargesOptions);
}

test("a defect on the way to Redis, or back, fails every request of the group", async () => {
  const charges = chargesAnswered(undefined);
  const outcomes: (ChargeOutcome | Error)[] = [];
  for (let each = 0; each < 2; each++) {
    charges.add({
      caller: {} as never, // `keyOf` above takes any
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
