import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TcpProxy } from "../../../../scripts/faults/tcp-proxy.ts";
import { AccountsUnavailable, type Caller } from "../../../../server/accounts/accounts.ts";
import type { JobHome } from "../../../../server/jobs/job-store.ts";
import {
  acceptedId,
  FAILURE,
  jobBenchOfEachTest,
  submissionOf,
} from "../../../support/job-steps.ts";
import { RedisJobBench, untilItAnswers } from "../../../support/redis-job-bench.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";
import { untilItPasses } from "../../../support/until.ts";

/** The time between a lost answer and the beat that undoes its submission. */
const UNHEARD_MS = 1_100;

let proxy: TcpProxy;
/** The processes that submitted and heard nothing: the first was accepted, the second repeats its key. */
let far: JobHome;
let second: JobHome;
let ann: Caller;
let notes: string;
let notesOfSecond: string;

/** The beat that undoes what a process heard nothing of. */
async function settle(who: JobHome): Promise<void> {
  await sleep(UNHEARD_MS);
  await untilItAnswers(who);
}

describeOnRedis("the job store on Redis whose answer is lost", () => {
  // After the bench, whose processes are behind the proxy: what is registered first runs last.
  afterEach(async () => {
    await proxy.close();
    for (const each of [notes, notesOfSecond]) rmSync(each, { recursive: true, force: true });
  });

  const redis = redisOfTests();
  const { bench, jobs } = jobBenchOfEachTest(() => RedisJobBench.on(redis()));

  /** A submission that Redis decides and nobody hears of. */
  async function submitUnheard(from: JobHome): Promise<void> {
    proxy.mode = "lose answers";
    const lost = Promise.resolve(from.submit(submissionOf(bench(), ann, "k")));
    const outcome = await lost.catch((error: unknown) => error);
    if (!(outcome instanceof AccountsUnavailable)) throw new Error("an answer came through");
    proxy.mode = "pass";
  }

  beforeEach(async () => {
    notes = mkdtempSync(join(tmpdir(), "hindsight-notes-"));
    proxy = await TcpProxy.to(Number(new URL(redis().address).port));
    const address = `redis://127.0.0.1:${proxy.port}`;
    far = await bench().process({ address, notes });
    notesOfSecond = mkdtempSync(join(tmpdir(), "hindsight-notes-"));
    second = await bench().process({ address, notes: notesOfSecond });
    ann = await bench().caller("scale");
    await submitUnheard(far);
  });

  test("undoes an acceptance that nobody was told about", async () => {
    expect(await bench().used(ann), "it was accepted").toBe(10);
    await settle(far);
    expect(await bench().used(ann)).toBe(0);
    expect(await jobs().underWay(ann.accountId)).toBe(0);
    acceptedId(await jobs().submit(submissionOf(bench(), ann, "k")));
  });

  test("has it undone by the next server where the process is killed first", async () => {
    proxy.mode = "lose answers"; // for good
    expect(readdirSync(notes)).toEqual([expect.stringMatching(/^jobs-[0-9a-f]+\.json$/)]);
    const next = await bench().process({ notes });
    await settle(next);
    expect(await bench().used(ann)).toBe(0);
    expect(await next.counts()).toEqual({ queued: 0, running: 0 });
  });

  test("undoes it as it is closed, where nobody else would", async () => {
    rmSync(notes, { recursive: true });
    await sleep(UNHEARD_MS);
    await untilItPasses(() => far.counts());
    await bench().leave(far);
    expect(await bench().used(ann)).toBe(0);
  });

  test("leaves it where a repeat of its key was answered in the meantime", async () => {
    const repeat = await jobs().submit(submissionOf(bench(), ann, "k"));
    expect(repeat.kind).toBe("repeated");
    await settle(far);
    expect(await bench().used(ann)).toBe(10);
    expect(await jobs().underWay(ann.accountId)).toBe(1);
  });

  test.each([
    ["first", () => [far, second]],
    ["last", () => [second, far]],
  ])("undoes it where a repeat was not heard either, the acceptance %s", async (_, order) => {
    await untilItPasses(() => second.underWay(ann.accountId));
    await submitUnheard(second);
    const [one, other] = order();
    await settle(one!); // there are two
    expect(await bench().used(ann), "the other may be answered yet").toBe(10);
    await settle(other!);
    expect(await bench().used(ann)).toBe(0);
    expect(await bench().backtestsOf(ann)).toBeUndefined();
    expect(await jobs().counts()).toEqual({ queued: 0, running: 0 });
  });

  test("leaves it where one of two repeats was answered", async () => {
    await untilItPasses(() => second.underWay(ann.accountId));
    await submitUnheard(second);
    const repeat = await jobs().submit(submissionOf(bench(), ann, "k"));
    expect(repeat.kind).toBe("repeated");
    await settle(far);
    await settle(second);
    expect(await bench().used(ann)).toBe(10);
    expect(await jobs().underWay(ann.accountId)).toBe(1);
  });

  test("takes it to be heard of behind more repeats than it lists", async () => {
    for (let repeats = 0; repeats <= 64; repeats++) {
      await jobs().submit(submissionOf(bench(), ann, "k"));
    }
    const [job = ""] = await bench().client.keys("hs:job:*");
    expect(await bench().client.hget(job, "told")).toBe("1");
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
