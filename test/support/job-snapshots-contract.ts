import { describe, expect, test } from "vitest";
import type { JobBench, JobProcess } from "./job-bench.ts";
import { acceptedId, FAILURE, jobBenchOfEachTest, submissionOf } from "./job-steps.ts";

const MINUTE_MS = 60_000;
/** Less than a process may stand still. */
const LOOK_MS = 9_000;

/** Who runs a job on which snapshot, wherever jobs are kept. */
export function jobSnapshotsContract(open: () => JobBench | Promise<JobBench>): void {
  const { bench, jobs, now, take, claimed } = jobBenchOfEachTest(open);

  /** Lets only processes look after the store for so long. */
  async function watch(stores: readonly JobProcess[], ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= LOOK_MS) {
      for (const store of stores) await store.recover(now());
      bench().waitOut(Math.min(left, LOOK_MS));
    }
    for (const store of stores) await store.recover(now());
  }

  describe("a job on a snapshot that some processes lack", () => {
    test("is left to processes that have its snapshot", async () => {
      const other = await bench().processWith("s2");
      const server = await bench().processWith(undefined);
      await jobs().recover(now());
      const ann = await bench().caller("scale");
      const first = await take(ann, "k", server);
      const second = acceptedId(
        await server.submit({ ...submissionOf(bench(), ann), snapshotId: "s2" }),
      );
      expect(await server.claim(now())).toBeUndefined();
      expect((await claimed(other)).id).toBe(second);
      expect(await other.claim(now())).toBeUndefined();
      for (const store of [jobs(), other, server]) await store.recover(now());
      expect((await claimed()).id).toBe(first);
      expect(bench().warnedOf).toEqual([]);
    });

    test("ends only if its snapshot has been missing for five minutes", async () => {
      const others = [await bench().processWith("s2"), await bench().processWith(undefined)];
      const ann = await bench().caller("scale");
      const id = await take(ann);
      await bench().leave(jobs());
      await watch(others, 5 * MINUTE_MS - 1_000);
      for (const store of others) expect(await store.claim(now())).toBeUndefined();
      expect(bench().warnedOf, "each process says it once").toEqual(["s1", "s1"]);
      await watch(others, 2_000);
      const job = await claimed(others[0]);
      expect(job).toMatchObject({ id, snapshotId: "s1" });
      expect(others[0]!.doubt("s1"), "it does not go back").toBe(false);
      expect(await others[0]!.finish(job, FAILURE, now())).toBe(true);
      expect(await bench().used(ann)).toBe(0);
    });

    test("waits five minutes anew where the process that lacks its snapshot stood still", async () => {
      const other = await bench().processWith("s2");
      await take(await bench().caller("scale"));
      await bench().leave(jobs());
      await watch([other], MINUTE_MS);
      bench().waitOut(60 * MINUTE_MS); // no process looked: those that have it may only just be coming back
      await other.recover(now());
      expect(await other.claim(now())).toBeUndefined();
      await watch([other], 5 * MINUTE_MS + 2_000);
      await claimed(other);
    });

    test("goes back where its snapshot cannot be opened, and is tried again later", async () => {
      const ann = await bench().caller("scale");
      const id = await take(ann);
      const next = await bench().processWith("s2");
      expect(next.doubt("s1")).toBe(true);
      expect(await next.claim(now())).toBeUndefined();
      expect(await claimed()).toMatchObject({ id });
    });
  });
}
