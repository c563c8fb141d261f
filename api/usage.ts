import { dayOfDate } from "../quant/calendar.ts";
import { attribution, type Attributed } from "./attribution.ts";
import { date, flag, instant, int, list, number, object, oneOf, text } from "./members.ts";
import { record } from "./record.ts";

type Environment = "live" | "test";

const env = oneOf(["live", "test"])(
  "environment of the keys it is for",
  (key: { readonly env: Environment }) => key.env,
);

interface Plan {
  readonly name: string;
  readonly priceUsd: number | null;
  readonly callsPerMonth: number;
  readonly ratePerMinute: number;
  readonly backtestUnits: number | null;
  readonly concurrentRuns: number | null;
  readonly checkUnits: number;
  readonly trialEndsMs: number | null;
}

export const PlanInForce = record<Plan>()({
  name: text(),
  price_usd: number.orNull("dollars a month"),
  calls_per_month: int("on a trial, calls in all"),
  rate_per_minute: int(),
  backtest_units: int.orNull(
    "units one backtest costs; null where there are no backtests, as for test keys",
  ),
  concurrent_runs: int.orNull("backtests queued or running"),
  check_units: int("units one check of a file costs"),
  trial_ends_at: instant.orNull(
    "null if the account is not on a trial",
    (plan) => plan.trialEndsMs,
  ),
});

interface QuotaOfKeys {
  readonly env: Environment;
  readonly period: string;
  readonly used: number;
  readonly limit: number;
  readonly remaining: number;
  readonly endsMs: number;
}

const Quota = record<QuotaOfKeys>({
  id: "Quota",
  description: "Calls of a month, or of a trial, and what is left of them.",
})({
  env,
  period: text('the UTC month, such as "2026-02", or "trial"'),
  used: int(),
  limit: int(),
  remaining: int(),
  resets_at: instant(
    "first instant of the next month; of a trial, its end",
    (quota) => quota.endsMs,
  ),
});

interface Window {
  readonly limit: number;
  readonly remaining: number;
  readonly windowSeconds: number;
  readonly resetSeconds: number;
}

const Rate = record<Window>()({
  limit: int(),
  remaining: int("after this request"),
  window_seconds: int(),
  reset_seconds: int("until more is available"),
});

interface KeyInForce {
  readonly id: string;
  readonly env: Environment;
  readonly prefix: string;
  readonly lastFour: string;
  readonly createdMs: number;
  readonly lastUsedMs: number | null;
  readonly expiresMs: number | null;
  readonly isCurrent: boolean;
}

const Key = record<KeyInForce>()({
  id: text(),
  env,
  prefix: text("the first characters of the key"),
  last_four: text("its last four"),
  created_at: instant("", (key) => key.createdMs),
  last_used_at: instant.orNull("to the minute; null if it was never used", (key) => key.lastUsedMs),
  expires_at: instant.orNull(
    "when a rotated key stops working; null if it has no end",
    (key) => key.expiresMs,
  ),
  current: flag("true for the key of this request", (key) => key.isCurrent),
});

interface CallsOfDayFacts {
  readonly day: string;
  readonly env: Environment;
  readonly endpoint: string;
  readonly calls: number;
  readonly units: number;
}

export const CallsOfDay = record<CallsOfDayFacts>()({
  date: date("UTC day", (calls) => dayOfDate(calls.day)!), // stored as text
  env,
  endpoint: text('path after the base, such as "/dca"'),
  calls: int("calls that were charged"),
  units: int("units they were charged, less those refunded"),
});

interface Account extends Attributed {
  readonly accountId: string;
  readonly plan: Plan;
  readonly quota: QuotaOfKeys;
  readonly otherQuota: QuotaOfKeys;
  readonly rate: Window;
  readonly backtestsRunning: number;
  readonly keys: readonly KeyInForce[];
  readonly calls: readonly CallsOfDayFacts[];
}

/** `GET /usage` */
export const Usage = record<Account>()({
  attribution,
  account_id: text("the account of the key"),
  plan: object(PlanInForce)("the plan in force, as it applies to the key of this request"),
  quota: object(Quota)("of the key of this request, as in `meta.quota`"),
  other_quota: object(Quota)("of the account's keys for the other environment"),
  rate: object(Rate)("the rate limit window, which all keys of the account share"),
  backtests_running: int(
    "backtests of the account, queued or running, limited by `concurrent_runs` of its plan",
  ),
  keys: list(Key)("keys in force, oldest first; never the keys themselves"),
  calls: list(CallsOfDay)(
    "charged calls of this UTC month by day and endpoint, oldest first; a refunded backtest remains as a call of 0 units",
  ),
});
