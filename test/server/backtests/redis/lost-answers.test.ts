import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TcpProxy } from "../../../../scripts/faults/tcp-proxy.ts";
import { AccountsUnavailable, type Caller } from "../../../../server/accounts/accounts.ts";
import type { JobHome } from "../../../../server/backtests/job-store.ts";
import { acceptedId, jobBenchOfEachTest, submissionOf } from "../../../support/job-steps.ts";
import { RedisJobBench, untilItAnswers } from "../../../support/redis-job-bench.ts";
import { describeOnRedis, redisOfTests } from "../../../support/redis-server.ts";

/** The time between a lost answer and the beat that undoes its submission. */
const UNHEARD_MS = 1_100;

let proxy: TcpProxy;
/** The process that submitted and heard nothing. */
let far: JobHome;
let ann: Caller;
let notes: string;

describeOnRedis("the job store on Redis whose answer is lost", () => {
  // After the bench, whose processes are behind the proxy: what is registered first runs last.
  afterEach(async () => {
    await proxy.close();
    rmSync(notes, { recursive: true, force: true });
  });

  const redis = redisOfTests();
  const { bench, jobs } = jobBenchOfEachTest(() => RedisJobBench.on(redis()));

  beforeEach(async () => {
    notes = mkdtempSync(join(tmpdir(), "hindsight-notes-"));
    proxy = await TcpProxy.to(Number(new URL(redis().address).port));
    far = await bench().process({ address: `redis://127.0.0.1:${proxy.port}`, notes });
    ann = await bench().caller("scale");
    proxy.mode = "lose answers";
    const lost = Promise.resolve(far.submit(submissionOf(bench(), ann, "k")));
    const outcome = await lost.catch((error: unknown) => error);
    if (!(outcome instanceof AccountsUnavailable)) throw new Error("an answer came through");
    proxy.mode = "pass";
  });

  test("undoes an acceptance that nobody was told about", async () => {
    expect(await bench().used(ann), "it was accepted").toBe(10);
    await sleep(UNHEARD_MS);
    await untilItAnswers(far);
    expect(await bench().used(ann)).toBe(0);
    expect(await jobs().underWay(ann.accountId)).toBe(0);
    acceptedId(await jobs().submit(submissionOf(bench(), ann, "k")));
  });

  test("has it undone by the next server where the process is killed first", async () => {
    proxy.mode = "lose answers"; // for good
    expect(readdirSync(notes)).toEqual([expect.stringMatching(/^jobs-[0-9a-f]+\.json$/)]);
    const next = await bench().process({ notes });
    await sleep(UNHEARD_MS);
    await untilItAnswers(next);
    expect(await bench().used(ann)).toBe(0);
    expect(await next.counts()).toEqual({ queued: 0, running: 0 });
  });

  test("undoes it as it is closed, where nobody else would", async () => {
    rmSync(notes, { recursive: true });
    await sleep(UNHEARD_MS);
    await vi.waitFor(() => far.counts(), { timeout: 5_000 });
    await bench().leave(far);
    expect(await bench().used(ann)).toBe(0);
  });

  test("leaves it where a repeat of its key was answered in the meantime", async () => {
    const repeat = await jobs().submit(submissionOf(bench(), ann, "k"));
    expect(repeat.kind).toBe("repeated");
    await sleep(UNHEARD_MS);
    await untilItAnswers(far);
    expect(await bench().used(ann)).toBe(10);
    expect(await jobs().underWay(ann.accountId)).toBe(1);
  });
});
