import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { gunzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import type { Caller } from "../../accounts/accounts.ts";
import type { JobKind } from "../../accounts/jobs/job.ts";
import type { JobBench } from "./job-bench.ts";
import {
  acceptedId,
  ASKED,
  DAY_MS,
  FAILURE,
  jobBenchOfEachTest,
  RESULT,
  submissionOf as submissionOfKind,
} from "./job-steps.ts";

/** Rules for jobs that hold wherever they are kept. */
export function jobStoreContract(open: () => JobBench | Promise<JobBench>, kind: JobKind): void {
  const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(open, kind);
  const submissionOf = (from: JobBench, who: Caller, key?: string) =>
    submissionOfKind(from, who, key, kind);
  const { request } = ASKED[kind];

  describe(`a ${kind}, wherever it is kept,`, () => {
    test("is charged at acceptance, runs, and keeps its result for its owner alone", async () => {
      const ann = await bench().caller("developer");
      const bob = await bench().caller("developer", "bob@example.com");
      const id = await take(ann);
      expect(await bench().used(ann)).toBe(10);
      const found = await jobs().find(id, ann.accountId);
      expect(found).toMatchObject({
        job: { id, accountId: ann.accountId, status: "queued", kind, request, snapshotId: "s1" },
        attribution: { snapshot: "s1" },
        result: null,
      });
      expect(found?.job).toMatchObject({ createdMs: now(), startedMs: null, finishedMs: null });
      expect(await jobs().counts()).toEqual({ queued: 1, running: 0 });
      bench().clock.pass(5);
      const job = await claimed();
      expect(job).toEqual({
        id,
        attempt: 1,
        losses: 0,
        snapshotId: "s1",
        kind,
        request,
        known: kind === "study" ? 2 : null,
        createdMs: now() - 5,
      });
      expect((await jobs().find(id, ann.accountId))?.job).toMatchObject({
        status: "running",
        startedMs: now(),
      });
      expect(await jobs().counts()).toEqual({ queued: 0, running: 1 });
      expect(await jobs().finish(job, RESULT, now())).toBe(true);
      const done = await jobs().find(id, ann.accountId);
      expect(done?.job).toMatchObject({ status: "done", finishedMs: now(), error: null });
      expect(gunzipSync(done!.result!).toString()).toBe('{"sharpe":1}');
      expect(await jobs().find(id, bob.accountId)).toBeUndefined();
      expect(await jobs().find(id + 1, ann.accountId)).toBeUndefined();
      expect(await jobs().counts()).toEqual({ queued: 0, running: 0 });
      expect(await bench().used(ann)).toBe(10);
    });

    test("is refunded when it ends in error, and only once", async () => {
      const ann = await bench().caller("developer");
      const id = await take(ann);
      const job = await claimed();
      expect(await jobs().finish(job, FAILURE, now())).toBe(true);
      expect(await bench().used(ann)).toBe(0);
      expect(await jobs().finish(job, FAILURE, now())).toBe(false);
      expect(await jobs().finish(job, RESULT, now())).toBe(false);
      expect(await bench().used(ann)).toBe(0);
      expect(await jobs().find(id, ann.accountId)).toMatchObject({
        job: { status: "error", error: FAILURE.error },
        result: null,
      });
    });

    test("stays in the use of its day as a call, of no units when it was refunded", async () => {
      const ann = await bench().caller("scale");
      for (let count = 0; count < 3; count++) await take(ann);
      expect(await bench().backtestsOf(ann)).toEqual({ calls: 3, units: 30 });
      bench().clock.pass(DAY_MS); // they end on another day than they were charged on
      await jobs().finish(await claimed(), FAILURE, now());
      await jobs().finish(await claimed(), RESULT, now());
      expect(await bench().backtestsOf(ann)).toEqual({ calls: 3, units: 20 });
      await bench().withdraw((await claimed()).id);
      const left = { calls: 2, units: 10 };
      expect(await bench().backtestsOf(ann), "its answer was lost").toEqual(left);
    });

    test("is refunded to the month that paid for it", async () => {
      const ann = await bench().caller("developer");
      await take(ann);
      const job = await claimed();
      bench().clock.pass(25 * DAY_MS); // into March
      await jobs().finish(job, FAILURE, now());
      expect(await bench().used(ann)).toBe(0);
      bench().clock.pass(-25 * DAY_MS);
      expect(await bench().used(ann)).toBe(0);
    });

    test("is one of at most as many as the plan runs at once, queued or running", async () => {
      const ann = await bench().caller("startup");
      for (let count = 0; count < 3; count++) await take(ann);
      const job = await claimed();
      const refused = { kind: "concurrency_exceeded", running: 3 };
      expect(await jobs().submit(submissionOf(bench(), ann))).toEqual(refused);
      expect(await bench().used(ann)).toBe(30);
      expect(await jobs().underWay(ann.accountId)).toBe(3);
      await jobs().finish(job, RESULT, now());
      expect(await jobs().underWay(ann.accountId)).toBe(2);
      await take(ann);
    });

    const taken = {
      kind: "accepted",
      decision: { charged: true, used: 10_000, quota: { remaining: 0 } },
    };
    const full = {
      kind: "quota_exceeded",
      decision: { charged: false, used: 9_991, quota: { limit: 10_000, remaining: 9 } },
    };
    test.each([
      ["taken in where the month holds its units and no more", 9_990, 0, taken],
      ["refused without a charge where the month does not hold them", 9_991, 0, full],
      ["refused for the month first, where as many run as may", 9_981, 1, full],
      [
        "refused for those that run where the month holds its units and no more",
        9_980,
        1,
        { kind: "concurrency_exceeded", running: 1 },
      ],
    ])("is %s", async (_, usedBefore, running, expected) => {
      const ann = await bench().caller("developer");
      await bench().charge(ann, usedBefore);
      for (let count = 0; count < running; count++) await take(ann);
      expect(await jobs().submit(submissionOf(bench(), ann))).toMatchObject(expected);
      const accepted = running + (expected.kind === "accepted" ? 1 : 0);
      expect(await jobs().underWay(ann.accountId)).toBe(accepted);
      expect(await bench().used(ann)).toBe(usedBefore + 10 * accepted);
    });

    test("has an id that no other job has", async () => {
      const draws = [7, 7, 7, 8];
      vi.spyOn(crypto, "randomInt").mockImplementation(() => draws.shift());
      syncBuiltinESMExports();
      try {
        const ann = await bench().caller("scale");
        expect([await take(ann), await take(ann)]).toEqual([7, 8]);
        expect(await bench().used(ann)).toBe(20);
      } finally {
        vi.restoreAllMocks();
        syncBuiltinESMExports();
      }
    });

    test("is made once under a repeated idempotency key, for 24 hours", async () => {
      const ann = await bench().caller("startup");
      const bob = await bench().caller("startup", "bob@example.com");
      const id = await take(ann, "k");
      expect(await jobs().submit(submissionOf(bench(), ann, "k"))).toMatchObject({
        kind: "repeated",
        jobId: id,
        attribution: { snapshot: "s1" },
        decision: { charged: false, used: 10 },
      });
      expect(await bench().used(ann)).toBe(10);
      const other = { ...submissionOf(bench(), ann, "k"), request: { ...request, coin: "eth" } };
      expect((await jobs().submit(other)).kind).toBe("key_reused");
      expect(await take(bob, "k"), "keys belong to an account").not.toBe(id);
      bench().clock.pass(DAY_MS - 1);
      expect((await jobs().submit(submissionOf(bench(), ann, "k"))).kind).toBe("repeated");
      bench().clock.pass(1);
      expect(await take(ann, "k")).not.toBe(id);
    });

    test("counts the workers it lost apart from its other attempts", async () => {
      const other = await bench().process();
      await take(await bench().caller("developer"));
      const losses = [];
      for (const why of ["left", "again", "left", "again"] as const) {
        const job = await claimed();
        losses.push(job.losses);
        await jobs().release(job, why);
      }
      await claimed();
      await bench().leave(jobs());
      expect(losses).toEqual([0, 0, 1, 1]);
      expect(await claimed(other)).toMatchObject({ attempt: 6, losses: 2 });
    });

    test("is run again when its process is gone, and the lost process cannot end it", async () => {
      const other = await bench().process();
      const ann = await bench().caller("developer");
      const id = await take(ann);
      const first = await claimed();
      await other.recover(now());
      expect((await other.find(id, ann.accountId))?.job.status).toBe("running");
      await bench().lose(jobs());
      await other.recover(now());
      expect((await other.find(id, ann.accountId))?.job.status).toBe("queued");
      expect(await jobs().finish(first, RESULT, now()), "it waits again").toBe(false);
      const second = await claimed(other);
      expect(second).toMatchObject({ id, attempt: 2 });
      expect(await jobs().finish(first, RESULT, now())).toBe(false);
      expect(await other.finish(second, RESULT, now())).toBe(true);
      expect(await bench().used(ann)).toBe(10);
    });

    test("whose answer was lost can be withdrawn with its charge and key", async () => {
      const ann = await bench().caller("developer");
      for (const until of ["queued", "running", "done"]) {
        const id = await take(ann, "k");
        const job = until === "queued" ? undefined : await claimed();
        if (until === "done") await jobs().finish(job!, RESULT, now());
        await bench().withdraw(id);
        expect(await jobs().find(id, ann.accountId)).toBeUndefined();
        expect(await bench().used(ann)).toBe(0);
        expect(await jobs().underWay(ann.accountId)).toBe(0);
        const endedLater = job !== undefined && (await jobs().finish(job, FAILURE, now()));
        expect(endedLater, "the job never was").toBe(false);
        expect(await bench().backtestsOf(ann), "nor the call").toBeUndefined();
      }
      const failed = await take(ann, "k");
      await bench().charge(ann, 50);
      await jobs().finish(await claimed(), FAILURE, now());
      await bench().withdraw(failed);
      expect(await bench().used(ann), "refunded once").toBe(50);
    });

    test("is counted and claimed once, however many processes race", async () => {
      const servers = [jobs(), await bench().process(), await bench().process()];
      const ann = await bench().caller("scale");
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, async (_, index) =>
          servers[index % 3]!.submit(submissionOf(bench(), ann)),
        ),
      );
      const ids = outcomes.filter(({ kind }) => kind === "accepted").map(acceptedId);
      expect(ids).toHaveLength(10);
      expect(await bench().used(ann)).toBe(100);
      const taken: number[] = [];
      for (let round = 0; round < 5; round++) {
        const claims = await Promise.all(servers.map(async (store) => store.claim(now())));
        for (const job of claims) if (job !== undefined) taken.push(job.id);
      }
      expect(taken).toHaveLength(10);
      expect(new Set(taken)).toEqual(new Set(ids));
    });

    test("is one for a key, however its repeats race", async () => {
      const servers = [jobs(), await bench().process()];
      const ann = await bench().caller("scale");
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, async (_, index) =>
          servers[index % 2]!.submit(submissionOf(bench(), ann, "k")),
        ),
      );
      const ids = outcomes.map((each) => ("jobId" in each ? each.jobId : 0));
      expect(new Set(ids).size).toBe(1);
      expect(outcomes.filter(({ kind }) => kind === "accepted")).toHaveLength(1);
      expect(await bench().used(ann)).toBe(10);
    });
  });
}
