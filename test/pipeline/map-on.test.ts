import { describe, expect, test } from "vitest";
import { THIS_THREAD } from "../../pipeline/compute-pool.ts";
import { mapOn, startOn } from "../../pipeline/map-on.ts";

describe("mapOn", () => {
  test.each([1, 3, 10])("keeps the order, %d at once and no more", async (parallel) => {
    let running = 0;
    let most = 0;
    const steps: number[] = [];
    const results = await mapOn({ ...THIS_THREAD, parallel }, [5, 1, 4, 2, 3], {
      async work(item) {
        most = Math.max(most, ++running);
        for (let turn = 0; turn < item; turn++) await Promise.resolve();
        running--;
        return item * 10;
      },
      step: async (done) => void steps.push(done),
    });
    expect(results).toEqual([50, 10, 40, 20, 30]);
    expect(most).toBe(Math.min(parallel, 5));
    expect(steps).toEqual([1, 2, 3, 4, 5]);
  });

  test("fails with the first piece that fails", async () => {
    const failing = mapOn(THIS_THREAD, [1, 2], {
      work: async (item) => await Promise.reject(new Error(`piece ${item}`)),
      step: async () => {},
    });
    await expect(failing).rejects.toThrow("piece 1");
  });
});

describe("startOn", () => {
  test("gives each result as soon as it is made, also when a later piece fails", async () => {
    let fail = () => {};
    const { results } = startOn({ parallel: 2 }, [1, 2], {
      work: async (item) =>
        await new Promise<number>((resolve, reject) => {
          if (item === 1) resolve(10);
          else fail = () => reject(new Error("piece 2"));
        }),
      step: async () => {},
    });
    const [first, second] = results;
    expect(await first).toBe(10);
    fail();
    await new Promise((resolve) => setImmediate(resolve)); // would end the test run if unhandled
    await expect(second).rejects.toThrow("piece 2");
  });

  test("goes on only after the step, which is where a signal is handled", async () => {
    const happened: string[] = [];
    await mapOn({ parallel: 1 }, ["a", "b"], {
      work: async (item) => void happened.push(item),
      async step(done) {
        await new Promise((resolve) => setImmediate(resolve));
        happened.push(`step ${done}`);
      },
    });
    expect(happened).toEqual(["a", "step 1", "b", "step 2"]);
  });

  test("begins no piece, and reports no progress, after one that failed", async () => {
    const happened: string[] = [];
    const { results } = startOn({ parallel: 2 }, [1, 2, 3, 4], {
      async work(item) {
        happened.push(`piece ${item}`);
        await new Promise((resolve) => setImmediate(resolve));
        if (item === 1) throw new Error("piece 1");
      },
      step: async (done) => void happened.push(`step ${done}`),
    });
    const ended = await Promise.allSettled(results);
    expect(happened).toEqual(["piece 1", "piece 2"]);
    for (const { status } of ended) expect(status, "all fail with it").toBe("rejected");
  });

  test("begins no piece, and reports no progress, once it is stopped", async () => {
    const happened: string[] = [];
    const { results, stop } = startOn({ parallel: 1 }, [1, 2, 3], {
      async work(item) {
        happened.push(`piece ${item}`);
        await new Promise((resolve) => setImmediate(resolve));
      },
      step: async (done) => void happened.push(`step ${done}`),
    });
    await results[0];
    await new Promise((resolve) => queueMicrotask(() => resolve(undefined)));
    stop();
    const ended = await Promise.allSettled(results);
    expect(happened).toEqual(["piece 1", "step 1", "piece 2"]);
    expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "rejected"]);
  });
});
