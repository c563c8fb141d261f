import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../../scripts/support/free-port.ts";
import { BUILT_IN_PLANS } from "../../accounts/plans.ts";
import { openState } from "../../accounts/open-state.ts";
import { openLog } from "../../server/process/open-log.ts";
import { bearer } from "../support/bearer.ts";
import { FakeClock } from "../support/fake-clock.ts";
import { acceptedId, submissionOf } from "../support/job-steps.ts";
import { describeOnRedis, redisOfTests } from "../support/redis-server.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const fake = new FakeClock();
const clock = { nowMs: fake.nowMs, monotonicMs: () => performance.now() };
const log = openLog({ level: "silent" });
const opened = (state: string) => openState({ state, plans: BUILT_IN_PLANS, clock, log });

test("state in a Redis that is out of reach is not opened, so that the start fails", async () => {
  await expect(opened(`redis://127.0.0.1:${await freePort()}`)).rejects.toThrow("ECONNREFUSED");
});

describeOnRedis("state in a Redis", () => {
  const redis = redisOfTests();
  test("whose user may not queue jobs is not opened, and it says which right is missing", async () => {
    const client = redis().client();
    await client.call("ACL", "SETUSER", "ann", "on", ">secret", "~hs:*", "&*", "+@all", "-zadd");
    client.disconnect();
    const address = redis().address.replace("redis://", "redis://ann:secret@");
    await expect(opened(address)).rejects.toThrow(/may not run ZADD: .*redis\.md/);
  });
});

test("a job that an earlier server left running waits again, whether or not backtests run here", async () => {
  const file = join(temporaryFolder("open-state"), "state.db");
  const first = await opened(file);
  const { key } = await first.admin!.createAccount({ email: "ann@example.com", plan: "scale" });
  const caller = (await first.accounts.authenticate(bearer(key), clock.nowMs()))!; // just made
  const sent = submissionOf({ clock: fake }, caller);
  acceptedId(await first.jobs.submit(sent));
  expect(first.served!.claim(clock.nowMs(), [sent.snapshotId])).toBeDefined();
  expect(await first.jobs.counts()).toEqual({ queued: 0, running: 1 });
  await first.close();
  const second = await opened(file);
  expect(await second.jobs.counts()).toEqual({ queued: 1, running: 0 });
  await second.close();
});
