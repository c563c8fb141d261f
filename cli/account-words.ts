import { type Command } from "commander";
import type { AccountRecord } from "../accounts/admin.ts";
import { UsageError } from "./usage-error.ts";
import { jsonOption, plansOption, stateOption, settable } from "./shared-options.ts";
import { instant, instantOrNull } from "./text-table.ts";

export function accountsSubcommand(parent: Command, name: string, description: string): Command {
  return parent
    .command(name)
    .description(description)
    .addOption(stateOption())
    .addOption(plansOption())
    .addOption(jsonOption());
}

export function withAccount(command: Command): Command {
  return command
    .argument("[account]", "its id or e-mail address")
    .addOption(settable("--account <id>", "its id or e-mail address, in place of the argument"))
    .addOption(settable("--email <email>", "its e-mail address, in place of the argument"));
}

const ACCOUNT_OPTIONS = ["account", "email"] as const;

/** The account that the command line names, by a word or an option but not twice; otherwise the one a variable names. */
export function accountOf(word: string | undefined, command: Command): string {
  const valueOf = (name: string) => command.getOptionValue(name) as string | undefined;
  const [option, other] = ACCOUNT_OPTIONS.filter(
    (name) => command.getOptionValueSource(name) === "cli",
  );
  if (option !== undefined && word !== undefined) throw givenTwice("account", word, option);
  if (option !== undefined && other !== undefined) {
    throw new UsageError(`the account is given twice: by --${option} and by --${other}`);
  }
  const wanted = word ?? valueOf(option ?? "account") ?? valueOf("email");
  if (wanted === undefined)
    throw new UsageError("missing the account: give its id or e-mail address");
  return wanted;
}

/** Whether an option names the account, or, if variables count, a variable. */
export function isNamedByOption(command: Command, variablesCount: boolean): boolean {
  const sources = ACCOUNT_OPTIONS.map((name) => command.getOptionValueSource(name));
  return sources.includes("cli") || (sources.includes("env") && variablesCount);
}

export function givenTwice(what: string, word: string, option: string): UsageError {
  return new UsageError(`the ${what} is given twice: as "${word}" and by --${option}`);
}

export function accountJson(account: AccountRecord) {
  const { id, email, plan, createdMs, trialEndsMs, suspendedMs } = account;
  return {
    account_id: id,
    email,
    plan,
    created_at: instant(createdMs),
    trial_ends_at: instantOrNull(trialEndsMs),
    suspended_at: instantOrNull(suspendedMs),
  };
}
