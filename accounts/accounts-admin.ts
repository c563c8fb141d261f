import type { KeyEnvironment } from "./keys.ts";
import {
  isInForce,
  type AccountRecord,
  type AccountUsage,
  type ChangeLine,
  type KeyRecord,
  type KeyReference,
  type NewAccount,
  type NewKey,
  type PageEnd,
  type PeriodUsage,
  type RotatedKey,
  type Who,
} from "./admin.ts";
import {
  ACTIVE_KEYS_MAX,
  accountRecord,
  checkKeyName,
  drawAccountId,
  drawKey,
  emailTaken,
  linkUsed,
  noSuchAccount,
  openAccount,
  tooManyKeys,
  usageOf,
  type KeyDraft,
} from "./admin-rules.ts";
import { DONE, VOID } from "./records.ts";
import type { AccountRow, By, Records, StoredAccount, Transaction } from "./records.ts";
import { checkEmail } from "./email.ts";
import { hashKey } from "./keys.ts";
import { addressHash } from "./access-tokens.ts";
import { periodOf, TRIAL_MS } from "./in-force.ts";
import { checkPlan, TRIAL, type PlanTable } from "./plans.ts";
import { AccountsRefused } from "./refused.ts";
import type { Soon } from "./accounts.ts";

/** The operator's actions on accounts and keys. Running servers notice them at their next request. */
export type AccountsAdmin = Omit<Admin, "store" | "as" | "addKey">;

/** Changes of accounts in either store, made by an operator or by the account's owner. */
export class Admin {
  readonly store: Records;
  readonly #plans: PlanTable;
  readonly #nowMs: () => number;
  readonly #who: Who;

  constructor(store: Records, plans: PlanTable, nowMs: () => number, who: Who) {
    this.store = store;
    this.#plans = plans;
    this.#nowMs = nowMs;
    this.#who = who;
  }

  /** The same actions, recorded as those of someone else. */
  as(who: Who): Admin {
    return new Admin(this.store, this.#plans, this.#nowMs, who);
  }

  /** A new account with its first live key. E-mail addresses are unique, whatever their case. */
  async createAccount(request: { email: string; plan: string }): Promise<NewAccount> {
    const { plan } = request;
    const email = checkEmail(request.email);
    checkPlan(this.#plans, plan);
    const by = this.#by();
    const row = { id: drawAccountId(), email, plan, createdMs: by.nowMs, suspendedMs: null };
    const made = drawKey({ accountId: row.id, env: "live" }, by.nowMs);
    const former = addressHash(await this.store.secret(), email);
    const account = await this.store.change(async (tx) => {
      const taken = await tx.idOf(email);
      if (taken !== undefined) throw emailTaken(email, taken);
      const opened = await openAccount(tx, row, { ...by, former });
      tx.put("key", hashKey(made.key), made.record);
      return opened;
    });
    return { account: accountRecord(account, by.nowMs), ...made };
  }

  /** The account with this id or e-mail address. */
  async findAccount(idOrEmail: string): Promise<AccountRecord> {
    const id = (await this.store.idOf(idOrEmail)) ?? idOrEmail;
    return accountRecord(await this.#read(id), this.#nowMs());
  }

  /** A page of accounts, oldest first, that begins after `after`. An empty page means the end. */
  async listAccounts(after: PageEnd | undefined, limit: number): Promise<readonly AccountRecord[]> {
    const rows = await this.store.list(after, limit);
    const nowMs = this.#nowMs();
    return rows.map((row) => accountRecord(row, nowMs));
  }

  /**
   * Takes effect at the account's next request. Usage stays counted: if the plans count in different periods (trial and
   * month), the larger count holds in the new one.
   */
  async setPlan(accountId: string, plan: string): Promise<AccountRecord> {
    checkPlan(this.#plans, plan);
    return this.#change(accountId, (account, tx, by) => {
      const { nowMs } = by;
      const trialEndsMs = account.createdMs + TRIAL_MS;
      if (plan === TRIAL && nowMs >= trialEndsMs) {
        const over = `ended at ${new Date(trialEndsMs).toISOString()}`;
        throw new AccountsRefused("trial_over", `the trial of account ${accountId} ${over}`);
      }
      const periodOn = (name: string) => periodOf("live", name, trialEndsMs, nowMs).name;
      const [from, to] = [periodOn(accountRecord(account, nowMs).plan), periodOn(plan)];
      tx.put("account", accountId, { ...account, plan });
      if (from !== to) tx.moveUsage(accountId, from, to);
      tx.note(by, `plan ${plan}`, accountId);
      return accountRecord({ ...account, plan }, nowMs);
    });
  }

  async usageOf(accountId: string): Promise<AccountUsage> {
    return usageOf(await this.#read(accountId), this.#plans, this.#nowMs());
  }

  /** Takes effect at the account's next request: its keys stop working, and no one can sign in to it. */
  suspend(accountId: string): Promise<AccountRecord> {
    return this.#setSuspended(accountId, true);
  }

  resume(accountId: string): Promise<AccountRecord> {
    return this.#setSuspended(accountId, false);
  }

  /** `link`: the hash of the link that confirms the change, which is used up with it. */
  async changeAddress(accountId: string, address: string, link?: string): Promise<AccountRecord> {
    const email = checkEmail(address);
    const secret = await this.store.secret();
    return await this.#change(accountId, async (account, tx, by) => {
      const taken = await tx.idOf(email);
      if (taken !== undefined && taken !== accountId) throw emailTaken(email, taken);
      if (taken === undefined) tx.remember(account, addressHash(secret, account.email), by.nowMs);
      tx.put("account", accountId, { ...account, email });
      await endLinks(tx, accountId, link);
      tx.note(by, "address changed", accountId);
      return accountRecord({ ...account, email }, by.nowMs);
    });
  }

  /**
   * Removes an account with its keys, sessions, jobs and usage. A keyed hash of its address is kept for 30 days: an account
   * opened with that address meanwhile continues the trial and its usage. The sums by plan and month keep what it used.
   */
  async deleteAccount(accountId: string, link?: string): Promise<AccountRecord> {
    const secret = await this.store.secret();
    return await this.#change(accountId, async (account, tx, by) => {
      await endLinks(tx, accountId, link);
      tx.forget(account, addressHash(secret, account.email), by.nowMs);
      tx.note(by, "deleted", accountId);
      return accountRecord(account, by.nowMs);
    });
  }

  /** The usage of a page of accounts, by month from `since` on and on a trial. The first page begins with that of deleted ones. */
  async listUsage(
    after: PageEnd | undefined,
    limit: number,
    since: string,
  ): Promise<readonly PeriodUsage[]> {
    return await this.store.usage(after, limit, since);
  }

  /** The changes after this number, oldest first. They are kept for a year. */
  async listChanges(after: number, limit: number): Promise<readonly ChangeLine[]> {
    return await this.store.changes(after, limit);
  }

  createKey(accountId: string, env: KeyEnvironment, name = ""): Promise<NewKey> {
    return this.addKey({ accountId, env, name });
  }

  /** Adds a key. A draft with the same random bytes gives the same key, which is stored once. */
  async addKey(draft: KeyDraft): Promise<NewKey> {
    const { accountId } = draft;
    const name = checkKeyName(draft.name ?? "");
    const drawn = drawKey({ ...draft, name }, this.#nowMs());
    const { id } = drawn.record;
    return await this.#change(accountId, async (_, tx, by) => {
      const known = draft.random && (await tx.get("key", hashKey(drawn.key)));
      if (known !== undefined) return { ...drawn, record: known };
      await addKey(tx, drawn, by.nowMs);
      tx.note(by, `key ${id} made`, accountId);
      return drawn;
    });
  }

  async listKeys(accountId: string): Promise<readonly KeyRecord[]> {
    const keys = await this.store.ofAccount("key", accountId);
    if (keys.size === 0) await this.#read(accountId); // it may have none
    return [...keys.values()];
  }

  /**
   * Replaces a key by a new one like it. The old one ends after the grace period. A draft with the same random bytes gives
   * the same key, which is stored once.
   */
  async rotateKey(
    reference: KeyReference,
    graceMs: number,
    draft: Pick<KeyDraft, "random"> = {},
  ): Promise<RotatedKey> {
    const { hash, key: old } = await this.#find(reference);
    const made = drawKey({ ...old, ...draft }, this.#nowMs());
    const { id } = made.record;
    return await this.#change(old.accountId, async (_, tx, by) => {
      const { nowMs } = by;
      const key = (await tx.get("key", hash)) ?? old;
      const repeated = draft.random && (await tx.get("key", hashKey(made.key)));
      if (repeated !== undefined) return { ...made, record: repeated, replaced: key };
      if (!isInForce(key, nowMs)) {
        const message = `key ${key.id} no longer holds: create a new one instead`;
        throw new AccountsRefused("key_ended", message);
      }
      const endsMs = nowMs + graceMs;
      const end =
        graceMs === 0
          ? { revokedMs: nowMs }
          : { expiresMs: Math.min(key.expiresMs ?? endsMs, endsMs) };
      const replaced = { ...key, ...end };
      tx.put("key", hash, replaced);
      await addKey(tx, made, nowMs, isInForce(replaced, nowMs) ? 0 : 1);
      tx.note(by, `key ${key.id} replaced by ${id}`, old.accountId);
      return { ...made, replaced };
    });
  }

  /** Ends a key for good, whatever the clocks say. Revoking it again changes nothing. */
  async revokeKey(reference: KeyReference): Promise<KeyRecord> {
    const { hash, key: found } = await this.#find(reference);
    return await this.#change(found.accountId, async (_, tx, by) => {
      const key = (await tx.get("key", hash)) ?? found;
      if (key.revokedMs !== null) return key;
      const ended = { ...key, revokedMs: by.nowMs };
      tx.put("key", hash, ended);
      tx.note(by, `key ${key.id} revoked`, key.accountId);
      return ended;
    });
  }

  close(): Promise<void> {
    return this.store.close();
  }

  async #read(id: string): Promise<StoredAccount> {
    const account = await this.store.read(id, this.#nowMs());
    if (account === undefined) throw noSuchAccount(id);
    return account;
  }

  #by(): By {
    return { who: this.#who, nowMs: this.#nowMs() };
  }

  #setSuspended(accountId: string, suspended: boolean): Promise<AccountRecord> {
    return this.#change(accountId, (account, tx, by) => {
      const suspendedMs = suspended ? (account.suspendedMs ?? by.nowMs) : null;
      if (suspendedMs !== account.suspendedMs) {
        tx.put("account", accountId, { ...account, suspendedMs });
        tx.note(by, suspended ? "suspended" : "resumed", accountId);
      }
      return accountRecord({ ...account, suspendedMs }, by.nowMs);
    });
  }

  #change<T>(
    accountId: string,
    rule: (account: AccountRow, tx: Transaction, by: By) => Soon<T>,
  ): Promise<T> {
    const by = this.#by();
    return this.store.change(async (tx) => {
      const account = await tx.get("account", accountId);
      if (account === undefined) throw noSuchAccount(accountId);
      return await rule(account, tx, by);
    });
  }

  async #find(reference: KeyReference): Promise<{ hash: string; key: KeyRecord }> {
    const hash = "id" in reference ? await this.store.hashOf(reference.id) : hashKey(reference.key);
    const key = hash === undefined ? undefined : await this.store.get("key", hash);
    if (hash !== undefined && key !== undefined) return { hash, key };
    const which = "id" in reference ? `with the id "${reference.id}"` : "like the one given";
    throw new AccountsRefused("no_such_key", `there is no key ${which}`);
  }
}

/** Adds a key, unless another would be one too many. `ended`: how many end in the same change. */
async function addKey(
  tx: Transaction,
  { key, record }: NewKey,
  nowMs: number,
  ended = 0,
): Promise<void> {
  const active = (await tx.activeKeys(record.accountId, nowMs)) - ended;
  if (active >= ACTIVE_KEYS_MAX) throw tooManyKeys(record.accountId, active);
  tx.put("key", hashKey(key), record);
}

/**
 * Makes the links of an account invalid and anonymous, as it leaves its address or is deleted. `done`: the one that confirms
 * it, if any, which must be unused.
 */
async function endLinks(
  tx: Transaction,
  accountId: string,
  done: string | undefined,
): Promise<void> {
  if (done !== undefined && (await tx.get("link", done))?.usedBy !== null) throw linkUsed();
  for (const [hash, link] of await tx.ofAccount("link", accountId)) {
    const usedBy = hash === done ? DONE : (link.usedBy ?? VOID);
    tx.put("link", hash, { ...link, accountId: null, sealed: "", usedBy });
  }
}
