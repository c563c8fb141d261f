import { CallsOfDay, Usage } from "../../api/usage.ts";
import { tableOf } from "../../api/table.ts";
import type { Allowance, Caller, QuotaState } from "../../accounts/accounts.ts";
import type { AccountReport, AllowanceUsage } from "../../accounts/admin.ts";
import type { UsageEndpoint } from "./endpoint.ts";
import { originOf, type SnapshotData } from "./snapshot-data.ts";

/** GET /usage */
export const usage: UsageEndpoint<typeof Usage> = {
  kind: "usage",
  path: "/usage",
  operationId: "getUsage",
  tag: "Account",
  summary: "The account's plan, limits, keys and usage",
  description:
    "What the calling account has used and what it has left. Free: it costs no call, but counts for the rate limit. Live and test keys have a quota each; `quota` is that of the key of this request.",
  data: Usage,
  rows: ({ calls }) => tableOf("calls", CallsOfDay, calls),
};

interface UsageFacts {
  readonly caller: Caller;
  readonly report: AccountReport;
  /** The quota of the caller, as `meta` states it. */
  readonly quotaState: QuotaState;
  readonly rateWindow: Allowance;
  readonly running: number;
}

export function usageOf(snapshot: SnapshotData, facts: UsageFacts) {
  const { caller, report, quotaState, rateWindow } = facts;
  const own = report.allowances.find((each) => each.env === caller.env);
  const other = report.allowances.find((each) => each.env !== caller.env);
  if (own === undefined || other === undefined) throw new Error("a report lacks an allowance");
  const { used, quota } = quotaState;
  const trial = report.allowances.find((each) => each.period === "trial");
  return Usage.from({
    origin: originOf(snapshot),
    accountId: caller.accountId,
    plan: { ...caller.plan, trialEndsMs: trial?.endsMs ?? null },
    // The figures of `meta`, which were read last: the two must not disagree within one answer.
    quota: { ...own, used, limit: quota.limit, remaining: quota.remaining },
    otherQuota: quotaOf(other),
    rate: rateWindow,
    backtestsRunning: facts.running,
    keys: report.keys.map((key) => ({ ...key, current: key.id === caller.keyId })),
    calls: report.endpoints,
  });
}

function quotaOf(allowance: AllowanceUsage) {
  return { ...allowance, remaining: Math.max(0, allowance.limit - allowance.used) };
}
