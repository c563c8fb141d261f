import { Command, Option } from "commander";
import type { AccountRecord, AccountUsage } from "../accounts/admin.ts";
import { checkEmail } from "../accounts/email.ts";
import { TRIAL, type PlanTable } from "../accounts/plans.ts";
import { UsageError } from "./usage-error.ts";
import { addAccountChanges } from "./account-changes.ts";
import { listAccounts, listChanges } from "./account-lists.ts";
import {
  accountJson,
  accountOf,
  accountsSubcommand,
  givenTwice,
  isNamedByOption,
  withAccount,
} from "./account-words.ts";
import { keyJson, printKey, printKeys } from "./keys.ts";
import { allowed } from "./option-values.ts";
import { settable } from "./shared-options.ts";
import { instant, printed } from "./text-table.ts";
import { checkPlanName, withAdmin, type StateOptions } from "./with-admin.ts";

const month = allowed("is a month such as 2026-01", (text) =>
  /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text) ? text : undefined,
);

/** `hindsight accounts create | list | show | set-plan | suspend | resume | address | delete | log`. */
export function accountsCommand(): Command {
  const command = new Command("accounts");
  const add = (name: string, description: string) => accountsSubcommand(command, name, description);
  add("create", "make an account and its first live key, which is shown once")
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
  add("list", "every account, the oldest first")
    .addOption(new Option("--usage", "what each used, by period, and those that are gone in sum"))
    .addOption(
      new Option("--since <month>", "with --usage: from a month on, such as 2026-01")
        .default("")
        .argParser(month),
    )
    .addOption(new Option("--csv", "with --usage: CSV, for programs"))
    .action(listAccounts);
  withAccount(add("show", "one account: plan, usage and keys")).action(show);
  withAccount(add("set-plan", "change an account's plan from its next request on"))
    .argument("[plan]", "name of the plan")
    // Not settable by a variable: one left over from making an account would change another's plan.
    .addOption(new Option("--plan <plan>", "its name, in place of the second word"))
    .action(setPlan);
  addAccountChanges(command);
  add("log", "every change of an account in the last year")
    .addOption(new Option("--account <id>", "of one account, by its id"))
    .action(listChanges);
  return command;
}

interface CreateOptions extends StateOptions {
  readonly email: string;
  readonly plan: string;
}

async function create(options: CreateOptions): Promise<void> {
  const { email, plan } = options;
  const check = (plans: PlanTable) => {
    checkPlanName(plan, plans);
    checkEmail(email);
  };
  await withAdmin(options, { mustExist: false, check }, async (admin, plans) => {
    const { account, key, record } = await admin.createAccount({ email, plan });
    const made = { account_id: account.id, key, plan: account.plan };
    const text = `Account ${account.id} for ${account.email} on ${planText(account, plans)}.

Its API key, shown this once and stored only as a hash:

  ${key}

Ask something (with \`hindsight serve\` running):

  curl -H 'Authorization: Bearer ${key}' 'http://127.0.0.1:8080/v1/signals?coin=btc'`;
    await printKey(printed(options, made, text), record);
  });
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
    // Where usage cannot be read (a full disk, a plan missing from the table), an operator needs the rest all the more.
    const usage = await admin.usageOf(account.id).catch((error: unknown) => error as Error);
    if (options.json === true) {
      const used = usage instanceof Error ? { usage: null, endpoints: null } : usageJson(usage);
      const shown = { ...accountJson(account), ...used, keys: keys.map(keyJson) };
      console.log(JSON.stringify(shown, null, 2));
    } else {
      console.log(`Account ${account.id} for ${account.email} on ${planText(account, plans)}.`);
      const { suspendedMs } = account;
      const state = suspendedMs === null ? "" : ` Suspended since ${instant(suspendedMs)}.`;
      console.log(`Created ${instant(account.createdMs)}.${state}\n`);
      for (const line of usage instanceof Error ? [] : usageLines(usage)) console.log(line);
      console.log("");
      printKeys(keys);
    }
    if (usage instanceof Error) throw usage;
  });
}

function usageLines({ allowances }: AccountUsage): readonly string[] {
  return allowances.map(({ env, period, used, limit, endsMs }) => {
    const left = Math.max(0, limit - used);
    const keysText = env === "live" ? "Live keys" : "Test keys";
    return `${keysText}: ${count(used)} of ${count(limit)} calls used in ${period === TRIAL ? "the trial" : period}, ${count(left)} left until ${instant(endsMs)}.`;
  });
}

async function setPlan(
  first: string | undefined,
  second: string | undefined,
  options: StateOptions & { readonly plan?: string },
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
    const text = `Account ${id} is on ${planText(changed, plans)} from its next request on; what it has used is kept.`;
    console.log(printed(options, accountJson(changed), text));
  });
}

function usageJson({ allowances, endpoints }: AccountUsage) {
  const usage = allowances.map(({ env, period, used, limit, endsMs }) => {
    const remaining = Math.max(0, limit - used);
    return { env, period, used, limit, remaining, ends_at: instant(endsMs) };
  });
  return { usage, endpoints };
}

function planText({ plan, trialEndsMs }: AccountRecord, plans: PlanTable): string {
  const row = plans.get(plan);
  if (row === undefined) return `the plan "${plan}", which the plan table does not have`;
  const span = trialEndsMs === null ? "a month" : `until ${instant(trialEndsMs)}, then free`;
  return `the plan "${plan}" (${count(row.callsPerMonth)} calls ${span}; ${count(row.ratePerMinute)} a minute)`;
}

function count(value: number): string {
  return value.toLocaleString("en-US");
}
