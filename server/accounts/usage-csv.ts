import type { PeriodUsage } from "./admin.ts";

const TITLES = "account_id,plan,env,period,used";

/** Usage by account and period, as a billing system reads it. None of its texts needs quotes. */
export function usageCsv(rows: readonly PeriodUsage[], { withTitles = true } = {}): string {
  const lines = rows.map(({ accountId, plan, env, period, used }) =>
    [accountId ?? "", plan, env, period, used].join(","),
  );
  return [...(withTitles ? [TITLES] : []), ...lines].map((line) => `${line}\r\n`).join("");
}
