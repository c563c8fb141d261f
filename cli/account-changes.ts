import { Option, type Command } from "commander";
import type { AccountRecord } from "../accounts/admin.ts";
import type { AccountsAdmin } from "../accounts/accounts-admin.ts";
import { UsageError } from "./usage-error.ts";
import { accountJson, accountOf, accountsSubcommand, withAccount } from "./account-words.ts";
import { printed } from "./text-table.ts";
import { withAdmin, type StateOptions } from "./with-admin.ts";

interface Verb {
  readonly run: (admin: AccountsAdmin, id: string) => Promise<AccountRecord>;
  readonly said: (account: AccountRecord) => string;
}

const SUSPEND: Verb = {
  run: (admin, id) => admin.suspend(id),
  said: ({ id }) => `Account ${id} is suspended.`,
};
const RESUME: Verb = {
  run: (admin, id) => admin.resume(id),
  said: ({ id }) => `Account ${id} is in use again.`,
};
const DELETE: Verb = {
  run: (admin, id) => admin.deleteAccount(id),
  said: ({ id }) => `Account ${id} is deleted.`,
};

interface Options extends StateOptions {
  readonly to?: string;
  readonly yes?: true;
}

/** `hindsight accounts suspend | resume | address | delete`. */
export function addAccountChanges(command: Command): void {
  const add = (
    name: string,
    description: string,
    verbOf: (account: string, options: Options) => Verb,
  ) =>
    withAccount(accountsSubcommand(command, name, description)).action(
      async (given: string | undefined, options: Options, own: Command) => {
        const account = accountOf(given, own);
        await change(account, options, verbOf(account, options));
      },
    );
  add("suspend", "let none of an account's keys work, and no one sign in to it", () => SUSPEND);
  add("resume", "end a suspension", () => RESUME);
  add("address", "give an account another e-mail address", (_, { to }) => {
    if (to === undefined) throw new UsageError("missing the new address: --to ADDRESS");
    return {
      run: (admin, id) => admin.changeAddress(id, to),
      said: ({ id, email }) => `Account ${id} has the address ${email}.`,
    };
  }).addOption(new Option("--to <email>", "its new address"));
  add("delete", "delete an account with its keys, jobs and results", (account, { yes }) => {
    if (yes === true) return DELETE;
    throw new UsageError(`this deletes the account "${account}" for good: add --yes`);
  })
    // Not settable by a variable: one left over would delete another account.
    .addOption(new Option("--yes", "really"));
}

async function change(account: string, options: StateOptions, { run, said }: Verb): Promise<void> {
  await withAdmin(options, { mustExist: true }, async (admin) => {
    const { id } = await admin.findAccount(account);
    const changed = await run(admin, id);
    console.log(printed(options, accountJson(changed), said(changed)));
  });
}
