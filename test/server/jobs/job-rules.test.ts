import { describe, expect, test } from "vitest";
import { drawJobId, fingerprintOf } from "../../../server/jobs/job-rules.ts";
import { REQUEST } from "../../support/job-steps.ts";

describe("the fingerprint of a request", () => {
  test("is the same for the same request, in whatever order its members stand", () => {
    const { strategy, ...rest } = REQUEST;
    expect(fingerprintOf({ ...rest, strategy })).toBe(fingerprintOf(REQUEST));
  });

  test.each([
    { strategy: "rsi_reversal" },
    { coin: "eth" },
    { startDay: REQUEST.startDay + 1 },
    { startingCashUsd: REQUEST.startingCashUsd + 0.01 },
    { variant: REQUEST.variant + 1 },
  ])("is another where %j differs", (difference) => {
    expect(fingerprintOf({ ...REQUEST, ...difference })).not.toBe(fingerprintOf(REQUEST));
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
