import { expect, test } from "vitest";
import { jobBenchOfEachTest, RESULT } from "../../../support/job-steps.ts";
import { RedisJobBench } from "../../../support/redis-job-bench.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";

describeOnRedis("a process that may have lost jobs in Redis", () => {
  const redis = redisOfTests();
  const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(() => RedisJobBench.on(redis()));

  test("undoes a claim whose answer never arrived at the next beat", async () => {
    const ann = await bench().caller("scale");
    const ids = [await take(ann), await take(ann)];
    const amnesiac = await bench().process({ name: "process-1" });
    for (const id of ids) expect((await claimed()).id).toBe(id);
    expect(await jobs().recover(now()), "it knows of the jobs").toBe(0);
    expect(await amnesiac.recover(now())).toBe(2);
    expect((await claimed()).attempt).toBe(2);
  });

  test("undoes it, too, where it had the job before", async () => {
    const other = await bench().process();
    const amnesiac = await bench().process({ name: "process-1" });
    await take(await bench().caller("developer"), undefined, other);
    await jobs().release(await claimed(), "again");
    await claimed(amnesiac);
    expect(await jobs().recover(now()), "given back").toBe(1);
    const late = await claimed();
    await bench().lose(jobs());
    await other.recover(now());
    expect(await jobs().finish(late, RESULT, now())).toBe(false);
    await claimed(amnesiac);
    expect(await jobs().recover(now()), "taken away").toBe(1);
  });

  test("keeps a claim when it ends an earlier one of the same job, which it lost", async () => {
    const other = await bench().process();
    await take(await bench().caller("developer"));
    const lost = await claimed();
    await bench().lose(jobs()); // it stood still
    expect(await other.recover(now())).toBe(1);
    const second = await claimed();
    expect(await jobs().finish(lost, RESULT, now())).toBe(false);
    expect(await jobs().recover(now()), "it is at work on the second").toBe(0);
    expect(await jobs().finish(second, RESULT, now())).toBe(true);
  });

  test("undoes a claim whose answer never arrived while it is still at one it lost", async () => {
    const other = await bench().process();
    const amnesiac = await bench().process({ name: "process-1" });
    await amnesiac.claim(now()); // so that its next claim is not of the same number as the other's first
    await take(await bench().caller("developer"), undefined, other);
    await claimed();
    await bench().lose(jobs()); // it stood still
    await other.recover(now());
    expect((await claimed(amnesiac)).attempt).toBe(2);
    expect(await jobs().recover(now())).toBe(1);
  });
});
