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

describe("makeRetrier", () => {
  test("doubles its waits, within the jitter's half", async () => {
    const slow = retrier(() => 1);
    expect(await slow.run(failing(passing, passing, passing, passing))).toBe("call 5");
    expect(slow.waits).toEqual([500, 1000, 2000, 4000]);
    const quick = retrier(() => 0);
    await quick.run(failing(passing, passing));
    expect(quick.waits).toEqual([250, 500]);
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
