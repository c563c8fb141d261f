import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { LoopLoad } from "../../../../server/jobs/run/loop-load.ts";
import { Turns } from "../../../../server/jobs/run/turns.ts";

let nowMs = 0;
/** The share of each passing millisecond that others keep the event loop busy. */
let othersShare = 0;
let turns: Turns;
let done: string[];

beforeEach(() => {
  vi.useFakeTimers();
  nowMs = 0;
  othersShare = 0;
  done = [];
  turns = new Turns(clock, new LoopLoad(clock, () => othersShare * nowMs));
});
afterEach(() => {
  vi.useRealTimers();
});

const clock = () => nowMs;

/** A piece of work that takes this long. */
function piece(name: string, tookMs: number): () => string {
  return () => {
    nowMs += tookMs;
    done.push(name);
    return name;
  };
}

describe("turns", () => {
  test("run a single piece at once, and return its result unchanged", () => {
    expect(turns.run(piece("a", 0.1))).toBe("a");
  });

  test("rest three times as long as the piece before worked, in the order they came", async () => {
    void turns.run(piece("a", 2));
    const second = turns.run(piece("b", 2));
    const third = turns.run(piece("c", 2));
    await vi.advanceTimersByTimeAsync(5);
    expect(done).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toEqual(["a", "b"]);
    await vi.advanceTimersByTimeAsync(6);
    expect(done).toEqual(["a", "b", "c"]);
    expect([await second, await third]).toEqual(["b", "c"]);
  });

  test("rest a second at most, after a piece in which the process was stopped", async () => {
    void turns.run(piece("a", 60_000));
    void turns.run(piece("b", 1));
    await vi.advanceTimersByTimeAsync(999);
    expect(done).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toEqual(["a", "b"]);
  });

  test("rest forty times as long where other requests keep the thread busy", async () => {
    othersShare = 0.8;
    nowMs = 250;
    void turns.run(piece("a", 0.25));
    void turns.run(piece("b", 0.25));
    void turns.run(piece("c", 0.25));
    await vi.advanceTimersByTimeAsync(9);
    expect(done).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toEqual(["a", "b"]);
    await vi.advanceTimersByTimeAsync(10);
    expect(done).toEqual(["a", "b", "c"]);
  });

  test("rest 20 ms then at most, or three times as long as a piece that was held up", async () => {
    othersShare = 0.8;
    nowMs = 250;
    void turns.run(piece("a", 2));
    void turns.run(piece("b", 50));
    void turns.run(piece("c", 1));
    await vi.advanceTimersByTimeAsync(19);
    expect(done).toEqual(["a"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toEqual(["a", "b"]);
    await vi.advanceTimersByTimeAsync(149);
    expect(done).toEqual(["a", "b"]);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toEqual(["a", "b", "c"]);
  });

  test("rest no longer for what they keep the thread busy with themselves", async () => {
    turns = new Turns(clock, new LoopLoad(clock, clock));
    for (let count = 0; count < 150; count++) {
      void turns.run(piece("a", 2));
      await vi.advanceTimersByTimeAsync(6);
    }
    expect(done).toHaveLength(150);
  });

  test("rest no longer than usual if more than fifty wait", async () => {
    othersShare = 0.8;
    nowMs = 250;
    for (let index = 0; index < 60; index++) void turns.run(piece(String(index), 0.5));
    await vi.advanceTimersByTimeAsync(20); // none waited yet when the first was over
    expect(done).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(2 * 8); // 1.5 ms each, in whole milliseconds
    expect(done).toHaveLength(10); // and fifty wait
    await vi.advanceTimersByTimeAsync(19);
    expect(done).toHaveLength(10);
    await vi.advanceTimersByTimeAsync(1);
    expect(done).toHaveLength(11);
  });

  test("save up rests shorter than a timer's millisecond", async () => {
    for (const name of ["a", "b", "c", "d"]) void turns.run(piece(name, 0.2));
    await vi.advanceTimersByTimeAsync(0);
    expect(done).toEqual(["a", "b"]); // 1.2 ms of rest are due
    await vi.advanceTimersByTimeAsync(3);
    expect(done).toEqual(["a", "b", "c", "d"]);
  });

  test("hand on a failure, and go on with the next", async () => {
    void turns.run(piece("a", 0));
    const failed = turns.run(() => {
      throw new Error("full");
    });
    const next = turns.run(piece("b", 0));
    const refused = Promise.resolve(failed).catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(1);
    expect(await refused).toBe("Error: full");
    expect(await next).toBe("b");
  });

  test("wait for a piece that waits for something", async () => {
    const ends: (() => void)[] = [];
    const wait = () => new Promise<void>((resolve) => ends.push(resolve));
    const waiting = [turns.run(wait), turns.run(wait)];
    const last = turns.run(piece("b", 0));
    for (const pieces of [1, 2]) {
      await vi.advanceTimersByTimeAsync(10);
      expect([ends.length, done]).toEqual([pieces, []]);
      ends.at(-1)!(); // one has begun
    }
    for (const each of waiting) await each;
    await vi.advanceTimersByTimeAsync(1);
    expect(await last).toBe("b");
    await vi.advanceTimersByTimeAsync(1);
    expect(turns.run(piece("c", 0)), "at once, where nothing waits").toBe("c");
  });
});
