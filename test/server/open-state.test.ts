import { expect, test } from "vitest";
import { freePort } from "../../scripts/support/free-port.ts";
import { BUILT_IN_PLANS } from "../../server/accounts/plans.ts";
import { openState } from "../../server/open-state.ts";
import { openLog } from "../../server/process/open-log.ts";
import { FakeClock } from "../support/fake-clock.ts";

test("state in a Redis that is out of reach is not opened, so that the start fails", async () => {
  const opening = openState({
    state: `redis://127.0.0.1:${await freePort()}`,
    plans: BUILT_IN_PLANS,
    clock: { nowMs: new FakeClock().nowMs, monotonicMs: () => performance.now() },
    log: openLog({ level: "silent" }),
  });
  await expect(opening).rejects.toThrow("ECONNREFUSED");
});
