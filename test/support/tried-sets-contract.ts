import { describe, expect, test } from "vitest";
import type { Caller } from "../../accounts/accounts.ts";
import type { Submission } from "../../accounts/jobs/job-store.ts";
import type { JobBench } from "./job-bench.ts";
import {
  acceptedId,
  DAY_MS,
  FAILURE,
  jobBenchOfEachTest,
  RESULT,
  submissionOf,
} from "./job-steps.ts";

/** How tries are counted, and the cost of jobs of several runs, wherever they are kept. */
export function triedSetsContract(open: () => JobBench | Promise<JobBench>): void {
  const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(open, "study");

  function studyOf(who: Caller, digests: readonly string[], scope = "ma_cross btc"): Submission {
    return { ...submissionOf(bench(), who, undefined, "study"), tried: { scope, digests } };
  }

  /** Takes in a study of these sets, runs it, and says how many the account had tried by then. */
  async function knownOf(who: Caller, digests: readonly string[], scope?: string) {
    acceptedId(await jobs().submit(studyOf(who, digests, scope)));
    const job = await claimed();
    await jobs().finish(job, RESULT, now());
    return job.known;
  }

  describe("sets that an account tried", () => {
    test("are counted once each, in their scope, and for their account alone", async () => {
      const ann = await bench().caller("scale");
      const bob = await bench().caller("scale", "bob@example.com");
      expect(await knownOf(ann, ["a", "b"])).toBe(2);
      expect(await knownOf(ann, ["b", "c", "c"])).toBe(3);
      expect(await knownOf(ann, ["a", "b"])).toBe(3);
      expect(await knownOf(ann, ["a"], "ma_cross eth")).toBe(1);
      expect(await knownOf(bob, ["a", "d"])).toBe(2);
    });

    test("count while their job is under way, and are fixed when one is accepted", async () => {
      const ann = await bench().caller("scale");
      await jobs().submit(studyOf(ann, ["a", "b"]));
      await jobs().submit(studyOf(ann, ["b", "c"]));
      await jobs().submit(studyOf(ann, ["d"]));
      const all = [await claimed(), await claimed(), await claimed()];
      expect(all.map(({ known }) => known)).toEqual([2, 3, 4]);
    });

    test("of a job that failed were no tries", async () => {
      const ann = await bench().caller("scale");
      await jobs().submit(studyOf(ann, ["a", "b", "c"]));
      await jobs().finish(await claimed(), FAILURE, now());
      expect(await knownOf(ann, ["d"])).toBe(1);
      expect(await knownOf(ann, ["a"])).toBe(2);
    });

    test("are forgotten with the results of their jobs", async () => {
      const ann = await bench().caller("scale");
      expect(await knownOf(ann, ["a", "b"])).toBe(2);
      bench().clock.pass(20 * DAY_MS);
      expect(await knownOf(ann, ["b"])).toBe(2);
      bench().clock.pass(11 * DAY_MS);
      expect(await knownOf(ann, ["c"])).toBe(2); // b was tried again 11 days ago
    });

    test("may be as many as a study has", async () => {
      const ann = await bench().caller("scale");
      const many = Array.from({ length: 2000 }, (_, set) => `set${set}`);
      expect(await knownOf(ann, many)).toBe(2000);
      expect(await knownOf(ann, [...many.slice(1000), "other"])).toBe(2001);
    });
  });

  describe("a job of several runs", () => {
    test("costs as many, gives all back if it fails, and takes as many turns", async () => {
      const ann = await bench().caller("scale");
      const bob = await bench().caller("scale", "bob@example.com");
      const large = { ...studyOf(ann, ["a"]), runs: 4 };
      const first = acceptedId(await jobs().submit(large));
      expect(await bench().used(ann)).toBe(40);
      await jobs().submit(studyOf(bob, ["a"]));
      const bobs = await take(bob);
      const ids = [await claimed(), await claimed(), await claimed()];
      expect(ids.at(-1)!.id, "two small ones go first").toBe(first);
      expect(ids[1]!.id).toBe(bobs);
      await jobs().finish(ids.at(-1)!, FAILURE, now());
      expect(await bench().used(ann)).toBe(0);
    });
  });
}
