import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { AccountsUnavailable } from "../../../../accounts/accounts.ts";
import { jobSnapshotsContract } from "../../../support/job-snapshots-contract.ts";
import {
  DAY_MS,
  FAILURE,
  jobBenchOfEachTest,
  RESULT,
  submissionOf,
} from "../../../support/job-steps.ts";
import { jobStoreContract } from "../../../support/job-store-contract.ts";
import { triedSetsContract } from "../../../support/tried-sets-contract.ts";
import { jobTurnsContract } from "../../../support/job-turns-contract.ts";
import { RedisJobBench, untilItAnswers } from "../../../support/redis-job-bench.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";

/** The name of a published snapshot. */
const OLDER = "2022-06-17T20220618T001000000Z-0123456789ab";
const HALF_MINUTE_MS = 30_000;
/** Less than the longest pause of a process after which it still counts absences. */
const LOOK_MS = 9_000;

describeOnRedis("the job store on Redis", () => {
  const redis = redisOfTests();
  const onRedis = () => RedisJobBench.on(redis());

  jobStoreContract(onRedis, "backtest");
  jobStoreContract(onRedis, "study");
  triedSetsContract(onRedis);
  jobTurnsContract(onRedis);
  jobSnapshotsContract(onRedis);

  describe("keeps jobs so that", () => {
    const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(onRedis);

    test("an ended one goes by itself after 30 days, a key after 24 hours, one under way never", async () => {
      const ann = await bench().caller("scale");
      const [done, failed, waits] = [await take(ann, "k"), await take(ann), await take(ann)];
      await jobs().finish(await claimed(), RESULT, now());
      await jobs().finish(await claimed(), FAILURE, now());
      for (const id of [done, failed]) {
        const left = await bench().client.pttl(`hs:job:${id}`);
        expect(left).toBeGreaterThan(30 * DAY_MS - HALF_MINUTE_MS);
        expect(left).toBeLessThanOrEqual(30 * DAY_MS);
      }
      expect(await bench().client.pttl(`hs:job:${waits}`)).toBe(-1);
      const [key] = await bench().client.keys("hs:jobs:key:*");
      const left = await bench().client.pttl(key!); // there is one, because a key was sent
      expect(left).toBeGreaterThan(DAY_MS - HALF_MINUTE_MS);
      expect(left).toBeLessThanOrEqual(DAY_MS);
    });

    test("nothing else is left of jobs that ended", async () => {
      const ann = await bench().caller("scale");
      for (let count = 0; count < 3; count++) await take(ann);
      for (let count = 0; count < 3; count++) await jobs().finish(await claimed(), RESULT, now());
      const keys = await bench().client.keys("hs:jobs:*");
      expect(keys.sort()).toEqual([
        "hs:jobs:all:acct1", // it lists them as long as they can be polled
        "hs:jobs:beat",
        "hs:jobs:fence:process-1",
        "hs:jobs:holders:s1",
        "hs:jobs:processes",
        "hs:jobs:turn",
      ]);
    });

    test("a plan that changes between authentication and submission is the one in force", async () => {
      const ann = await bench().caller("developer"); // allows one run at once
      await take(ann);
      await bench().setPlan(ann, "startup"); // allows three
      await take(ann);
      await bench().setPlan(ann, "developer");
      const outcome = await jobs().submit(submissionOf(bench(), ann));
      expect(outcome).toEqual({ kind: "concurrency_exceeded", running: 2 });
    });

    test("only those of a process that leaves in order go back", async () => {
      const other = await bench().process();
      const ann = await bench().caller("scale");
      const [first, second] = [await take(ann), await take(ann)];
      const mine = await claimed(other);
      await claimed();
      await bench().leave(jobs());
      expect(mine.id).toBe(first);
      expect(await claimed(other)).toMatchObject({ id: second, attempt: 2 });
      expect(await other.finish(mine, RESULT, now())).toBe(true);
    });

    test("one waits five minutes anew where its snapshot was there for a moment", async () => {
      const other = await bench().processWith("s2");
      const watch = async (ms: number) => {
        for (let left = ms; left > 0; left -= LOOK_MS) {
          await other.recover(now());
          bench().waitOut(Math.min(left, LOOK_MS));
        }
        await other.recover(now());
      };
      await take(await bench().caller("scale"));
      await bench().leave(jobs());
      await watch(8 * HALF_MINUTE_MS);
      const back = await bench().process();
      await back.recover(now());
      await other.recover(now());
      await bench().leave(back);
      await watch(8 * HALF_MINUTE_MS);
      expect(await other.claim(now())).toBeUndefined();
      await watch(2 * HALF_MINUTE_MS + 2_000);
      await claimed(other);
    });

    test("leases begin anew when it was Redis that was away", async () => {
      const other = await bench().process();
      await take(await bench().caller("developer"));
      const job = await claimed(other);
      for (const each of [jobs(), other]) await bench().lose(each);
      await bench().client.set("hs:jobs:beat", Date.now() - 20_000);
      expect(await jobs().recover(now())).toBe(0);
      expect(await other.finish(job, RESULT, now())).toBe(true);
    });

    test("a lease begins anew at every beat of its process", async () => {
      const other = await bench().process();
      await take(await bench().caller("developer"));
      await claimed();
      await bench().client.zadd("hs:jobs:processes", Date.now() + 50, "process-1");
      await Promise.all([jobs().recover(now()), sleep(60)]);
      expect(await other.recover(now())).toBe(0);
    });

    test("a lease from a clock that was ahead is as short as the others", async () => {
      await bench().client.zadd("hs:jobs:processes", Date.now() + DAY_MS, "killed");
      await jobs().recover(now());
      const endMs = await bench().client.zscore("hs:jobs:processes", "killed");
      expect(Number(endMs)).toBeLessThanOrEqual(Date.now() + 6_000);
    });

    test("a process that stood still and claims again is one of them again", async () => {
      const other = await bench().process();
      await bench().lose(jobs());
      await other.recover(now());
      await take(await bench().caller("developer"));
      await claimed();
      expect(await other.recover(now())).toBe(0);
      await bench().lose(jobs());
      expect(await other.recover(now())).toBe(1);
    });

    test("a lost job whose record is gone, too, holds up none of the others", async () => {
      const other = await bench().process();
      const ann = await bench().caller("scale");
      const gone = await take(ann);
      await take(ann);
      for (let count = 0; count < 2; count++) await claimed();
      await bench().client.del(`hs:job:${gone}`); // evicted, or removed by hand
      await bench().lose(jobs());
      expect(await other.recover(now())).toBe(1);
      expect(await other.counts()).toEqual({ queued: 1, running: 0 });
      expect(await bench().client.keys("hs:jobs:of:*")).toEqual([]);
      expect(await bench().client.zrange("hs:jobs:processes", "0", "-1")).toEqual(["process-2"]);
    });

    test("one whose connection has been replaced is taken in on the next, once", async () => {
      const ann = await bench().caller("developer");
      await bench().client.incr("hs:jobs:fence:process-1"); // as if there were a newer connection
      await take(ann);
      expect(await bench().used(ann)).toBe(10);
    });

    test("another process is woken when a job waits", async () => {
      const other = await bench().process();
      const woken = new Promise<void>((resolve) => other.onWork?.(() => resolve()));
      await sleep(100); // until it listens
      await take(await bench().caller("developer"));
      await expect(woken).resolves.toBeUndefined();
    });
  });

  describe("hands jobs to processes that have their snapshot:", () => {
    const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(onRedis);

    test("one that has several takes all their jobs in turn", async () => {
      bench().publish(OLDER);
      await jobs().recover(now());
      const ann = await bench().caller("scale");
      await take(ann);
      await jobs().submit({ ...submissionOf(bench(), ann), snapshotId: OLDER });
      await take(ann);
      expect(await claimed()).toMatchObject({ snapshotId: "s1" });
      expect(await jobs().counts()).toEqual({ queued: 2, running: 1 });
      expect(await claimed()).toMatchObject({ snapshotId: OLDER });
    });

    test("what the others say they have is forgotten with their lease", async () => {
      await jobs().recover(now());
      const left = await bench().client.pttl("hs:jobs:holders:s1");
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThanOrEqual(6_000);
    });
  });

  describe("that cannot answer", () => {
    const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(onRedis);

    afterEach(async () => {
      redis().signal("SIGCONT");
      await bench().client.config("SET", "maxmemory", "0");
    });

    test("refuses within a quarter of a second, and what it reads later changes nothing", async () => {
      const ann = await bench().caller("scale");
      redis().signal("SIGSTOP");
      const startedMs = performance.now();
      const asked = Array.from({ length: 5 }, async () =>
        jobs().submit(submissionOf(bench(), ann)),
      );
      const outcomes = await Promise.allSettled(asked);
      expect(performance.now() - startedMs).toBeLessThan(600);
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({ reason: expect.any(AccountsUnavailable) });
      }
      await expect(jobs().find(1, ann.accountId)).rejects.toThrow(AccountsUnavailable);
      await expect(jobs().submit(submissionOf(bench(), ann))).rejects.toThrow(AccountsUnavailable);
      await sleep(300);
      redis().signal("SIGCONT");
      await untilItAnswers(jobs());
      expect(await jobs().counts()).toEqual({ queued: 0, running: 0 });
      expect(await bench().used(ann)).toBe(0);
      await take(ann);
    });

    test("refuses when its memory is full, and charges nothing", async () => {
      const ann = await bench().caller("scale");
      await bench().client.config("SET", "maxmemory", "1");
      await expect(jobs().submit(submissionOf(bench(), ann))).rejects.toThrow(AccountsUnavailable);
      await bench().client.config("SET", "maxmemory", "0");
      expect(await bench().used(ann)).toBe(0);
      await take(ann);
    });

    test("takes a job back, or its result, once there is room again", async () => {
      await take(await bench().caller("scale"));
      const first = await claimed();
      await bench().client.config("SET", "maxmemory", "1");
      await expect(jobs().release(first, "again")).rejects.toThrow(AccountsUnavailable);
      await bench().client.config("SET", "maxmemory", "0");
      await jobs().release(first, "again");
      const second = await claimed();
      await bench().client.config("SET", "maxmemory", "1");
      await expect(jobs().finish(second, RESULT, now())).rejects.toThrow(AccountsUnavailable);
      await bench().client.config("SET", "maxmemory", "0");
      expect(await jobs().finish(second, RESULT, now())).toBe(true);
    });
  });
});
