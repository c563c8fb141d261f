import { InvalidArgumentError } from "commander";
import { type PageEnd, type PeriodUsage, usageCsv } from "../../server/accounts/admin.ts";
import type { AccountsAdmin } from "../../server/accounts/accounts-admin.ts";
import { textTable } from "./text-table.ts";
import { withAdminIfAny, type StateOptions } from "./with-admin.ts";

/** Accounts read at once while listing, so that a list of a million takes no more memory than a short one. */
export const PAGE_ROWS = 1_000;

const TITLES = ["account", "plan", "keys", "period", "used"];

interface UsageOptions extends StateOptions {
  readonly since: string;
  readonly csv?: true;
}

export function parseMonth(value: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(value)) return value;
  throw new InvalidArgumentError("Allowed is a month such as 2026-01.");
}

/** What accounts used: as a table, as CSV, or as JSON. */
export async function listUsage({ since, csv, ...options }: UsageOptions): Promise<void> {
  let listed = 0;
  const print = (rows: readonly PeriodUsage[]) => {
    const isFirst = listed === 0;
    listed += rows.length;
    if (csv === true) process.stdout.write(usageCsv(rows, { withTitles: isFirst }));
    else if (options.json === true)
      for (const row of rows) console.log(JSON.stringify(rowJson(row)));
    else
      for (const line of textTable(TITLES, rows.map(rowText)).slice(isFirst ? 0 : 1))
        console.log(line);
  };
  await withAdminIfAny(options, (admin) => eachPage(admin, since, print));
  if (listed === 0 && csv === true) process.stdout.write(usageCsv([]));
  else if (listed === 0 && options.json !== true) console.log("No usage.");
}

/** A page of accounts may have no usage, so accounts tell where it ends. */
async function eachPage(
  admin: AccountsAdmin,
  since: string,
  visit: (rows: readonly PeriodUsage[]) => void,
): Promise<void> {
  let after: PageEnd | undefined;
  for (;;) {
    const rows = await admin.listUsage(after, PAGE_ROWS, since);
    if (rows.length > 0) visit(rows);
    after = (await admin.listAccounts(after, PAGE_ROWS)).at(-1);
    if (after === undefined) return;
  }
}

function rowText({ accountId, plan, env, period, used }: PeriodUsage): readonly string[] {
  return [accountId ?? "(gone)", plan, env, period, used.toLocaleString("en-US")];
}

function rowJson({ accountId, plan, env, period, used }: PeriodUsage) {
  return { account_id: accountId, plan, env, period, used };
}
