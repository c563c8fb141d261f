import { describe, expect, test } from "vitest";
import { LoopLoad } from "../../../../server/jobs/run/loop-load.ts";

describe("the load of an event loop", () => {
  test("is high where it is busy for more than half of a quarter of a second", () => {
    let [nowMs, activeMs] = [0, 0];
    const load = new LoopLoad(
      () => nowMs,
      () => activeMs,
    );
    const pass = (ms: number, active: number) => {
      nowMs += ms;
      activeMs += active;
      return load.isHigh;
    };
    expect(pass(250, 125)).toBe(false);
    expect(pass(249, 249), "not looked at again yet").toBe(false);
    expect(pass(1, 0)).toBe(true);
    expect(pass(250, 100)).toBe(false);
  });

  test("does not count the work reported to it", () => {
    let [nowMs, activeMs] = [0, 0];
    const load = new LoopLoad(
      () => nowMs,
      () => activeMs,
    );
    const pass = (own: number) => {
      load.worked(own);
      nowMs += 250;
      activeMs += 200;
      return load.isHigh;
    };
    expect([pass(80), pass(70), pass(0)]).toEqual([false, true, true]);
  });

  test("is told by the event loop itself", async () => {
    const load = new LoopLoad(() => performance.now());
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    while (!load.isHigh) {
      const untilMs = performance.now() + 5;
      while (performance.now() < untilMs); // works
      await turn();
    }
    while (load.isHigh) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(load.isHigh).toBe(false);
  });
});
