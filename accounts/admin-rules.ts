/** Rules of accounts and keys that both stores share, and the wording of refusals. */
import {
  type KeyEnvironment,
  randomBase62,
  type RandomBytes,
  KEY_ENVIRONMENTS,
  makeKey,
  shownParts,
} from "./keys.ts";
import {
  isInForce,
  type AccountRecord,
  type AccountUsage,
  type KeyRecord,
  type NewKey,
} from "./admin.ts";
import {
  FORMER_KEPT_DAYS,
  type AccountRow,
  type By,
  type StoredAccount,
  type Transaction,
} from "./records.ts";
import { DAY_MS, periodOf, TRIAL_MS } from "./in-force.ts";
import { checkPlan, FREE, planForKey, TRIAL, type PlanTable } from "./plans.ts";
import { AccountsRefused } from "./refused.ts";

const ACCOUNT_ID_LENGTH = 16;
const KEY_ID_LENGTH = 12;
/** The most keys of an account that may be in force at once. */
export const ACTIVE_KEYS_MAX = 1_000;

const KEY_NAME_MAX = 60;

/** The trimmed name of a key: one line of text, or "". */
export function checkKeyName(text: string): string {
  const name = text.trim();
  if (name.length <= KEY_NAME_MAX && !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)) return name;
  const allowed = `at most ${KEY_NAME_MAX} characters, without line breaks`;
  throw new AccountsRefused("bad_name", `the name of a key has ${allowed}`);
}

export function drawAccountId(): string {
  return `acc_${randomBase62(ACCOUNT_ID_LENGTH)}`;
}

/** The properties of a new key. */
export interface KeyDraft {
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly name?: string | undefined;
  /** The source of the key and its id; `crypto.randomBytes` by default. */
  readonly random?: RandomBytes | undefined;
}

/** A new key, which is not stored yet. */
export function drawKey(
  { accountId, env, name = "", random }: KeyDraft,
  createdMs: number,
): NewKey {
  const key = makeKey(env, random);
  const id = `key_${randomBase62(KEY_ID_LENGTH, random)}`;
  const unused = { lastUsedMs: null, expiresMs: null, revokedMs: null };
  return { key, record: { id, accountId, name, env, ...shownParts(key), createdMs, ...unused } };
}

/** Stores a new account, and returns it as stored: if its address left a trial, it continues that. */
export async function openAccount(
  tx: Transaction,
  row: AccountRow,
  { former: address, ...by }: By & { readonly former: string },
): Promise<AccountRow> {
  const left = await tx.former(address);
  const former =
    left !== undefined && left.leftMs > by.nowMs - FORMER_KEPT_DAYS * DAY_MS ? left : undefined;
  const isContinued = row.plan === TRIAL && former !== undefined;
  const account = isContinued ? { ...row, createdMs: former.createdMs } : row;
  tx.put("account", row.id, account);
  if (former !== undefined) tx.continueUsage(row.id, former.usage);
  tx.note(by, `opened on ${row.plan}`, row.id);
  return account;
}

/** The record of an account at an instant: a trial that is over reads "free". */
export function accountRecord(
  { id, email, plan, createdMs, suspendedMs }: AccountRow,
  nowMs: number,
): AccountRecord {
  const row = { id, email, plan, createdMs, suspendedMs };
  const trialEndsMs = createdMs + TRIAL_MS;
  if (plan !== TRIAL) return { ...row, trialEndsMs: null };
  if (nowMs < trialEndsMs) return { ...row, trialEndsMs };
  return { ...row, plan: FREE, trialEndsMs: null };
}

/** The allowances of an account at an instant, and its usage. */
export function usageOf(account: StoredAccount, plans: PlanTable, nowMs: number): AccountUsage {
  const plan = checkPlan(plans, accountRecord(account, nowMs).plan);
  const allowances = KEY_ENVIRONMENTS.map((env) => {
    const { name, endMs: endsMs } = periodOf(env, plan.name, account.createdMs + TRIAL_MS, nowMs);
    const limit = planForKey(plans, plan, env).callsPerMonth;
    return { env, period: name, used: account.usedIn(env, name), limit, endsMs };
  });
  return { allowances, endpoints: account.endpoints };
}

/** The keys in force at an instant. */
export function keysInForce(keys: readonly KeyRecord[], nowMs: number): readonly KeyRecord[] {
  return keys.filter((key) => isInForce(key, nowMs));
}

export function emailTaken(email: string, accountId: string): AccountsRefused {
  return new AccountsRefused("email_taken", `"${email}" already has an account: ${accountId}`);
}

export function noSuchAccount(idOrEmail: string): AccountsRefused {
  return new AccountsRefused("no_such_account", `there is no account "${idOrEmail}"`);
}

export function linkUsed(): AccountsRefused {
  return new AccountsRefused("link_used", "the link is no longer valid");
}

export function tooManyKeys(accountId: string, active: number): AccountsRefused {
  const message = `account ${accountId} has ${active} keys in force, the most there may be: revoke one first`;
  return new AccountsRefused("too_many_keys", message);
}
