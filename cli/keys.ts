import { Command, Option } from "commander";
import type { KeyEnvironment } from "../accounts/keys.ts";
import { isInForce, type KeyRecord, type KeyReference, type NewKey } from "../accounts/admin.ts";
import { environmentOf, KEY_ENVIRONMENTS } from "../accounts/keys.ts";
import { isRedisAddress } from "../accounts/redis/address.ts";
import { UsageError } from "./usage-error.ts";
import { withAdmin, type StateOptions } from "./with-admin.ts";
import { jsonOption, stateOption, settable } from "./shared-options.ts";
import { allowed } from "./option-values.ts";
import { instant, instantOrNull, printed, printTable } from "./text-table.ts";

const SECONDS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;
const GRACE_MAX_DAYS = 90;

interface Options extends StateOptions {
  readonly account: string;
  readonly env: KeyEnvironment;
  readonly name?: string;
  readonly key?: string;
  readonly id?: string;
  readonly grace: number;
}

/** `hindsight keys create | list | rotate | revoke`. */
export function keysCommand(): Command {
  const command = new Command("keys");
  const add = (name: string, description: string) =>
    command.command(name).description(description).addOption(stateOption()).addOption(jsonOption());
  const account = () =>
    settable("--account <id>", "the account's id or e-mail address").makeOptionMandatory();
  const addWithReference = (name: string, description: string) =>
    add(name, description)
      .addOption(settable("--key <key>", "the key itself"))
      .addOption(
        new Option("--id <id>", "its id, from hindsight keys list").env("HINDSIGHT_KEY_ID"),
      );
  add("create", "make another key, which is shown once")
    .addOption(account())
    .addOption(
      settable("--env <env>", "live, or test: same data, an allowance of its own, no backtests")
        .choices(KEY_ENVIRONMENTS)
        .default("live"),
    )
    .addOption(new Option("--name <text>", "what it is for, for people: 60 characters at most"))
    .action(create);
  add("list", "an account's keys: first characters, last four, last use")
    .addOption(account())
    .action(list);
  addWithReference("rotate", "replace a key with a new one")
    .addOption(
      settable(
        "--grace <duration>",
        `how long the old key still works, up to ${GRACE_MAX_DAYS}d: 30m, 24h, 7d`,
      )
        .default(0, "0: it ends at once")
        .argParser(grace),
    )
    .action(rotate);
  addWithReference(
    "revoke",
    "end a key for good; servers that share a Redis refuse it within two seconds",
  ).action(revoke);
  return command;
}

/**
 * Prints a new key, which cannot be shown again. If standard output takes none of it (a full disk, a closed pipe), the
 * key exists all the same, and the message says how to replace it.
 */
export function printKey(text: string, { id, accountId }: KeyRecord): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(`${text}\n`, (error) => {
      if (error) {
        console.error(
          `error: the new key could not be printed: account ${accountId} has it; replace it with hindsight keys rotate --id ${id}`,
        );
        process.exitCode = 1;
      }
      resolve();
    });
  });
}

const TITLES = ["key id", "env", "key", "created", "last used", "state", "name"];

/** Prints a table of keys, which never shows a key in full. */
export function printKeys(keys: readonly KeyRecord[]): void {
  printTable(TITLES, keyRows(keys, Date.now()));
}

export function keyRows(keys: readonly KeyRecord[], nowMs: number): readonly (readonly string[])[] {
  return keys.map((key) => [
    key.id,
    key.env,
    `${key.prefix}...${key.lastFour}`,
    instant(key.createdMs),
    key.lastUsedMs === null ? "never" : instant(key.lastUsedMs),
    stateText(key, nowMs),
    key.name,
  ]);
}

export function keyJson(key: KeyRecord) {
  return {
    key_id: key.id,
    name: key.name,
    env: key.env,
    prefix: key.prefix,
    last_four: key.lastFour,
    created_at: instant(key.createdMs),
    last_used_at: instantOrNull(key.lastUsedMs),
    expires_at: instantOrNull(key.expiresMs),
    revoked_at: instantOrNull(key.revokedMs),
  };
}

async function create(options: Options): Promise<void> {
  await withAdmin(options, { mustExist: true }, async (admin) => {
    const { id } = await admin.findAccount(options.account);
    const made = await admin.createKey(id, options.env, options.name);
    const text = `${newKeyText(made)}\nIt holds from now on.`;
    await printKey(printed(options, newKeyJson(made), text), made.record);
  });
}

async function list(options: Options): Promise<void> {
  await withAdmin(options, { mustExist: true }, async (admin) => {
    const { id } = await admin.findAccount(options.account);
    const keys = await admin.listKeys(id);
    if (options.json === true) console.log(JSON.stringify(keys.map(keyJson), null, 2));
    else printKeys(keys);
  });
}

async function rotate(options: Options, command: Command): Promise<void> {
  const reference = referenceOf(options, command);
  await withAdmin(options, { mustExist: true }, async (admin) => {
    const { replaced, ...made } = await admin.rotateKey(reference, options.grace * 1000);
    const endsMs = replaced.revokedMs ?? replaced.expiresMs ?? 0;
    const old = { replaces: replaced.id, replaced_key_ends_at: instant(endsMs) };
    const end = replaced.revokedMs === null ? `holds until ${instant(endsMs)}` : "has ended";
    const text = `${newKeyText(made)}\nThe old key ${replaced.id} ${end}.`;
    await printKey(printed(options, { ...newKeyJson(made), ...old }, text), made.record);
  });
}

async function revoke(options: Options, command: Command): Promise<void> {
  const reference = referenceOf(options, command);
  await withAdmin(options, { mustExist: true }, async (admin) => {
    const key = await admin.revokeKey(reference);
    const from = isRedisAddress(options.state) ? "within two seconds" : "from now on";
    const text = `Key ${key.id} (${key.prefix}...${key.lastFour}) of account ${key.accountId} is revoked; servers refuse it ${from}.`;
    console.log(printed(options, { account_id: key.accountId, ...keyJson(key) }, text));
  });
}

/** The key that the command line names, otherwise the one that a variable names. Two keys are refused. */
function referenceOf(options: Options, command: Command): KeyReference {
  const isTyped = (name: string) => command.getOptionValueSource(name) === "cli";
  const typed = isTyped("key") || isTyped("id");
  const key = typed && !isTyped("key") ? undefined : options.key;
  const id = typed && !isTyped("id") ? undefined : options.id;
  if (key !== undefined && id !== undefined) {
    const names = typed ? "--key and by --id" : "HINDSIGHT_KEY and by HINDSIGHT_KEY_ID";
    throw new UsageError(`the key is given twice: by ${names}`);
  }
  if (id !== undefined) return { id };
  if (key === undefined)
    throw new UsageError("missing the key: give --id, or the key itself with --key");
  if (environmentOf(key) === undefined)
    throw new UsageError("--key is not a key: it is malformed or mistyped");
  return { key };
}

/** Seconds of a duration such as 30m, 24h or 7d. */
const grace = allowed(`are durations such as 30m, 24h or 7d, up to ${GRACE_MAX_DAYS}d`, (text) => {
  const [, number, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const seconds = text === "0" ? 0 : Number(number) * SECONDS[unit as keyof typeof SECONDS];
  return seconds <= GRACE_MAX_DAYS * SECONDS.d ? seconds : undefined;
});

function newKeyJson({ key, record }: NewKey) {
  return { account_id: record.accountId, key_id: record.id, env: record.env, key };
}

function newKeyText({ key, record }: NewKey): string {
  return `Key ${record.id} (${record.env}) of account ${record.accountId}, shown this once and stored only as a hash:

  ${key}
`;
}

function stateText(key: KeyRecord, nowMs: number): string {
  if (key.revokedMs !== null) return `revoked ${instant(key.revokedMs)}`;
  if (key.expiresMs === null) return "in force";
  return isInForce(key, nowMs)
    ? `in force until ${instant(key.expiresMs)}`
    : `ended ${instant(key.expiresMs)}`;
}
