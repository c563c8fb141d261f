import { expect, test } from "vitest";
import { rateLimitLines } from "../../../server/http/rate-limit-fields.ts";

const minute = { limit: 60, remaining: 59, resetSeconds: 60, windowSeconds: 60 };
const month = {
  limit: 10_000,
  remaining: 9_958,
  resetSeconds: 1_209_600,
  windowSeconds: 2_592_000,
};

test("both limits are lists of structured fields", () => {
  expect(rateLimitLines(minute, month)).toBe(
    '\r\nRateLimit-Policy: "minute";q=60;w=60, "month";q=10000;w=2592000' +
      '\r\nRateLimit: "minute";r=59;t=60, "month";r=9958;t=1209600',
  );
});

test("a month that is not known is left out", () => {
  expect(rateLimitLines(minute, undefined)).toBe(
    '\r\nRateLimit-Policy: "minute";q=60;w=60\r\nRateLimit: "minute";r=59;t=60',
  );
});
