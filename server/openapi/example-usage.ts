import { BUILT_IN_PLANS } from "../accounts/plans.ts";
import { usageOf } from "../routes/usage.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";

const MONTH = { period: "2026-02", endsMs: Date.parse("2026-03-01T00:00:00Z") };
const PLAN = BUILT_IN_PLANS.get("developer")!; // it is on the price list

/** The usage of a made-up account. */
export function exampleUsage(snapshot: SnapshotData): object {
  const key = { accountId: "acc_4fQzK0pVw1nXc8Ty", expiresMs: null, revokedMs: null };
  return usageOf(snapshot, {
    caller: { accountId: key.accountId, keyId: "key_9dLx2MvR7aQe", env: "live", plan: PLAN },
    rateWindow: { limit: 60, remaining: 59, resetSeconds: 60, windowSeconds: 60 },
    quotaState: {
      used: 42,
      quota: { limit: 10_000, remaining: 9_958, resetSeconds: 1_209_600, windowSeconds: 2_419_200 },
    },
    running: 1,
    report: {
      allowances: [
        { env: "live", used: 42, limit: 10_000, ...MONTH },
        { env: "test", used: 3, limit: 100, ...MONTH },
      ],
      keys: [
        {
          ...key,
          id: "key_9dLx2MvR7aQe",
          env: "live",
          prefix: "hs_live_7Hq2",
          lastFour: "x0Zd",
          createdMs: Date.parse("2026-01-05T09:30:00Z"),
          lastUsedMs: Date.parse("2026-02-15T00:00:00Z"),
        },
      ],
      endpoints: [
        { day: "2026-02-14", env: "live", endpoint: "/backtests", calls: 1, units: 10 },
        { day: "2026-02-14", env: "live", endpoint: "/dca", calls: 32, units: 32 },
        { day: "2026-02-14", env: "test", endpoint: "/signals", calls: 3, units: 3 },
      ],
    },
  });
}
