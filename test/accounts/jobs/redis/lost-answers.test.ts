import { afterEach, beforeEach, expect, test } from "vitest";
import { TcpProxy } from "../../../../scripts/faults/tcp-proxy.ts";
import { AccountsUnavailable, type Caller } from "../../../../accounts/accounts.ts";
import type { JobProcess } from "../../../support/job-bench.ts";
import {
  acceptedId,
  FAILURE,
  jobBenchOfEachTest,
  submissionOf,
} from "../../../support/job-steps.ts";
import { RedisJobBench, untilItAnswers } from "../../../support/redis-job-bench.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";

/** A process that submits through a proxy of its own. */
interface Far {
  readonly proxy: TcpProxy;
  readonly jobs: JobProcess;
}

/** The answers of both are lost: the first was accepted, the second repeats its key. */
let far: Far;
let second: Far;
let ann: Caller;

describeOnRedis("the job store on Redis whose answer is lost", () => {
  // Runs after the bench is closed, because hooks run in reverse order: the bench's processes use the proxies.
  afterEach(async () => {
    for (const { proxy } of [far, second]) await proxy.close();
  });

  const redis = redisOfTests();
  const { bench, jobs } = jobBenchOfEachTest(() => RedisJobBench.on(redis()));

  async function farAway(): Promise<Far> {
    const proxy = await TcpProxy.to(Number(new URL(redis().address).port));
    return { proxy, jobs: await bench().process({ address: `redis://127.0.0.1:${proxy.port}` }) };
  }

  /** A submission that Redis decides and whose answer is lost. */
  async function submitUnheard(from: Far): Promise<void> {
    from.proxy.mode = "lose answers";
    const lost = from.jobs.submit(submissionOf(bench(), ann, "k"));
    await expect(lost).rejects.toThrow(AccountsUnavailable);
  }

  /** Lets a process reconnect, which undoes lost submissions. */
  async function settle(who: Far): Promise<void> {
    who.proxy.mode = "pass";
    await untilItAnswers(who.jobs);
  }

  beforeEach(async () => {
    far = await farAway();
    second = await farAway();
    ann = await bench().caller("scale");
    await submitUnheard(far);
  });

  test("undoes an acceptance whose answer was lost", async () => {
    expect(await bench().used(ann), "it was accepted").toBe(10);
    await settle(far);
    expect(await bench().used(ann)).toBe(0);
    expect(await jobs().underWay(ann.accountId)).toBe(0);
    acceptedId(await jobs().submit(submissionOf(bench(), ann, "k")));
  });

  test("undoes it as it is closed", async () => {
    far.proxy.mode = "pass";
    await bench().leave(far.jobs);
    expect(await bench().used(ann)).toBe(0);
  });

  test.each([
    ["a repeat of its key was", () => []],
    ["one of two repeats was", () => [second]],
  ])("leaves it where %s answered in the meantime", async (_, unheard) => {
    for (const each of unheard()) await submitUnheard(each);
    const repeat = await jobs().submit(submissionOf(bench(), ann, "k"));
    expect(repeat.kind).toBe("repeated");
    for (const each of [far, ...unheard()]) await settle(each);
    expect(await bench().used(ann)).toBe(10);
    expect(await jobs().underWay(ann.accountId)).toBe(1);
  });

  test.each([
    ["first", () => [far, second]],
    ["last", () => [second, far]],
  ])("undoes it where a repeat was not heard either, the acceptance %s", async (_, order) => {
    await submitUnheard(second);
    const [one, other] = order();
    await settle(one!); // there are two
    expect(await bench().used(ann), "the other may be answered yet").toBe(10);
    await settle(other!);
    expect(await bench().used(ann)).toBe(0);
    expect(await bench().backtestsOf(ann)).toBeUndefined();
    expect(await jobs().counts()).toEqual({ queued: 0, running: 0 });
  });

  test("takes it to be heard of behind more repeats than it lists", async () => {
    for (let repeats = 0; repeats < 70; repeats++) {
      await jobs().submit(submissionOf(bench(), ann, "k"));
    }
    const [job = ""] = await bench().client.keys("hs:job:*");
    const fields = await bench().client.hkeys(job);
    expect(fields.filter((field) => field.startsWith("told:"))).toHaveLength(64);
    await settle(far);
    expect(await bench().used(ann)).toBe(10);
  });

  test("undoes it, call and all, where it has ended in error by then", async () => {
    const job = await jobs().claim(bench().clock.wallMs);
    expect(await jobs().finish(job!, FAILURE, bench().clock.wallMs)).toBe(true); // it waits
    expect(await bench().backtestsOf(ann)).toEqual({ calls: 1, units: 0 });
    await settle(far);
    expect(await bench().backtestsOf(ann)).toBeUndefined();
    expect(await bench().used(ann)).toBe(0);
    expect(await bench().client.keys("hs:job:*")).toEqual([]);
  });
});
