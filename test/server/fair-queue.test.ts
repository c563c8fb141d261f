import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { FairQueue } from "../../server/fair-queue.ts";

/** A queue whose works take 2 ms each, with the order in which they were done. */
function queueOf() {
  let nowMs = 0;
  const queue = new FairQueue(() => nowMs);
  const done: string[] = [];
  const add = (owner: string, name = owner) =>
    queue.add(owner, () => {
      nowMs += 2;
      done.push(name);
    });
  return { queue, done, add };
}

test("does work at once while the turn has time, and the rest in turns of 5 ms", async () => {
  const { done, add } = queueOf();
  const all = Array.from({ length: 8 }, () => add("one"));
  expect(done).toHaveLength(3);
  await setImmediate();
  expect(done).toHaveLength(6);
  await Promise.all(all);
  expect(done).toHaveLength(8);
});

test("lets owners take turns, each in its own order", async () => {
  const { done, add } = queueOf();
  const names = ["a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2", "c1"];
  await Promise.all(names.map((name) => add(name.slice(0, 1), name)));
  expect(done.join(" ")).toBe("a1 a2 a3 a4 b1 c1 a5 b2 a6");
});

test("does nothing else of an owner while its work goes on elsewhere, and two such works at most", async () => {
  const { queue, done, add } = queueOf();
  const over: (() => void)[] = [];
  const aside = (owner: string) =>
    queue.addAside(owner, () => {
      done.push(`${owner} aside`);
      return new Promise<void>((resolve) => over.push(resolve));
    });
  const all = [aside("a"), add("a"), add("b"), aside("c"), add("d")];
  await setImmediate();
  expect(done).toEqual(["a aside", "b", "c aside"]);
  over.shift()?.();
  await setImmediate();
  expect(done).toEqual(["a aside", "b", "c aside", "d", "a"]);
  over.shift()?.();
  await Promise.all(all);
});

test("passes on what a work returns or throws, and goes on", async () => {
  const { queue } = queueOf();
  expect(await queue.add("a", () => 1)).toBe(1);
  expect(await queue.addAside("a", async () => await Promise.resolve(2))).toBe(2);
  const failure = new Error("made to fail");
  const now = queue.add("a", () => {
    throw failure;
  });
  await expect(now).rejects.toBe(failure);
  await expect(queue.addAside("a", () => Promise.reject(failure))).rejects.toBe(failure);
  expect(await queue.add("a", () => 3)).toBe(3);
});
