import { dayOfDate } from "../quant/calendar.ts";
import { attribution } from "./attribution.ts";
import { date, flag, instant, int, list, number, object, oneOf, text } from "./members.ts";
import { facts } from "./record.ts";

const env = oneOf(["live", "test"])("environment of the keys it is for");

export const PlanInForce = facts()({
  name: text(),
  price_usd: number.orNull("dollars a month"),
  calls_per_month: int("on a trial, calls in all"),
  rate_per_minute: int(),
  backtest_units: int.orNull(
    "units one backtest costs; null where there are no backtests, as for test keys",
  ),
  concurrent_runs: int.orNull("backtests queued or running"),
  check_units: int("units one check of a file costs"),
  trial_ends_at: instant.orNull("null if the account is not on a trial"),
});

export const Quota = facts({
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
    (quota: { readonly endsMs: number }) => quota.endsMs,
  ),
});

const Rate = facts()({
  limit: int(),
  remaining: int("after this request"),
  window_seconds: int(),
  reset_seconds: int("until more is available"),
});

const Key = facts()({
  id: text(),
  env,
  prefix: text("the first characters of the key"),
  last_four: text("its last four"),
  created_at: instant(),
  last_used_at: instant.orNull("to the minute; null if it was never used"),
  expires_at: instant.orNull("when a rotated key stops working; null if it has no end"),
  current: flag("true for the key of this request"),
});

export const CallsOfDay = facts()({
  date: date("UTC day", (calls: { readonly day: string }) => dayOfDate(calls.day)!), // stored as text
  env,
  endpoint: text('path after the base, such as "/dca"'),
  calls: int("calls that were charged"),
  units: int("units they were charged, less those refunded"),
});

/** `GET /usage` */
export const Usage = facts()({
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
