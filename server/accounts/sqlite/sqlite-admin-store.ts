import type { KeyEnvironment } from "../keys.ts";
import type { EndpointUsage, KeyRecord, KeyReference, NewKey, PageEnd } from "../admin.ts";
import { ACTIVE_KEYS_MAX, noSuchAccount, tooManyKeys } from "../admin-rules.ts";
import type { AccountChange, AccountRow, AdminStore, StoredAccount } from "../admin-store.ts";
import { emailIdentity } from "../email.ts";
import { hashKey } from "../keys.ts";
import { dateOf } from "../period.ts";
import type { ChargeLog } from "./charge-log.ts";
import type { Ledger } from "./ledger.ts";
import { reading } from "./state-file.ts";

const ACCOUNTS = "SELECT id, email, plan, created_ms AS createdMs FROM accounts";
const KEYS = `
SELECT id, account_id AS accountId, env, prefix, last_four AS lastFour, created_ms AS createdMs,
  last_used_ms AS lastUsedMs, expires_ms AS expiresMs, revoked_ms AS revokedMs
FROM keys`;
const KEYS_IN_FORCE = `
SELECT count(*) AS active FROM keys
WHERE account_id = ? AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?)`;
const INSERT_KEY = `
INSERT INTO keys (hash, id, account_id, env, prefix, last_four, created_ms)
VALUES (?, ?, ?, ?, ?, ?, ?)`;
const CALLS = `
SELECT day, env, endpoint, calls, units FROM calls
WHERE day IN (SELECT value FROM json_each(?)) AND account_id = ? AND calls > 0`;

/**
 * The operator's side of a state file, in the process that owns it: what it changes holds from the next request. A key
 * is shown once, and a revoked one must stay so: each change is forced to the disk.
 */
export class SqliteAdminStore implements AdminStore {
  readonly #ledger: Ledger;
  readonly #log: ChargeLog;
  readonly #changed: (accountId: string) => void;

  /** `changed` is called when an account or its keys have changed, before anything else happens. */
  constructor(ledger: Ledger, log: ChargeLog, changed: (accountId: string) => void) {
    this.#ledger = ledger;
    this.#log = log;
    this.#changed = changed;
  }

  async insert({ id, email, plan, createdMs }: AccountRow, key: NewKey) {
    const taken = this.#ledger.transaction(() => {
      const known = this.idOf(email);
      if (known !== undefined) return known;
      const values = [id, email, emailIdentity(email), plan, createdMs];
      this.#ledger.db.prepare("INSERT INTO accounts VALUES (?, ?, ?, ?, ?)").run(values);
      this.#insertKey(key);
      return undefined;
    });
    await this.#ledger.durable();
    return taken;
  }

  idOf(email: string): string | undefined {
    return this.#accounts("WHERE email_identity = ?", emailIdentity(email))[0]?.id;
  }

  read(id: string, nowMs: number): StoredAccount | undefined {
    const [row] = this.#accounts("WHERE id = ?", id);
    if (row === undefined) return undefined;
    // Each day is named: the table is ordered by day first, so a range of days would read every account's rows.
    const today = dateOf(nowMs);
    const days = Array.from(
      { length: Number(today.slice(-2)) },
      (_, index) => today.slice(0, -2) + String(index + 1).padStart(2, "0"),
    );
    const folded = this.#all(CALLS, JSON.stringify(days), id) as EndpointUsage[];
    const endpoints = joined([...folded, ...this.#log.unfolded(id)]);
    const usedIn = (env: KeyEnvironment, period: string) => this.#ledger.usedIn(id, env, period);
    return { ...row, endpoints, usedIn };
  }

  findKey(reference: KeyReference): KeyRecord | undefined {
    if ("id" in reference) return this.#keys("WHERE id = ?", reference.id)[0];
    return this.#keys("WHERE hash = ?", hashKey(reference.key))[0];
  }

  keysOf(accountId: string): readonly KeyRecord[] {
    return this.#keys("WHERE account_id = ? ORDER BY created_ms, id", accountId);
  }

  list(after: PageEnd | undefined, limit: number): readonly AccountRow[] {
    const page = "WHERE (created_ms, id) > (?, ?) ORDER BY created_ms, id LIMIT ?";
    return this.#accounts(
      page,
      after?.createdMs ?? Number.MIN_SAFE_INTEGER,
      after?.id ?? "",
      limit,
    );
  }

  async change<Change extends AccountChange>(
    id: string,
    nowMs: number,
    decide: (account: StoredAccount, key: KeyRecord | undefined) => Change,
    keyId?: string,
  ): Promise<Change> {
    const change = this.#ledger.transaction(() => {
      const account = this.read(id, nowMs);
      if (account === undefined) throw noSuchAccount(id);
      const key = keyId === undefined ? undefined : this.findKey({ id: keyId });
      const decided = decide(account, key);
      this.#apply(id, decided, nowMs);
      return decided;
    });
    this.#changed(id);
    await this.#ledger.durable();
    return change;
  }

  /** The caller closes the file. */
  async close(): Promise<void> {}

  #apply(id: string, { plan, ended, added }: AccountChange, nowMs: number): void {
    const { db } = this.#ledger;
    if (plan !== undefined) {
      db.prepare("UPDATE accounts SET plan = ? WHERE id = ?").run([plan.name, id]);
      if (plan.from !== plan.to) this.#ledger.moveUsage(id, plan.from, plan.to);
    }
    if (ended !== undefined) {
      const values = [ended.expiresMs, ended.revokedMs, ended.id];
      db.prepare("UPDATE keys SET expires_ms = ?, revoked_ms = ? WHERE id = ?").run(values);
    }
    if (added === undefined) return;
    const [{ active }] = this.#all(KEYS_IN_FORCE, id, nowMs) as [{ readonly active: number }];
    if (active >= ACTIVE_KEYS_MAX) throw tooManyKeys(id, active);
    this.#insertKey(added);
  }

  #insertKey({ key, record }: NewKey): void {
    const { id, accountId, env, prefix, lastFour, createdMs } = record;
    const values = [hashKey(key), id, accountId, env, prefix, lastFour, createdMs];
    this.#ledger.db.prepare(INSERT_KEY).run(values);
  }

  #accounts(which: string, ...values: readonly (string | number)[]): readonly AccountRow[] {
    return this.#all(`${ACCOUNTS} ${which}`, ...values) as AccountRow[];
  }

  #keys(which: string, value: string): readonly KeyRecord[] {
    return this.#all(`${KEYS} ${which}`, value) as KeyRecord[];
  }

  /** Also where there is one row, since libsql adds timings to the row that `get` returns. */
  #all(sql: string, ...values: readonly (string | number)[]): unknown[] {
    return reading(() => this.#ledger.db.prepare(sql).all(values));
  }
}

/** Adds up what is counted in the same place, in the order of days. */
function joined(counts: readonly EndpointUsage[]): readonly EndpointUsage[] {
  const rows = new Map<string, EndpointUsage>();
  for (const each of counts) {
    const name = `${each.day} ${each.env} ${each.endpoint}`;
    const { calls, units } = rows.get(name) ?? { calls: 0, units: 0 };
    rows.set(name, { ...each, calls: each.calls + calls, units: each.units + units });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
