import type { KeyEnvironment } from "./keys.ts";
import {
  isInForce,
  type AccountRecord,
  type AccountsAdmin,
  type AccountUsage,
  type KeyRecord,
  type KeyReference,
  type NewAccount,
  type NewKey,
  type PageEnd,
  type RotatedKey,
} from "./admin.ts";
import {
  accountRecord,
  drawAccountId,
  drawKey,
  emailTaken,
  keyEnded,
  noSuchAccount,
  noSuchKey,
  trialOver,
  usageOf,
} from "./admin-rules.ts";
import type { AccountChange, AdminStore, StoredAccount } from "./admin-store.ts";
import { checkEmail } from "./email.ts";
import { periodOf, TRIAL_MS } from "./period.ts";
import { checkPlan, TRIAL, type PlanTable } from "./plans.ts";

/** The operator's side of accounts, whichever store they are in. */
export class Admin implements AccountsAdmin {
  readonly #store: AdminStore;
  readonly #plans: PlanTable;
  readonly #nowMs: () => number;

  constructor(store: AdminStore, plans: PlanTable, nowMs: () => number) {
    this.#store = store;
    this.#plans = plans;
    this.#nowMs = nowMs;
  }

  async createAccount(request: { email: string; plan: string }): Promise<NewAccount> {
    const { plan } = request;
    const email = checkEmail(request.email);
    checkPlan(this.#plans, plan);
    const nowMs = this.#nowMs();
    const row = { id: drawAccountId(), email, plan, createdMs: nowMs };
    const made = drawKey(row.id, "live", nowMs);
    const taken = await this.#store.insert(row, made);
    if (taken !== undefined) throw emailTaken(email, taken);
    return { account: accountRecord(row, nowMs), ...made };
  }

  async findAccount(idOrEmail: string): Promise<AccountRecord> {
    const id = (await this.#store.idOf(idOrEmail)) ?? idOrEmail;
    return accountRecord(await this.#read(id), this.#nowMs());
  }

  async listAccounts(after: PageEnd | undefined, limit: number): Promise<readonly AccountRecord[]> {
    const rows = await this.#store.list(after, limit);
    const nowMs = this.#nowMs();
    return rows.map((row) => accountRecord(row, nowMs));
  }

  /** If the plans count in different periods (trial and month), the larger count holds. */
  async setPlan(accountId: string, plan: string): Promise<AccountRecord> {
    checkPlan(this.#plans, plan);
    const { record } = await this.#change(accountId, (account, nowMs) => {
      const trialEndsMs = account.createdMs + TRIAL_MS;
      if (plan === TRIAL && nowMs >= trialEndsMs) throw trialOver(accountId, trialEndsMs);
      const periodOn = (name: string) => periodOf("live", name, trialEndsMs, nowMs).name;
      const from = periodOn(accountRecord(account, nowMs).plan);
      const record = accountRecord({ ...account, plan }, nowMs);
      return { plan: { name: plan, from, to: periodOn(plan) }, record };
    });
    return record;
  }

  async usageOf(accountId: string): Promise<AccountUsage> {
    return usageOf(await this.#read(accountId), this.#plans, this.#nowMs());
  }

  async createKey(accountId: string, env: KeyEnvironment): Promise<NewKey> {
    const { added } = await this.#change(accountId, (_, nowMs) => {
      return { added: drawKey(accountId, env, nowMs) };
    });
    return added;
  }

  async listKeys(accountId: string): Promise<readonly KeyRecord[]> {
    const keys = await this.#store.keysOf(accountId);
    if (keys.length === 0) throw noSuchAccount(accountId); // an account has its first key from the start
    return keys;
  }

  async rotateKey(reference: KeyReference, graceMs: number): Promise<RotatedKey> {
    const { ended, added } = await this.#changeKey(reference, (key, nowMs) => {
      if (!isInForce(key, nowMs)) throw keyEnded(key.id);
      const endsMs = nowMs + graceMs;
      const end =
        graceMs === 0
          ? { revokedMs: nowMs }
          : { expiresMs: Math.min(key.expiresMs ?? endsMs, endsMs) };
      return { ended: { ...key, ...end }, added: drawKey(key.accountId, key.env, nowMs) };
    });
    return { ...added, replaced: ended };
  }

  /** Ends a key for good, whatever the clocks do. */
  async revokeKey(reference: KeyReference): Promise<KeyRecord> {
    const { ended } = await this.#changeKey(reference, (key, nowMs) => {
      return { ended: { ...key, revokedMs: key.revokedMs ?? nowMs } };
    });
    return ended;
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  async #read(id: string): Promise<StoredAccount> {
    const account = await this.#store.read(id, this.#nowMs());
    if (account === undefined) throw noSuchAccount(id);
    return account;
  }

  #change<Change extends AccountChange>(
    accountId: string,
    decide: (account: StoredAccount, nowMs: number) => Change,
  ): Promise<Change> {
    const nowMs = this.#nowMs();
    return this.#store.change(accountId, nowMs, (account) => decide(account, nowMs));
  }

  async #changeKey<Change extends AccountChange>(
    reference: KeyReference,
    decide: (key: KeyRecord, nowMs: number) => Change,
  ): Promise<Change> {
    const found = await this.#store.findKey(reference);
    if (found === undefined) throw noSuchKey(reference);
    const nowMs = this.#nowMs();
    const { accountId, id } = found;
    return await this.#store.change(accountId, nowMs, (_, key = found) => decide(key, nowMs), id);
  }
}
