import { describe, expect, test } from "vitest";
import { dateOf, monthOf, periodOf, TRIAL_MS } from "../../accounts/in-force.ts";

const at = (text: string) => Date.parse(text);

describe("the month of an instant", () => {
  test.each([
    ["2026-01-31T23:59:59.999Z", "2026-01", "2026-02-01T00:00:00Z", 31],
    ["2026-02-01T00:00:00.000Z", "2026-02", "2026-03-01T00:00:00Z", 28],
    ["2028-02-29T12:00:00.000Z", "2028-02", "2028-03-01T00:00:00Z", 29],
    ["2026-12-31T23:59:59.999Z", "2026-12", "2027-01-01T00:00:00Z", 31],
    ["2027-01-01T00:00:00.000Z", "2027-01", "2027-02-01T00:00:00Z", 31],
  ])("%s is %s", (now, name, end, days) => {
    expect(monthOf(at(now))).toMatchObject({
      name,
      endMs: at(end),
      windowSeconds: days * 86_400,
    });
  });

  test("follows a clock that is set back over the edge", () => {
    expect(monthOf(at("2026-03-01T00:00:00Z")).name).toBe("2026-03");
    expect(monthOf(at("2026-02-28T23:59:59Z")).name).toBe("2026-02");
    expect(monthOf(at("2026-03-01T00:00:00Z")).name).toBe("2026-03");
  });
});

describe("the date of an instant", () => {
  test("is in UTC and follows the clock both ways", () => {
    expect(dateOf(at("2026-02-28T23:59:59.999Z"))).toBe("2026-02-28");
    expect(dateOf(at("2026-03-01T00:00:00Z"))).toBe("2026-03-01");
    expect(dateOf(at("2026-02-28T00:00:00Z"))).toBe("2026-02-28");
  });
});

describe("the period usage counts in", () => {
  const now = at("2026-02-10T00:00:00Z");
  const trialEndsMs = at("2026-02-20T06:00:00Z");

  test("is the trial for live keys on a trial, 14 days long", () => {
    expect(periodOf("live", "trial", trialEndsMs, now)).toEqual({
      name: "trial",
      endMs: trialEndsMs,
      windowSeconds: 14 * 86_400,
    });
    expect(TRIAL_MS).toBe(14 * 86_400_000);
  });

  test("is the month for test keys, and on any other plan", () => {
    expect(periodOf("test", "trial", trialEndsMs, now).name).toBe("2026-02");
    expect(periodOf("live", "free", trialEndsMs, now).name).toBe("2026-02");
  });
});
