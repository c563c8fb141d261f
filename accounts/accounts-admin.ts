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
  accountRecord,
  checkKeyName,
  drawAccountId,
  drawKey,
  emailTaken,
  noSuchAccount,
  usageOf,
  type KeyDraft,
} from "./admin-rules.ts";
import type { AccountChange, AdminStore, By, StoredAccount } from "./admin-store.ts";
import { checkEmail } from "./email.ts";
import { addressHash } from "./access-tokens.ts";
import { periodOf, TRIAL_MS } from "./period.ts";
import { checkPlan, TRIAL, type PlanTable } from "./plans.ts";
import { AccountsRefused } from "./refused.ts";

/** The operator's actions on accounts and keys. Running servers notice them at their next request. */
export type AccountsAdmin = Omit<Admin, "store" | "as" | "addKey">;

/** Changes of accounts in either store, made by an operator or by the account's owner. */
export class Admin {
  readonly store: AdminStore;
  readonly #plans: PlanTable;
  readonly #nowMs: () => number;
  readonly #who: Who;

  constructor(store: AdminStore, plans: PlanTable, nowMs: () => number, who: Who) {
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
    const stored = await this.store.insert(row, made, { ...by, former });
    if ("taken" in stored) throw emailTaken(email, stored.taken);
    return { account: accountRecord(stored.account, by.nowMs), ...made };
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
    const { record } = await this.#change(accountId, (account, _, nowMs) => {
      const trialEndsMs = account.createdMs + TRIAL_MS;
      if (plan === TRIAL && nowMs >= trialEndsMs) {
        const over = `ended at ${new Date(trialEndsMs).toISOString()}`;
        throw new AccountsRefused("trial_over", `the trial of account ${accountId} ${over}`);
      }
      const periodOn = (name: string) => periodOf("live", name, trialEndsMs, nowMs).name;
      const from = periodOn(accountRecord(account, nowMs).plan);
      const record = accountRecord({ ...account, plan }, nowMs);
      const change = { name: plan, from, to: periodOn(plan) };
      return { what: `plan ${plan}`, plan: change, record };
    });
    return record;
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
    const account = await this.#read(accountId);
    const former = addressHash(await this.store.secret(), account.email);
    await this.store.changeAddress(account, email, { ...this.#by(), former, link });
    return accountRecord({ ...account, email }, this.#nowMs());
  }

  /**
   * Removes an account with its keys, sessions, jobs and usage. A keyed hash of its address is kept for 30 days: an account
   * opened with that address meanwhile continues the trial and its usage. The sums by plan and month keep what it used.
   */
  async deleteAccount(accountId: string, link?: string): Promise<AccountRecord> {
    const account = await this.#read(accountId);
    const former = addressHash(await this.store.secret(), account.email);
    await this.store.remove(account, { ...this.#by(), former, link });
    return accountRecord(account, this.#nowMs());
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
    const name = checkKeyName(draft.name ?? "");
    const drawn = drawKey({ ...draft, name }, this.#nowMs());
    const { id } = drawn.record;
    const decide = (_: StoredAccount, known: KeyRecord | undefined) =>
      known === undefined ? { what: `key ${id} made`, added: drawn } : { what: undefined, known };
    const { known } = await this.#change<AccountChange & { known?: KeyRecord }>(
      draft.accountId,
      decide,
      draft.random && id,
    );
    return known === undefined ? drawn : { ...drawn, record: known };
  }

  async listKeys(accountId: string): Promise<readonly KeyRecord[]> {
    const keys = await this.store.keysOf(accountId);
    if (keys.length === 0) await this.#read(accountId); // it may have none
    return keys;
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
    const old = await this.#find(reference);
    const made = drawKey({ ...old, ...draft }, this.#nowMs());
    const { id } = made.record;
    const repeated = draft.random && (await this.store.findKey({ id }));
    if (repeated !== undefined) return { ...made, record: repeated, replaced: old };
    const { ended, added } = await this.#changeKey(old, (key, nowMs) => {
      if (!isInForce(key, nowMs)) {
        const message = `key ${key.id} no longer holds: create a new one instead`;
        throw new AccountsRefused("key_ended", message);
      }
      const endsMs = nowMs + graceMs;
      const end =
        graceMs === 0
          ? { revokedMs: nowMs }
          : { expiresMs: Math.min(key.expiresMs ?? endsMs, endsMs) };
      return { what: `key ${key.id} replaced by ${id}`, ended: { ...key, ...end }, added: made };
    });
    return { ...added, replaced: ended };
  }

  /** Ends a key for good, whatever the clocks say. Revoking it again changes nothing. */
  async revokeKey(reference: KeyReference): Promise<KeyRecord> {
    const { ended } = await this.#changeKey(await this.#find(reference), (key, nowMs) => {
      const what = key.revokedMs === null ? `key ${key.id} revoked` : undefined;
      return { what, ended: { ...key, revokedMs: key.revokedMs ?? nowMs } };
    });
    return ended;
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

  async #setSuspended(accountId: string, suspended: boolean): Promise<AccountRecord> {
    const { record } = await this.#change(accountId, (account, _, nowMs) => {
      const before = account.suspendedMs;
      const suspendedMs = suspended ? (before ?? nowMs) : null;
      const what = suspended ? "suspended" : "resumed";
      const record = accountRecord({ ...account, suspendedMs }, nowMs);
      if (before === suspendedMs) return { what: undefined, record };
      return { what, suspended, record };
    });
    return record;
  }

  #change<Change extends AccountChange>(
    accountId: string,
    decide: (account: StoredAccount, key: KeyRecord | undefined, nowMs: number) => Change,
    keyId?: string,
  ): Promise<Change> {
    const by = this.#by();
    return this.store.change(
      accountId,
      by,
      (account, key) => decide(account, key, by.nowMs),
      keyId,
    );
  }

  async #find(reference: KeyReference): Promise<KeyRecord> {
    const found = await this.store.findKey(reference);
    if (found !== undefined) return found;
    const which = "id" in reference ? `with the id "${reference.id}"` : "like the one given";
    throw new AccountsRefused("no_such_key", `there is no key ${which}`);
  }

  #changeKey<Change extends AccountChange>(
    found: KeyRecord,
    decide: (key: KeyRecord, nowMs: number) => Change,
  ): Promise<Change> {
    const { accountId, id } = found;
    return this.#change(accountId, (_, key = found, nowMs) => decide(key, nowMs), id);
  }
}
