import { describe, expect, test } from "vitest";
import { BUILT_IN_PLANS } from "../../../server/accounts/plans.ts";
import { FrequentRefusals } from "../../../server/requests/frequent-refusals.ts";
import { errorReplies } from "../../../server/http/error-replies.ts";

const PLAN = BUILT_IN_PLANS.get("developer")!; // it is built in
const MONTH = { limit: 10_000, remaining: 0, resetSeconds: 600, windowSeconds: 86_400 };

const textOf = ({ headers, body }: { headers: string | Uint8Array; body: string | Buffer }) =>
  `${Buffer.from(headers).toString()}\r\n\r\n${body.toString()}`;

describe("a refusal that is kept", () => {
  test.each([
    [{ used: 10_000, quota: MONTH }, "10000 calls and 10000 are used", 600],
    [{ used: 10_001, quota: MONTH }, "10000 calls and 10001 are used", 600],
    [{ used: 10_000, quota: { ...MONTH, limit: 9_000 } }, "9000 calls and 10000 are used", 600],
    [{ used: 10_000, quota: { ...MONTH, resetSeconds: 599 } }, "10000 calls and 10000", 599],
  ])("is not told to a caller of another month: %j", (month, message, seconds) => {
    const refusals = new FrequentRefusals(errorReplies("http://docs.test"));
    refusals.outOfQuota(PLAN, { used: 10_000, quota: MONTH });
    const text = textOf(refusals.outOfQuota(PLAN, month));
    expect(text).toContain(message);
    expect(text).toContain(`renews in ${seconds} s`);
    expect(text).toContain(`Retry-After: ${seconds}\r\n`);
  });

  test("is not told to one who has to wait longer, or has another plan", () => {
    const refusals = new FrequentRefusals(errorReplies("http://docs.test"));
    const free = BUILT_IN_PLANS.get("free")!; // it is built in
    refusals.rateLimited(PLAN, 7);
    const longer = textOf(refusals.rateLimited(PLAN, 8));
    expect(longer).toContain('"developer\\" allows 60 requests');
    expect(longer).toContain("Retry-After: 8\r\n");
    const other = textOf(refusals.rateLimited(free, 7));
    expect(other).toContain('"free\\" allows 10 requests');
    expect(other).toContain("Retry-After: 7\r\n");
  });
});
