import { Option, type Command } from "commander";
import type { AccountRecord, ChangeLine } from "../../server/accounts/admin.ts";
import type { AccountsAdmin } from "../../server/accounts/accounts-admin.ts";
import { UsageError } from "../support/usage-error.ts";
import { accountJson, accountOf, accountsSubcommand, withAccount } from "./account-words.ts";
import { PAGE_ROWS } from "./account-usage.ts";
import { instant, textTable } from "./text-table.ts";
import { withAdmin, withAdminIfAny, type StateOptions } from "./with-admin.ts";

interface Verb {
  readonly name: string;
  readonly description: string;
  readonly run: (admin: AccountsAdmin, id: string) => Promise<AccountRecord>;
  readonly said: (account: AccountRecord) => string;
}

const VERBS: readonly Verb[] = [
  {
    name: "suspend",
    description: "let none of an account's keys hold, and nobody sign in to it",
    run: (admin, id) => admin.suspend(id),
    said: ({ id }) => `Account ${id} is suspended.`,
  },
  {
    name: "resume",
    description: "end a suspension",
    run: (admin, id) => admin.resume(id),
    said: ({ id }) => `Account ${id} is in use again.`,
  },
];

interface AddressOptions extends StateOptions {
  readonly to?: string;
}

interface DeleteOptions extends StateOptions {
  readonly yes?: true;
}

interface LogOptions extends StateOptions {
  readonly account?: string;
}

/** `hindsight accounts suspend | resume | address | delete | log`. */
export function addAccountChanges(command: Command): void {
  for (const verb of VERBS) {
    withAccount(accountsSubcommand(command, verb.name, verb.description)).action(
      (given: string | undefined, options: StateOptions, own: Command) =>
        change(accountOf(given, own), options, verb),
    );
  }
  withAccount(accountsSubcommand(command, "address", "give an account another e-mail address"))
    .addOption(new Option("--to <email>", "its new address"))
    .action(changeAddress);
  withAccount(
    accountsSubcommand(command, "delete", "delete an account with its keys, jobs and results"),
  )
    // Not settable by a variable: one left over would delete another account.
    .addOption(new Option("--yes", "really"))
    .action(deleteAccount);
  accountsSubcommand(command, "log", "every change of an account in the last year")
    .addOption(new Option("--account <id>", "of one account, by its id"))
    .action(listChanges);
}

async function change(
  wanted: string,
  options: StateOptions,
  { run, said }: Pick<Verb, "run" | "said">,
): Promise<void> {
  await withAdmin(options, { mustExist: true }, async (admin) => {
    const { id } = await admin.findAccount(wanted);
    const changed = await run(admin, id);
    console.log(options.json === true ? JSON.stringify(accountJson(changed)) : said(changed));
  });
}

async function changeAddress(
  given: string | undefined,
  options: AddressOptions,
  command: Command,
): Promise<void> {
  const { to } = options;
  if (to === undefined) throw new UsageError("missing the new address: --to ADDRESS");
  await change(accountOf(given, command), options, {
    run: (admin, id) => admin.changeAddress(id, to),
    said: ({ id, email }) => `Account ${id} has the address ${email}.`,
  });
}

async function deleteAccount(
  given: string | undefined,
  options: DeleteOptions,
  command: Command,
): Promise<void> {
  const wanted = accountOf(given, command);
  if (options.yes !== true) {
    throw new UsageError(`this deletes the account "${wanted}" for good: add --yes`);
  }
  await change(wanted, options, {
    run: (admin, id) => admin.deleteAccount(id),
    said: ({ id }) => `Account ${id} is deleted.`,
  });
}

async function listChanges(options: LogOptions): Promise<void> {
  const { account, json } = options;
  let listed = 0;
  const print = (lines: readonly ChangeLine[]) => {
    const shown = lines.filter(({ accountId }) => account === undefined || accountId === account);
    if (json === true) for (const line of shown) console.log(JSON.stringify(lineJson(line)));
    else
      for (const line of textTable(TITLES, shown.map(lineText)).slice(listed === 0 ? 0 : 1))
        console.log(line);
    listed += shown.length;
  };
  await withAdminIfAny(options, async (admin) => {
    let lines = await admin.listChanges(0, PAGE_ROWS);
    while (lines.length > 0) {
      print(lines);
      lines = await admin.listChanges(lines.at(-1)?.number ?? 0, PAGE_ROWS);
    }
  });
  if (listed === 0 && json !== true) console.log("No changes.");
}

const TITLES = ["when", "who", "account", "what"];

function lineText({ atMs, who, accountId, what }: ChangeLine): readonly string[] {
  return [instant(atMs), who.padEnd("command".length), accountId, what];
}

function lineJson({ number, atMs, who, what, accountId }: ChangeLine) {
  return { number, at: instant(atMs), who, what, account_id: accountId };
}
