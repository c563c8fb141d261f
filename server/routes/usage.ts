import { z } from "zod";
import type { Allowance, Caller, QuotaState } from "../accounts/accounts.ts";
import type { AccountReport, AllowanceUsage, KeyRecord } from "../accounts/admin.ts";
import { PlanAnswer, planAnswer } from "../accounts/plan.ts";
import { instantOf, instantOrNull } from "./answer-values.ts";
import { Attribution, attributionOf } from "./attribution.ts";
import type { UsageEndpoint } from "./endpoint.ts";
import type { SnapshotData } from "./snapshot-data.ts";

const env = z.enum(["live", "test"]).describe("environment of the keys it is for");

const Quota = z
  .strictObject({
    env,
    period: z.string().describe('the UTC month, such as "2026-02", or "trial"'),
    used: z.int(),
    limit: z.int(),
    remaining: z.int(),
    resets_at: z.iso.datetime().describe("first instant of the next month; of a trial, its end"),
  })
  .meta({ id: "Quota", description: "Calls of a month, or of a trial, and what is left of them." });

const Key = z.strictObject({
  id: z.string(),
  env,
  prefix: z.string().describe("the first characters of the key"),
  last_four: z.string().describe("its last four"),
  created_at: z.iso.datetime(),
  last_used_at: instantOrNull("to the minute; null if it was never used"),
  expires_at: instantOrNull("when a rotated key stops working; null if it has no end"),
  current: z.boolean().describe("true for the key of this request"),
});

const Calls = z.strictObject({
  date: z.iso.date().describe("UTC day"),
  env,
  endpoint: z.string().describe('path after the base, such as "/dca"'),
  calls: z.int().describe("calls that were charged"),
  units: z.int().describe("units they were charged, less those refunded"),
});

const Usage = z.strictObject({
  attribution: Attribution,
  account_id: z.string(),
  plan: PlanAnswer.extend({
    trial_ends_at: instantOrNull("null if the account is not on a trial"),
  }).describe("the plan in force, as it applies to the key of this request"),
  quota: Quota.describe("of the key of this request, as in `meta.quota`"),
  other_quota: Quota.describe("of the account's keys for the other environment"),
  rate: z
    .strictObject({
      limit: z.int(),
      remaining: z.int().describe("after this request"),
      window_seconds: z.int(),
      reset_seconds: z.int().describe("until more is available"),
    })
    .describe("the rate limit window, which all keys of the account share"),
  backtests_running: z.int().describe("backtests of the account, queued or running"),
  keys: z.array(Key).describe("keys in force, oldest first; never the keys themselves"),
  calls: z
    .array(Calls)
    .describe("charged calls of this UTC month by day and endpoint, oldest first"),
});

/** GET /usage */
export const usage: UsageEndpoint = {
  kind: "usage",
  path: "/usage",
  operationId: "getUsage",
  tag: "Account",
  summary: "The account's plan, limits, keys and usage",
  description:
    "What the calling account has used and what it has left. Free: it costs no call, but counts for the rate limit. Live and test keys have a quota each; `quota` is that of the key of this request.",
  data: Usage,
};

/** The facts that an account's answer is made from. */
interface UsageFacts {
  readonly caller: Caller;
  readonly report: AccountReport;
  /** The quota of the caller, as `meta` states it. */
  readonly quotaState: QuotaState;
  readonly rateWindow: Allowance;
  readonly running: number;
}

/** `data` of an account. */
export function usageOf(snapshot: SnapshotData, facts: UsageFacts): z.output<typeof Usage> {
  const { caller, report, quotaState, rateWindow } = facts;
  const own = report.allowances.find((each) => each.env === caller.env);
  const other = report.allowances.find((each) => each.env !== caller.env);
  if (own === undefined || other === undefined) throw new Error("a report lacks an allowance");
  const { used, quota } = quotaState;
  const trial = report.allowances.find((each) => each.period === "trial");
  return {
    attribution: attributionOf(snapshot),
    account_id: caller.accountId,
    plan: { ...planAnswer(caller.plan), trial_ends_at: instantOf(trial?.endsMs ?? null) },
    // Uses the figures of `meta`, which were read last, because the two must not disagree within one answer.
    quota: { ...quotaOf(own), used, limit: quota.limit, remaining: quota.remaining },
    other_quota: quotaOf(other),
    rate: {
      limit: rateWindow.limit,
      remaining: rateWindow.remaining,
      window_seconds: rateWindow.windowSeconds,
      reset_seconds: rateWindow.resetSeconds,
    },
    backtests_running: facts.running,
    keys: report.keys.map((key) => keyOf(key, caller)),
    calls: report.endpoints.map(({ day, ...calls }) => ({ date: day, ...calls })),
  };
}

function quotaOf({ env, period, used, limit, endsMs }: AllowanceUsage): z.output<typeof Quota> {
  const remaining = Math.max(0, limit - used);
  return { env, period, used, limit, remaining, resets_at: new Date(endsMs).toISOString() };
}

function keyOf(key: KeyRecord, caller: Caller): z.output<typeof Key> {
  return {
    id: key.id,
    env: key.env,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: new Date(key.createdMs).toISOString(),
    last_used_at: instantOf(key.lastUsedMs),
    expires_at: instantOf(key.expiresMs),
    current: key.id === caller.keyId,
  };
}
