import type { AccountsAdmin } from "../accounts/accounts-admin.ts";
import {
  usageCsv,
  type AccountRecord,
  type ChangeLine,
  type PageEnd,
  type PeriodUsage,
} from "../accounts/admin.ts";
import { UsageError } from "./usage-error.ts";
import { accountJson } from "./account-words.ts";
import { instant, textTable } from "./text-table.ts";
import { shownState, withAdmin, type StateOptions } from "./with-admin.ts";

/** Rows read at once, so that a list of a million takes no more memory than a short one. */
const PAGE_ROWS = 1_000;

interface Listing<Row> {
  readonly titles: readonly string[];
  readonly cells: (row: Row) => readonly string[];
  readonly json: (row: Row) => object;
  /** What is printed for people if there is no row. */
  readonly none: string;
  /** Whether JSON is one array instead of a line for each row. */
  readonly isArray?: true;
}

/** Prints a list page by page. */
async function printList<Row>(
  options: StateOptions,
  { titles, cells, json, none, isArray }: Listing<Row>,
  pages: (admin: AccountsAdmin) => AsyncIterable<readonly Row[]>,
): Promise<void> {
  let listed = 0;
  const jsonLine = (row: Row) =>
    (isArray ? (listed++ === 0 ? "[" : ",") : "") + JSON.stringify(json(row));
  await withAdmin(options, { mustExist: true }, async (admin) => {
    for await (const rows of pages(admin)) {
      if (options.json === true) for (const row of rows) console.log(jsonLine(row));
      else {
        const lines = textTable(titles, rows.map(cells));
        for (const line of listed === 0 ? lines : lines.slice(1)) console.log(line);
        listed += rows.length;
      }
    }
  });
  if (options.json !== true && listed === 0) console.log(none);
  if (options.json === true && isArray) console.log(listed === 0 ? "[]" : "]");
}

interface ListOptions extends StateOptions {
  readonly usage?: true;
  readonly since: string;
  readonly csv?: true;
}

/** `hindsight accounts list`. */
export async function listAccounts(options: ListOptions): Promise<void> {
  const { usage, since, csv } = options;
  if (usage === true) return await (csv === true ? printUsageCsv(options) : listUsage(options));
  if (csv === true || since !== "") throw new UsageError("--csv and --since belong to --usage");
  const listing: Listing<AccountRecord> = {
    titles: ["account", "plan", "created", "e-mail"],
    // The plan is padded so that the pages of a long list line up.
    cells: ({ id, plan, createdMs, email, suspendedMs }) => {
      const state = suspendedMs === null ? "" : ` suspended ${instant(suspendedMs)}`;
      return [id, plan.padEnd("developer".length), instant(createdMs), email + state];
    },
    json: accountJson,
    none: `No accounts in ${shownState(options.state)}.`,
    isArray: true,
  };
  await printList(options, listing, async function* (admin) {
    let page = await admin.listAccounts(undefined, PAGE_ROWS);
    while (page.length > 0) {
      yield page;
      page = await admin.listAccounts(page.at(-1), PAGE_ROWS);
    }
  });
}

const USAGE: Listing<PeriodUsage> = {
  titles: ["account", "plan", "keys", "period", "used"],
  cells: ({ accountId, plan, env, period, used }) => {
    return [accountId ?? "(gone)", plan, env, period, used.toLocaleString("en-US")];
  },
  json: ({ accountId, plan, env, period, used }) => {
    return { account_id: accountId, plan, env, period, used };
  },
  none: "No usage.",
};

async function listUsage(options: ListOptions): Promise<void> {
  await printList(options, USAGE, (admin) => usagePages(admin, options.since));
}

async function printUsageCsv(options: ListOptions): Promise<void> {
  let withTitles = true;
  await withAdmin(options, { mustExist: true }, async (admin) => {
    for await (const rows of usagePages(admin, options.since)) {
      process.stdout.write(usageCsv(rows, { withTitles }));
      withTitles = false;
    }
  });
  if (withTitles) process.stdout.write(usageCsv([]));
}

/** A page of accounts may have no usage, so the accounts say where the list ends. */
async function* usagePages(admin: AccountsAdmin, since: string) {
  let after: PageEnd | undefined;
  do {
    const rows = await admin.listUsage(after, PAGE_ROWS, since);
    if (rows.length > 0) yield rows;
    after = (await admin.listAccounts(after, PAGE_ROWS)).at(-1);
  } while (after !== undefined);
}

const CHANGES: Listing<ChangeLine> = {
  titles: ["when", "who", "account", "what"],
  cells: ({ atMs, who, accountId, what }) => {
    return [instant(atMs), who.padEnd("command".length), accountId, what];
  },
  json: ({ number, atMs, who, what, accountId }) => {
    return { number, at: instant(atMs), who, what, account_id: accountId };
  },
  none: "No changes.",
};

interface LogOptions extends StateOptions {
  readonly account?: string;
}

/** `hindsight accounts log`. */
export async function listChanges(options: LogOptions): Promise<void> {
  const { account } = options;
  await printList(options, CHANGES, async function* (admin) {
    let lines = await admin.listChanges(0, PAGE_ROWS);
    while (lines.length > 0) {
      const shown = lines.filter(({ accountId }) => (account ?? accountId) === accountId);
      if (shown.length > 0) yield shown;
      lines = await admin.listChanges(lines.at(-1)!.number, PAGE_ROWS); // there is one
    }
  });
}
