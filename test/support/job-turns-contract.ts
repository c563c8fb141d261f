import { describe, expect, test } from "vitest";
import type { JobBench } from "./job-bench.ts";
import { jobBenchOfEachTest, REQUEST, RESULT } from "./job-steps.ts";

/** In which order jobs are handed out, wherever they are kept. */
export function jobTurnsContract(open: () => JobBench | Promise<JobBench>): void {
  const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(open);

  describe("jobs of an account", () => {
    test("are listed, the newest first, with how they ended", async () => {
      const ann = await bench().caller("scale");
      const first = await take(ann);
      bench().clock.pass(1_000);
      const second = await take(ann);
      await jobs().finish(await claimed(), RESULT, now());
      const listed = await jobs().list(ann.accountId, 10);
      expect(listed.map(({ id, status }) => [id, status])).toEqual([
        [second, "queued"],
        [first, "done"],
      ]);
      expect(listed[1]).toMatchObject({ request: REQUEST, finishedMs: now(), errorCode: null });
      expect(await jobs().list(ann.accountId, 1)).toHaveLength(1);
      expect(await jobs().list("acc_none", 10)).toEqual([]);
    });

    test("go with it: those that wait, and the result of the one that runs", async () => {
      const ann = await bench().caller("scale");
      const bob = await bench().caller("scale", "bob@example.com");
      const done = await take(ann, "a key");
      await jobs().finish(await claimed(), RESULT, now());
      await take(ann);
      const running = await claimed();
      const waiting = await take(ann);
      await bench().remove(ann);
      expect(await jobs().finish(running, RESULT, now())).toBe(false);
      await jobs().release(running, "again");
      for (const id of [done, running.id, waiting]) {
        expect(await jobs().find(id, ann.accountId)).toBeUndefined();
      }
      expect(await jobs().counts()).toEqual({ queued: 0, running: 0 });
      expect(await jobs().list(ann.accountId, 10)).toEqual([]);
      const next = await take(bob);
      expect((await claimed()).id).toBe(next);
      await expect(take(ann)).rejects.toThrow(/gone|removed/);
    });
  });

  describe("a job that waits", () => {
    test("waits its account's turn, so that one account's jobs do not hold up another's", async () => {
      const ann = await bench().caller("scale");
      const bob = await bench().caller("scale", "bob@example.com");
      const anns: number[] = [];
      for (let count = 0; count < 4; count++) anns.push(await take(ann));
      await claimed();
      const bobs = [await take(bob), await take(bob)];
      const order: number[] = [];
      for (let count = 0; count < 5; count++) order.push((await claimed()).id);
      expect(order.indexOf(bobs[0]!)).toBeLessThan(order.indexOf(anns[2]!));
      expect(order.indexOf(bobs[1]!)).toBeLessThan(order.indexOf(anns[3]!));
    });

    test("is not overtaken again and again by an account that sends one after the other", async () => {
      const ann = await bench().caller("scale");
      const bob = await bench().caller("scale", "bob@example.com");
      const anns: number[] = [];
      for (let count = 0; count < 4; count++) anns.push(await take(ann));
      const order: number[] = [];
      for (let count = 0; count < 8; count++) {
        if ((await jobs().underWay(bob.accountId)) === 0) await take(bob);
        const job = await claimed();
        order.push(job.id);
        await jobs().finish(job, RESULT, now());
      }
      expect(order.filter((id) => anns.includes(id))).toEqual(anns);
    });

    test("keeps its turn when its worker is lost", async () => {
      const ann = await bench().caller("scale");
      const first = await take(ann);
      await take(ann);
      const job = await claimed();
      await jobs().release(job, "again");
      expect((await jobs().find(first, ann.accountId))?.job).toMatchObject({
        status: "queued",
        startedMs: null,
      });
      expect(await jobs().counts()).toMatchObject({ running: 0 });
      expect(await claimed()).toMatchObject({ id: first, attempt: 2, losses: 1 });
      expect(await jobs().finish(job, RESULT, now()), "an earlier claim").toBe(false);
      await jobs().release(job, "again");
      const { status } = (await jobs().find(first, ann.accountId))!.job; // just now it was there
      expect(status, "and it gives nothing back").toBe("running");
    });
  });
}
