import { Command, Option } from "commander";
import { settable } from "./shared-options.ts";
import type { AccountRecord, AccountUsage, KeyRecord } from "../../server/accounts/admin.ts";
import type { AccountsAdmin } from "../../server/accounts/accounts-admin.ts";
import { TRIAL, type PlanTable } from "../../server/accounts/plans.ts";
import { UsageError } from "../support/usage-error.ts";
import { keyJson, keyRows, KEY_TITLES, printKey } from "./keys.ts";
import {
  checkPlanName,
  shownState,
  withAdmin,
  withAdminIfAny,
  type StateOptions,
} from "./with-admin.ts";
import {
  accountJson,
  accountOf,
  accountsSubcommand,
  givenTwice,
  isNamedByOption,
  withAccount,
} from "./account-words.ts";
import { addAccountChanges } from "./account-changes.ts";
import { listUsage, PAGE_ROWS, parseMonth } from "./account-usage.ts";
import { instant, textTable } from "./text-table.ts";

interface CreateOptions extends StateOptions {
  readonly email: string;
  readonly plan: string;
}

interface PlanOptions extends StateOptions {
  readonly plan?: string;
}

/** `hindsight accounts create | list | show | set-plan | suspend | resume | address | delete | log`. */
export function accountsCommand(): Command {
  const command = new Command("accounts").description(
    "create, list and show accounts, change and delete them",
  );
  accountsSubcommand(
    command,
    "create",
    "make an account and its first live key, which is shown once",
  )
    .addOption(
      settable(
        "--email <email>",
        "the account's e-mail address; one account per address, whatever its case",
      ).makeOptionMandatory(),
    )
    .addOption(
      settable(
        "--plan <plan>",
        "free, trial, developer, startup, scale or a name from --plans",
      ).default(TRIAL),
    )
    .action(create);
  accountsSubcommand(command, "list", "every account, the oldest first")
    .addOption(new Option("--usage", "what each used, by period, and those that are gone in sum"))
    .addOption(
      new Option("--since <month>", "with --usage: from a month on, such as 2026-01")
        .default("")
        .argParser(parseMonth),
    )
    .addOption(new Option("--csv", "with --usage: CSV, for programs"))
    .action(list);
  withAccount(accountsSubcommand(command, "show", "one account: plan, usage and keys")).action(
    show,
  );
  withAccount(
    accountsSubcommand(command, "set-plan", "change an account's plan from its next request on"),
  )
    .argument("[plan]", "name of the plan")
    // Not settable by a variable: one left over from making an account would change another's plan.
    .addOption(new Option("--plan <plan>", "its name, in place of the second word"))
    .action(setPlan);
  addAccountChanges(command);
  return command;
}

async function create(options: CreateOptions): Promise<void> {
  await withAdmin(options, { mustExist: false }, async (admin, plans) => {
    checkPlanName(options.plan, plans);
    const { email, plan } = options;
    const { account, key, record } = await admin.createAccount({ email, plan });
    if (options.json === true) {
      const made = { account_id: account.id, key, plan: account.plan };
      await printKey(JSON.stringify(made), record);
      return;
    }
    const text = `Account ${account.id} for ${account.email} on ${planText(account, plans)}.

Its API key, shown this once and stored only as a hash:

  ${key}

Ask something (with \`hindsight serve\` running):

  curl -H 'Authorization: Bearer ${key}' 'http://127.0.0.1:8080/v1/signals?coin=btc'`;
    await printKey(text, record);
  });
}

interface ListOptions extends StateOptions {
  readonly usage?: true;
  readonly since: string;
  readonly csv?: true;
}

async function list(options: ListOptions): Promise<void> {
  if (options.usage === true) {
    await listUsage(options);
    return;
  }
  if (options.csv === true || options.since !== "") {
    throw new UsageError("--csv and --since belong to --usage");
  }
  const json = options.json === true;
  let listed = 0;
  const print = (accounts: readonly AccountRecord[]) => {
    if (json) {
      for (const account of accounts) {
        console.log((listed === 0 ? "[" : ",") + JSON.stringify(accountJson(account)));
        listed++;
      }
      return;
    }
    const lines = textTable(ACCOUNT_TITLES, accounts.map(accountRow));
    for (const line of listed === 0 ? lines : lines.slice(1)) console.log(line);
    listed += accounts.length;
  };
  await withAdminIfAny(options, (admin) => eachPage(admin, print));
  if (json) console.log(listed === 0 ? "[]" : "]");
  else if (listed === 0) console.log(`No accounts in ${shownState(options.state)}.`);
}

async function eachPage(
  admin: AccountsAdmin,
  visit: (page: readonly AccountRecord[]) => void,
): Promise<void> {
  let page = await admin.listAccounts(undefined, PAGE_ROWS);
  while (page.length > 0) {
    visit(page);
    page = await admin.listAccounts(page.at(-1), PAGE_ROWS);
  }
}

async function show(
  given: string | undefined,
  options: StateOptions,
  command: Command,
): Promise<void> {
  const wanted = accountOf(given, command);
  await withAdmin(options, { mustExist: true }, async (admin, plans) => {
    const account = await admin.findAccount(wanted);
    const keys = await admin.listKeys(account.id);
    // If usage cannot be read (a full disk, a plan missing from the table), an operator needs the rest most.
    const usage = await admin.usageOf(account.id).catch((error: unknown) => error as Error);
    if (options.json === true) {
      console.log(JSON.stringify(shownJson(account, usage, keys), null, 2));
    } else {
      console.log(`Account ${account.id} for ${account.email} on ${planText(account, plans)}.`);
      const { suspendedMs } = account;
      const state = suspendedMs === null ? "" : ` Suspended since ${instant(suspendedMs)}.`;
      console.log(`Created ${instant(account.createdMs)}.${state}\n`);
      for (const line of usage instanceof Error ? [] : usageLines(usage)) console.log(line);
      for (const line of ["", ...textTable(KEY_TITLES, keyRows(keys, Date.now()))])
        console.log(line);
    }
    if (usage instanceof Error) throw usage;
  });
}

function usageLines({ allowances }: AccountUsage): readonly string[] {
  return allowances.map(({ env, period, used, limit, endsMs }) => {
    const left = Math.max(0, limit - used);
    const keysText = env === "live" ? "Live keys" : "Test keys";
    return `${keysText}: ${count(used)} of ${count(limit)} calls used in ${periodText(period)}, ${count(left)} left until ${instant(endsMs)}.`;
  });
}

async function setPlan(
  first: string | undefined,
  second: string | undefined,
  options: PlanOptions,
  command: Command,
): Promise<void> {
  // With --account or --email, the only word left is the plan. The same holds if a variable names the
  // account, unless --plan is given.
  const isNamed = isNamedByOption(command, options.plan === undefined);
  const [account, word] = isNamed && second === undefined ? [undefined, first] : [first, second];
  const wanted = accountOf(account, command);
  if (word !== undefined && options.plan !== undefined) throw givenTwice("plan", word, "plan");
  const plan = word ?? options.plan;
  if (plan === undefined) {
    throw new UsageError("missing the plan: hindsight accounts set-plan ACCOUNT PLAN");
  }
  await withAdmin(options, { mustExist: true }, async (admin, plans) => {
    checkPlanName(plan, plans);
    const { id } = await admin.findAccount(wanted);
    const changed = await admin.setPlan(id, plan);
    if (options.json === true) console.log(JSON.stringify(accountJson(changed)));
    else
      console.log(
        `Account ${id} is on ${planText(changed, plans)} from its next request on; what it has used is kept.`,
      );
  });
}

const ACCOUNT_TITLES = ["account", "plan", "created", "e-mail"];

function accountRow({ id, plan, createdMs, email, suspendedMs }: AccountRecord): readonly string[] {
  // The plan is padded so that the pages of a long list line up.
  const state = suspendedMs === null ? "" : ` suspended ${instant(suspendedMs)}`;
  return [id, plan.padEnd("developer".length), instant(createdMs), email + state];
}

function shownJson(
  account: AccountRecord,
  usage: AccountUsage | Error,
  keys: readonly KeyRecord[],
) {
  return {
    ...accountJson(account),
    ...(usage instanceof Error ? { usage: null, endpoints: null } : usageJson(usage)),
    keys: keys.map(keyJson),
  };
}

function usageJson({ allowances, endpoints }: AccountUsage) {
  const usage = allowances.map(({ env, period, used, limit, endsMs }) => ({
    env,
    period,
    used,
    limit,
    remaining: Math.max(0, limit - used),
    ends_at: instant(endsMs),
  }));
  return { usage, endpoints };
}

function planText({ plan, trialEndsMs }: AccountRecord, plans: PlanTable): string {
  const row = plans.get(plan);
  if (row === undefined) return `the plan "${plan}", which the plan table does not have`;
  const span = trialEndsMs === null ? "a month" : `until ${instant(trialEndsMs)}, then free`;
  return `the plan "${plan}" (${count(row.callsPerMonth)} calls ${span}; ${count(row.ratePerMinute)} a minute)`;
}

function periodText(period: string): string {
  return period === TRIAL ? "the trial" : period;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
