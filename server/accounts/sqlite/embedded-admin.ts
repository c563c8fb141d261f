import type { KeyEnvironment } from "../accounts.ts";
import {
  isInForce,
  type AccountRecord,
  type AccountsAdmin,
  type AccountUsage,
  type KeyRecord,
  type KeyReference,
  type NewAccount,
  type NewKey,
  type RotatedKey,
} from "../admin.ts";
import { keyEnded } from "../admin-rules.ts";
import type { PlanTable } from "../plans.ts";
import { AccountTable } from "./account-table.ts";
import { MeterBusy } from "./held-meter.ts";
import { KeyTable } from "./key-table.ts";
import { fileBehindLinks } from "./linked-file.ts";
import { MeterBooks } from "./meter-books.ts";
import { openMeterFile, type MeterFile } from "./meter-file.ts";
import { Sql } from "./sql.ts";
import { openStateFile, storeFailure, waitInPlace, type Connection } from "./state-file.ts";

/** How long a command waits for locks. Servers hold theirs for fractions of a millisecond. */
const COMMAND_WAIT_MS = 5_000;
const METER_RETRY_MS = 5;

export interface EmbeddedAdminOptions {
  readonly file: string;
  readonly plans: PlanTable;
  readonly nowMs: () => number;
  /** Refuse if there is no state file yet. */
  readonly mustExist?: boolean;
}

/** Opens the operator's side of a state file. Servers may have the file open at the same time. */
export function openEmbeddedAdmin(options: EmbeddedAdminOptions): AccountsAdmin {
  return new EmbeddedAdmin(options);
}

class EmbeddedAdmin implements AccountsAdmin {
  readonly #db: Connection;
  readonly #sql: Sql;
  readonly #accounts: AccountTable;
  readonly #keys: KeyTable;
  readonly #nowMs: () => number;
  readonly #file: string;
  /** Opened by the first command that needs usage or makes a key. */
  #meters: MeterFile | undefined;
  #books: MeterBooks | undefined;

  constructor({ file: path, plans, nowMs, mustExist = false }: EmbeddedAdminOptions) {
    const file = fileBehindLinks(path);
    this.#db = openStateFile(file, { busyMs: COMMAND_WAIT_MS, mustExist });
    // A key is shown once, and a revoked one must stay so: each commit is forced to the disk. If that fails, nobody
    // knows whether it took effect.
    this.#db.exec("PRAGMA synchronous = FULL");
    this.#sql = new Sql(this.#db);
    this.#accounts = new AccountTable(this.#sql, plans);
    this.#keys = new KeyTable(this.#sql);
    this.#nowMs = nowMs;
    this.#file = file;
  }

  async createAccount(request: { email: string; plan: string }): Promise<NewAccount> {
    const nowMs = this.#nowMs();
    return this.#makingKeys(() => {
      const account = this.#accounts.insert(request, nowMs);
      return { account, ...this.#newKey(account.id, "live", nowMs) };
    });
  }

  async findAccount(idOrEmail: string): Promise<AccountRecord> {
    return this.#sql.read(() => this.#accounts.find(idOrEmail, this.#nowMs()));
  }

  async listAccounts(
    after: AccountRecord | undefined,
    limit: number,
  ): Promise<readonly AccountRecord[]> {
    return this.#sql.read(() => this.#accounts.list(after, limit, this.#nowMs()));
  }

  async setPlan(accountId: string, plan: string): Promise<AccountRecord> {
    return this.#withMeters((books) => {
      // This locks the record: nothing is counted between settling the account and moving its usage.
      books.disturb(accountId);
      books.settleAccount(accountId);
      return this.#accounts.setPlan(accountId, plan, this.#nowMs());
    });
  }

  async usageOf(accountId: string): Promise<AccountUsage> {
    this.#withMeters((books) => books.settleAccount(accountId));
    return this.#sql.read(() => this.#accounts.usage(accountId, this.#nowMs()));
  }

  async createKey(accountId: string, env: KeyEnvironment): Promise<NewKey> {
    const nowMs = this.#nowMs();
    return this.#makingKeys(() =>
      this.#newKey(this.#accounts.get(accountId, nowMs).id, env, nowMs),
    );
  }

  async listKeys(accountId: string): Promise<readonly KeyRecord[]> {
    return this.#sql.read(() => {
      const account = this.#accounts.get(accountId, this.#nowMs());
      return this.#keys.list(account.id);
    });
  }

  async rotateKey(reference: KeyReference, graceMs: number): Promise<RotatedKey> {
    const nowMs = this.#nowMs();
    return this.#makingKeys(() => {
      const old = this.#keys.get(reference);
      if (!isInForce(old, nowMs)) throw keyEnded(old.id);
      if (graceMs === 0) this.#keys.revoke(old.id, nowMs);
      else this.#keys.expire(old.id, nowMs + graceMs);
      const made = this.#newKey(old.accountId, old.env, nowMs);
      return { ...made, replaced: this.#keys.get({ id: old.id }) };
    });
  }

  async revokeKey(reference: KeyReference): Promise<KeyRecord> {
    return this.#sql.write(() => {
      const { id, accountId } = this.#keys.get(reference);
      this.#keys.revoke(id, this.#nowMs());
      this.#accounts.touch(accountId);
      return this.#keys.get({ id });
    });
  }

  async close(): Promise<void> {
    this.#meters?.close();
    this.#db.close();
  }

  #meterFile(): MeterFile {
    return (this.#meters ??= openMeterFile(this.#file));
  }

  /**
   * Runs work that makes keys in a transaction, and tells the servers about the keys before anybody sees
   * them.
   */
  #makingKeys<T>(work: () => T): T {
    const meters = this.#meterFile(); // throws here, before a key is made, if the meter file cannot be opened
    const made = this.#sql.write(work);
    meters.noteNewKeys();
    return made;
  }

  /**
   * Runs work in a transaction that includes the meters. It waits for their locks as it does for the file's.
   */
  #withMeters<T>(work: (books: MeterBooks) => T): T {
    const books = (this.#books ??= new MeterBooks(this.#db, this.#meterFile()));
    for (let waited = 0; ; waited += METER_RETRY_MS) {
      try {
        return books.transaction(() => work(books));
      } catch (error) {
        if (!(error instanceof MeterBusy) || waited >= COMMAND_WAIT_MS) throw storeFailure(error);
        waitInPlace(METER_RETRY_MS);
      }
    }
  }

  #newKey(accountId: string, env: KeyEnvironment, nowMs: number): NewKey {
    const made = this.#keys.insert(accountId, env, nowMs);
    this.#accounts.touch(accountId);
    return made;
  }
}
