import { describe, expect, test } from "vitest";
import { makeRetrier, RequestFault, retryAfterMs } from "../../../pipeline/sources/retry.ts";

const NOW = Date.parse("2026-11-21T05:00:00Z");

/** A retrier on a clock that moves only by waiting. */
function retrier(random = () => 0.5) {
  const waits: number[] = [];
  let now = NOW;
  const run = makeRetrier({
    elapsedMs: () => now,
    sleep: (ms) => {
      waits.push(ms);
      now += ms;
      return Promise.resolve();
    },
    random,
    onNotice: () => {},
    faultOf: (error) =>
      error instanceof RequestFault ? error : new RequestFault("ours", { retryable: false }),
  });
  return { run, waits };
}

/** Fails with the given faults, one per call, then answers. */
function failing(...faults: readonly Error[]) {
  let calls = 0;
  return () => {
    const fault = faults[calls++];
    return fault === undefined ? Promise.resolve(`call ${calls}`) : Promise.reject(fault);
  };
}

const passing = new RequestFault("busy", { retryable: true });
const asking = (ms: number) => new RequestFault("busy", { retryable: true, retryAfterMs: ms });

describe("makeRetrier", () => {
  test("doubles its waits, within the jitter's half", async () => {
    const slow = retrier(() => 1);
    expect(await slow.run(failing(passing, passing, passing, passing))).toBe("call 5");
    expect(slow.waits).toEqual([500, 1000, 2000, 4000]);
    const quick = retrier(() => 0);
    await quick.run(failing(passing, passing));
    expect(quick.waits).toEqual([250, 500]);
  });

  test("gives up after six attempts with the last fault", async () => {
    const { run, waits } = retrier();
    const faults = Array.from({ length: 6 }, (_, index) =>
      Object.assign(new RequestFault(`fault ${index + 1}`, { retryable: true })),
    );
    await expect(run(failing(...faults))).rejects.toThrow("fault 6");
    expect(waits).toHaveLength(5);
  });

  test("does not retry final faults or our own defects", async () => {
    const { run, waits } = retrier();
    const final = new RequestFault("no such symbol", { retryable: false });
    await expect(run(failing(final))).rejects.toBe(final);
    await expect(run(failing(new TypeError("x is undefined")))).rejects.toThrow("ours");
    expect(waits).toEqual([]);
  });

  test("holds every request back during a requested pause", async () => {
    const { run, waits } = retrier(() => 0);
    expect(await run(failing(asking(9000)))).toBe("call 2");
    expect(waits).toEqual([9000]);
    await run(failing());
    expect(waits, "the pause is over").toEqual([9000]);
  });

  /** A clock on which several callers wait: each wakes at its time, the earliest first. */
  function timeline() {
    let now = NOW;
    const sleepers: { at: number; wake: () => void }[] = [];
    const run = makeRetrier({
      elapsedMs: () => now,
      sleep: (ms) => new Promise((wake) => sleepers.push({ at: now + ms, wake })),
      random: () => 0.5,
      onNotice: () => {},
      faultOf: (error) => error as RequestFault,
    });
    const asked: [who: string, afterMs: number][] = [];
    /** A request that takes its time and then fails as given, call after call, until no fault is left. */
    const request = (who: string, ...answers: readonly [tookMs: number, fault?: Error][]) => {
      let calls = 0;
      return run(async () => {
        asked.push([who, now - NOW]);
        const [tookMs, fault] = answers[calls++] ?? [0];
        await new Promise<void>((wake) => sleepers.push({ at: now + tookMs, wake }));
        if (fault !== undefined) throw fault;
      });
    };
    const pass = async () => {
      await new Promise(setImmediate);
      while (sleepers.length > 0) {
        const [next] = sleepers.sort((one, other) => one.at - other.at).splice(0, 1);
        now = next!.at;
        next!.wake();
        await new Promise(setImmediate);
      }
    };
    return { request, asked, pass };
  }

  test("holds back a request before its next attempt, and those already waiting, for the longest pause", async () => {
    const { request, asked, pass } = timeline();
    void request("busy", [0, passing]); // would retry after 375 ms
    void request("asks for 9 s", [100, asking(9000)]);
    void request("asks for more later", [5000, asking(20_000)]);
    await pass();
    expect(asked.slice(0, 3).map(([, afterMs]) => afterMs)).toEqual([0, 0, 0]);
    const again = asked.slice(3);
    expect(again.map(([who]) => who).sort()).toEqual([
      "asks for 9 s",
      "asks for more later",
      "busy",
    ]);
    expect(Math.min(...again.map(([, afterMs]) => afterMs))).toBe(25_000);
  });

  test("keeps the longest pause when a shorter one is requested later", async () => {
    const { request, asked, pass } = timeline();
    void request("long", [100, asking(20_000)]);
    void request("short", [5000, asking(1000)]);
    await pass();
    expect(Math.min(...asked.slice(2).map(([, afterMs]) => afterMs))).toBe(20_100);
  });

  test("sends no request after a wait in which another answer ended the run's requests", async () => {
    const { request, asked, pass } = timeline();
    const ended = [
      request("busy", [0, passing]),
      request("paused", [100, asking(9000)]),
      request("closed", [200, asking(3_600_000)]),
    ].map((result) => expect(result).rejects.toThrow("busy"));
    await pass();
    await Promise.all(ended);
    expect(asked).toHaveLength(3);
  });

  test("retries a little later than asked, at random, so that requests do not all return together", async () => {
    const { run, waits } = retrier(() => 1);
    await run(failing(asking(9000), asking(0), asking(300_000)));
    expect(waits).toEqual([9100, 1000, 300_400]);
  });

  describe("where the server refuses this client", () => {
    const refusal = new RequestFault("answered 403", { retryable: false, refusesAll: true });
    const unknown = new RequestFault("no such symbol", { retryable: false });

    /** Makes a request of each fault in turn, undefined for an answer; how many reached the server. */
    async function asked(...faults: readonly (RequestFault | undefined)[]) {
      const { run, waits } = retrier();
      let count = 0;
      for (const fault of faults) {
        const request = () => {
          count++;
          return fault === undefined ? Promise.resolve() : Promise.reject(fault);
        };
        await run(request).catch(() => {});
      }
      expect(waits, "none of them is repeated").toEqual([]);
      return count;
    }

    test("sends no request after three refusals in a row", async () => {
      expect(await asked(refusal, refusal, refusal, undefined, undefined)).toBe(3);
    });

    test("counts from the start after an answer, or after a refusal of one request", async () => {
      expect(await asked(refusal, refusal, undefined, refusal, refusal, undefined)).toBe(6);
      expect(await asked(refusal, refusal, unknown, refusal, refusal, undefined)).toBe(6);
      expect(await asked(unknown, unknown, unknown, undefined)).toBe(4);
    });
  });

  test("sends no further request when the pause is longer than a run lasts", async () => {
    const { run, waits } = retrier();
    await expect(run(failing(asking(300_001)))).rejects.toThrow("busy");
    let asked = 0;
    const other = () => Promise.resolve(asked++);
    await expect(run(other)).rejects.toThrow("busy");
    expect(asked).toBe(0);
    expect(waits).toEqual([]);
  });
});

describe("retryAfterMs", () => {
  test.each([
    [null, null],
    ["0", 0],
    ["7", 7000],
    [" 120 ", 120_000],
    ["Sat, 21 Nov 2026 05:00:30 GMT", 30_000],
    ["Sat, 21 Nov 2026 04:00:00 GMT", 0],
    ["soon", null],
    ["", null],
    ["-5", null],
  ])("%j is %j", (field, expected) => {
    expect(retryAfterMs(field, NOW)).toBe(expected);
  });
});
