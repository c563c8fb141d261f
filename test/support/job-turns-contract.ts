import { describe, expect, test } from "vitest";
import type { JobBench } from "./job-bench.ts";
import { jobBenchOfEachTest, RESULT } from "./job-steps.ts";

/** In which order jobs are handed out, wherever they are kept. */
export function jobTurnsContract(open: () => JobBench | Promise<JobBench>): void {
  const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(open);

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
