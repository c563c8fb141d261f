import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { drawJobId, fingerprintOf } from "../../../accounts/jobs/job-rules.ts";
import type { JobRequest } from "../../../accounts/jobs/job.ts";
import { REQUEST } from "../../support/job-steps.ts";

describe("the fingerprint of a request", () => {
  test("of a plain backtest is what it was before there were others, for keys that are still in use", () => {
    const members = JSON.stringify(["ma_cross", "btc", 18_262, 10_000, 1]);
    const hash = createHash("sha256").update(members).digest("base64url");
    expect(fingerprintOf(REQUEST)).toBe(hash);
  });

  test("is another where something of one's own was asked for", () => {
    const own = [{ endDay: 20_000 }, { nTrials: 20_000 }, { params: { fast: 5, slow: 50 } }];
    const prints = own.map((each) => fingerprintOf({ ...REQUEST, own: each } as JobRequest));
    expect(new Set([...prints, fingerprintOf(REQUEST)]).size).toBe(4);
  });

  test("does not depend on the order in which parameters were written", () => {
    const [one, other] = [
      { fast: [5, 10], slow: { from: 20, to: 40, step: 10 } },
      { slow: { step: 10, to: 40, from: 20 }, fast: [5, 10] },
    ];
    const print = (parameters: object) => fingerprintOf({ ...REQUEST, parameters } as JobRequest);
    expect(print(other)).toBe(print(one));
    expect(print({ ...one, fast: [10, 5] })).not.toBe(print(one));
  });

  test.each([
    { strategy: "rsi_reversal" },
    { coin: "eth" },
    { startDay: REQUEST.startDay + 1 },
    { startingCashUsd: REQUEST.startingCashUsd + 0.01 },
    { variant: REQUEST.variant + 1 },
  ])("is another where %j differs", (difference) => {
    expect(fingerprintOf({ ...REQUEST, ...difference } as JobRequest)).not.toBe(
      fingerprintOf(REQUEST),
    );
  });
});

test("ids of jobs are positive and whole, as far as every reader of JSON has whole numbers", () => {
  const ids = Array.from({ length: 1_000 }, drawJobId);
  for (const id of ids) {
    expect(Number.isSafeInteger(id)).toBe(true);
    expect(id).toBeGreaterThan(0);
  }
  expect(new Set(ids).size, "drawn, not counted").toBe(ids.length);
});
