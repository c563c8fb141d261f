import { expect, test } from "vitest";
import { LEDGER_LUA } from "../../../../server/accounts/redis/ledger-lua.ts";
import { JOB_LUA } from "../../../../server/jobs/redis/job-lua.ts";
import { FAILURE, jobBenchOfEachTest } from "../../../support/job-steps.ts";
import { RedisJobBench } from "../../../support/redis-job-bench.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";

/** How servers of 2026-11-21 undo a job that nobody was told of. ARGV: its id. */
const EARLIER_WITHDRAWAL = `${JOB_LUA}${LEDGER_LUA}
local id = ARGV[1]
local job = redis.call('HMGET', jobKey(id), 'status', 'account', 'snapshot', 'process', 'keyed')
local paid = redis.call('HMGET', jobKey(id), 'ledger', 'period', 'units')
spend(paid[1], paid[2], -paid[3])
dequeue(id, job[3])
redis.call('ZREM', key('jobs:open:' .. job[2]), id)
if job[4] then redis.call('HDEL', key('jobs:of:' .. job[4]), id) end
if job[5] ~= '' and redis.call('HGET', job[5], 'job') == id then redis.call('DEL', job[5]) end
redis.call('DEL', jobKey(id))`;

/** What the contract of both stores leaves out: `job-store-contract.ts`. */
describeOnRedis("a job in Redis", () => {
  const redis = redisOfTests();
  const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(() => RedisJobBench.on(redis()));

  test("one that was taken in by a version that noted no calls is refunded all the same", async () => {
    const ann = await bench().caller("scale");
    await bench().client.hdel(`hs:job:${await take(ann)}`, "calls", "callsField");
    await jobs().finish(await claimed(), FAILURE, now());
    expect(await bench().used(ann)).toBe(0);
    expect(await bench().backtestsOf(ann)).toEqual({ calls: 1, units: 10 });
  });

  test.each([undefined, "k"])(
    "one that is undone by an earlier version is gone as a whole, with the key %s",
    async (key) => {
      const ann = await bench().caller("scale");
      const id = await take(ann, key);
      await bench().client.eval(EARLIER_WITHDRAWAL, 0, String(id));
      expect(await jobs().find(id, ann.accountId)).toBeUndefined();
      expect(await bench().used(ann)).toBe(0);
      expect(await take(ann, key), "a key whose job is gone counts for nothing").not.toBe(id);
    },
  );
});
