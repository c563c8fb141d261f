import { expect, test } from "vitest";
import { ByteWriter } from "../../../server/http/byte-writer.ts";
import { writeRateLimits, type LimitState } from "../../../server/http/rate-limit-fields.ts";

const minute = { limit: 60, remaining: 59, resetSeconds: 60, windowSeconds: 60 };
const month = {
  limit: 10_000,
  remaining: 9_958,
  resetSeconds: 1_209_600,
  windowSeconds: 2_592_000,
};

function rateLimitLines(ofMinute: LimitState, ofMonth: LimitState | undefined): string {
  const out = new ByteWriter(100);
  writeRateLimits(out, ofMinute, ofMonth);
  return Buffer.from(out.written).toString("latin1");
}

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

test("each caller gets its own plan's lines, however many plans there are", () => {
  for (let round = 0; round < 2; round++) {
    for (let limit = 1; limit <= 20; limit++) {
      const other = { ...minute, limit };
      const lines = rateLimitLines(other, { ...month, limit: 10 * limit });
      expect(lines).toContain(`"minute";q=${limit};w=60, "month";q=${10 * limit};w=2592000\r\n`);
      expect(rateLimitLines(other, undefined)).toContain(`"minute";q=${limit};w=60\r\n`);
    }
  }
});

test("a month that is longer, or a trial, of as many calls has its own line", () => {
  const march = { ...month, windowSeconds: 31 * 86_400 };
  for (const each of [month, march, month]) {
    expect(rateLimitLines(minute, each)).toContain(`"month";q=10000;w=${each.windowSeconds}\r\n`);
  }
});
