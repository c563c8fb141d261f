import type { KeyEnvironment } from "../keys.ts";
import { DONE, LINK_KEPT_MS, SESSION_MS, VOID } from "../access-store.ts";
import { drawToken } from "../access-tokens.ts";
import type {
  ChangeLine,
  EndpointUsage,
  KeyRecord,
  KeyReference,
  NewKey,
  PageEnd,
  PeriodUsage,
} from "../admin.ts";
import {
  ACTIVE_KEYS_MAX,
  emailTaken,
  linkUsed,
  noSuchAccount,
  tooManyKeys,
} from "../admin-rules.ts";
import {
  CHANGES_KEPT_DAYS,
  FORMER_KEPT_DAYS,
  type AccountChange,
  type AccountRow,
  type AdminStore,
  type By,
  type Inserted,
  type Leaving,
  type StoredAccount,
} from "../admin-store.ts";
import { emailIdentity } from "../email.ts";
import { hashKey } from "../keys.ts";
import { DAY_MS, dateOf } from "../period.ts";
import { TRIAL } from "../plans.ts";
import { CALLS_KEPT_DAYS, type ChargeLog } from "./charge-log.ts";
import type { Ledger } from "./ledger.ts";
import { reading } from "./state-file.ts";

const ACCOUNTS = `
SELECT id, email, plan, created_ms AS createdMs, suspended_ms AS suspendedMs FROM accounts`;
const KEYS = `
SELECT id, account_id AS accountId, name, env, prefix, last_four AS lastFour, created_ms AS createdMs,
  last_used_ms AS lastUsedMs, expires_ms AS expiresMs, revoked_ms AS revokedMs
FROM keys`;
const KEYS_IN_FORCE = `
SELECT count(*) AS active FROM keys
WHERE account_id = ? AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?)`;
const INSERT_KEY = `
INSERT INTO keys (hash, id, account_id, name, env, prefix, last_four, created_ms)
VALUES (?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_ACCOUNT = `
INSERT INTO accounts (id, email, email_identity, plan, created_ms) VALUES (?, ?, ?, ?, ?)`;
const FORMER = `
SELECT created_ms AS createdMs, usage FROM former WHERE address = ? AND left_ms > ?`;
const RESTORE_USAGE = `
INSERT INTO usage SELECT ?, value ->> 0, value ->> 1, value ->> 2 FROM json_each(?)`;
const USAGE = `
SELECT page.value ->> 'id' AS accountId, page.value ->> 'createdMs' AS createdMs,
  page.value ->> 'plan' AS plan, env, period, used
FROM json_each(?) AS page JOIN usage ON usage.account_id = page.value ->> 'id'
WHERE period >= ? AND used > 0 ORDER BY page.key, period, env`;
const FORMER_USAGE = `
SELECT NULL AS accountId, NULL AS createdMs, plan, env, period, used FROM former_usage
WHERE period >= ? ORDER BY period, plan, env`;
const CHANGES = `
SELECT id AS number, at_ms AS atMs, who, what, account_id AS accountId FROM audit
WHERE id > ? ORDER BY id LIMIT ?`;
const CALLS = `
SELECT day, env, endpoint, calls, units FROM calls
WHERE day IN (SELECT value FROM json_each(?)) AND account_id = ? AND calls > 0`;

/** Makes the links of an account invalid and anonymous. */
const VOID_LINKS = `
UPDATE links SET account_id = NULL, sealed = '', used_by = coalesce(used_by, '${VOID}') WHERE account_id = ?`;

/** Keeps the usage of an account when it leaves its address. */
const REMEMBER = `
INSERT OR REPLACE INTO former (address, created_ms, left_ms, usage)
SELECT ?1, ?2, ?3, json_group_array(json_array(env, period, used)) FROM usage WHERE account_id = ?4`;

const SUM_USAGE = `
INSERT INTO former_usage SELECT ?, env, period, used FROM usage WHERE account_id = ?
ON CONFLICT DO UPDATE SET used = used + excluded.used`;

/** Deletes everything of an account. A running job then has no row to end. */
const REMOVE: readonly string[] = [
  VOID_LINKS,
  "DELETE FROM results WHERE job_id IN (SELECT id FROM jobs WHERE account_id = ?)",
  ...["jobs", "tried_sets", "idempotency", "sessions", "keys", "usage", "recent"].map(
    (table) => `DELETE FROM ${table} WHERE account_id = ?`,
  ),
  "DELETE FROM accounts WHERE id = ?",
];

/** Days are listed one by one, because the table is ordered by day and has millions of other accounts' rows. */
const REMOVE_CALLS = `
DELETE FROM calls WHERE day IN (SELECT value FROM json_each(?)) AND account_id = ?`;

/** Deletes expired rows: the statement, and how long rows are kept. */
const PRUNE: readonly (readonly [sql: string, keptMs: number])[] = [
  ["DELETE FROM links WHERE created_ms <= ?", LINK_KEPT_MS],
  ["DELETE FROM shares WHERE until_ms <= ?", 0],
  ["DELETE FROM sessions WHERE created_ms <= ?", SESSION_MS],
  ["DELETE FROM audit WHERE at_ms <= ?", CHANGES_KEPT_DAYS * DAY_MS],
  ["DELETE FROM former WHERE left_ms <= ?", FORMER_KEPT_DAYS * DAY_MS],
];

/**
 * The changes of accounts in a state file, made by the process that owns it. They take effect at the next request. Since a
 * key is shown once, and a revoked key must stay revoked, each change is forced to the disk.
 */
export class SqliteAdminStore implements AdminStore {
  readonly #ledger: Ledger;
  readonly #log: ChargeLog;
  readonly #changed: (accountId: string) => void;

  /** `changed` is called after every change of an account or its keys, before anything else happens. */
  constructor(ledger: Ledger, log: ChargeLog, changed: (accountId: string) => void) {
    this.#ledger = ledger;
    this.#log = log;
    this.#changed = changed;
  }

  secret(): string {
    const read = () => this.all("SELECT value FROM secrets WHERE name = 'hash'");
    const [known] = read() as { readonly value: string }[];
    if (known !== undefined) return known.value;
    const secret = drawToken();
    this.#ledger.transaction(() => this.run("INSERT INTO secrets VALUES ('hash', ?)", secret));
    return secret;
  }

  async insert(
    account: AccountRow,
    key: NewKey,
    by: By & { readonly former: string },
  ): Promise<Inserted> {
    const inserted = this.#ledger.transaction(() => {
      const taken = this.idOf(account.email);
      if (taken !== undefined) return { taken };
      const stored = this.insertNow(account, by);
      this.#insertKey(key);
      return { account: stored };
    });
    await this.#ledger.durable();
    return inserted;
  }

  /** Stores a new account inside a transaction, and returns it as stored. */
  insertNow(account: AccountRow, by: By & { readonly former: string }): AccountRow {
    const { id, email, plan } = account;
    const keptMs = by.nowMs - FORMER_KEPT_DAYS * DAY_MS;
    const [former] = this.all(FORMER, by.former, keptMs) as { createdMs: number; usage: string }[];
    const createdMs = plan === TRIAL ? (former?.createdMs ?? account.createdMs) : account.createdMs;
    this.run(INSERT_ACCOUNT, id, email, emailIdentity(email), plan, createdMs);
    if (former !== undefined) this.run(RESTORE_USAGE, id, former.usage);
    this.note(by, `opened on ${plan}`, id);
    return { ...account, createdMs };
  }

  isSuspended(id: string): boolean {
    return this.#accounts("WHERE id = ? AND suspended_ms IS NOT NULL", id).length > 0;
  }

  /** Records a change inside its transaction. */
  note({ who, nowMs }: By, what: string, accountId: string): void {
    const insert = "INSERT INTO audit (at_ms, who, what, account_id) VALUES (?, ?, ?, ?)";
    this.run(insert, nowMs, who, what, accountId);
  }

  idOf(email: string): string | undefined {
    return this.#accounts("WHERE email_identity = ?", emailIdentity(email))[0]?.id;
  }

  read(id: string, nowMs: number): StoredAccount | undefined {
    const [row] = this.#accounts("WHERE id = ?", id);
    if (row === undefined) return undefined;
    // Days are listed one by one: a range of days would read every account's rows.
    const days = daysUntil(nowMs, Number(dateOf(nowMs).slice(-2)));
    const folded = this.all(CALLS, days, id) as EndpointUsage[];
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
    by: By,
    decide: (account: StoredAccount, key: KeyRecord | undefined) => Change,
    keyId?: string,
  ): Promise<Change> {
    const change = this.#ledger.transaction(() => {
      const account = this.read(id, by.nowMs);
      if (account === undefined) throw noSuchAccount(id);
      const key = keyId === undefined ? undefined : this.findKey({ id: keyId });
      const decided = decide(account, key);
      this.#apply(id, decided, by);
      return decided;
    });
    this.#changed(id);
    await this.#ledger.durable();
    return change;
  }

  async changeAddress(account: AccountRow, email: string, leaving: Leaving): Promise<void> {
    const { id } = account;
    this.#ledger.transaction(() => {
      this.#useLink(leaving);
      const taken = this.idOf(email);
      if (taken !== undefined && taken !== id) throw emailTaken(email, taken);
      if (taken === undefined) this.#remember(account, leaving);
      const change = "UPDATE accounts SET email = ?, email_identity = ? WHERE id = ?";
      this.run(change, email, emailIdentity(email), id);
      this.run(VOID_LINKS, id);
      this.note(leaving, "address changed", id);
    });
    await this.#ledger.durable();
  }

  async remove(account: AccountRow, leaving: Leaving): Promise<void> {
    const { id, plan } = account;
    this.#ledger.transaction(() => {
      this.#useLink(leaving);
      for (const { env, period, units } of this.#log.takeOut(id)) {
        this.#log.addUsed({ accountId: id, env, period, units });
      }
      this.#remember(account, leaving);
      this.run(SUM_USAGE, plan, id);
      // The days whose calls may be in the file, and one more for a clock that was ahead.
      this.run(REMOVE_CALLS, daysUntil(leaving.nowMs + DAY_MS, CALLS_KEPT_DAYS + 3), id);
      for (const sql of REMOVE) this.run(sql, id);
      this.note(leaving, "deleted", id);
    });
    this.#log.forget(id);
    this.#changed(id);
    await this.#ledger.durable();
  }

  /** Requests that are not folded yet, of the last second, are missing. */
  usage(after: PageEnd | undefined, limit: number, since: string): readonly PeriodUsage[] {
    const page = JSON.stringify(this.list(after, limit));
    const former = after === undefined ? this.all(FORMER_USAGE, since) : [];
    return [...former, ...this.all(USAGE, page, since)] as PeriodUsage[];
  }

  changes(after: number, limit: number): readonly ChangeLine[] {
    return this.all(CHANGES, after, limit) as ChangeLine[];
  }

  /** Deletes expired rows. */
  prune(nowMs: number): void {
    this.#ledger.transaction(() => {
      for (const [sql, keptMs] of PRUNE) this.run(sql, nowMs - keptMs);
    });
  }

  /** Does nothing: `SqliteState` closes the file. */
  async close(): Promise<void> {}

  #useLink({ link }: Leaving): void {
    if (link === undefined) return;
    const use = "UPDATE links SET used_by = ? WHERE hash = ? AND used_by IS NULL";
    if (this.run(use, DONE, link) === 0) throw linkUsed();
  }

  /** Keeps the usage that an account opened with the same address continues. */
  #remember({ id, createdMs }: AccountRow, { former, nowMs }: Leaving): void {
    this.run(REMEMBER, former, createdMs, nowMs, id);
  }

  #apply(id: string, change: AccountChange, by: By): void {
    const { what, suspended, plan, ended, added } = change;
    if (what !== undefined) this.note(by, what, id);
    if (suspended !== undefined) {
      const at = suspended ? by.nowMs : null;
      this.run("UPDATE accounts SET suspended_ms = ? WHERE id = ?", at, id);
    }
    if (plan !== undefined) {
      this.run("UPDATE accounts SET plan = ? WHERE id = ?", plan.name, id);
      if (plan.from !== plan.to) this.#ledger.moveUsage(id, plan.from, plan.to);
    }
    if (ended !== undefined) {
      const { id: keyId, expiresMs, revokedMs } = ended;
      this.run(
        "UPDATE keys SET expires_ms = ?, revoked_ms = ? WHERE id = ?",
        expiresMs,
        revokedMs,
        keyId,
      );
    }
    if (added === undefined) return;
    const [{ active }] = this.all(KEYS_IN_FORCE, id, by.nowMs) as [{ readonly active: number }];
    if (active >= ACTIVE_KEYS_MAX) throw tooManyKeys(id, active);
    this.#insertKey(added);
  }

  #insertKey({ key, record }: NewKey): void {
    const { id, accountId, name, env, prefix, lastFour, createdMs } = record;
    this.run(INSERT_KEY, hashKey(key), id, accountId, name, env, prefix, lastFour, createdMs);
  }

  #accounts(which: string, ...values: readonly (string | number)[]): readonly AccountRow[] {
    return this.all(`${ACCOUNTS} ${which}`, ...values) as AccountRow[];
  }

  #keys(which: string, value: string): readonly KeyRecord[] {
    return this.all(`${KEYS} ${which}`, value) as KeyRecord[];
  }

  /** Returns the number of changed rows. */
  run(sql: string, ...values: readonly (string | number | null)[]): number {
    return this.#ledger.db.prepare(sql).run(values).changes;
  }

  /** Used for single rows too, because libsql adds timings to the row that `get` returns. */
  all(sql: string, ...values: readonly (string | number)[]): unknown[] {
    return reading(() => this.#ledger.db.prepare(sql).all(values));
  }
}

/** This many UTC days up to that of an instant, as JSON. */
function daysUntil(nowMs: number, count: number): string {
  const days = Array.from({ length: count }, (_, ago) => dateOf(nowMs - ago * DAY_MS));
  return JSON.stringify(days);
}

/** Sums counts of the same day, environment and endpoint, in the order of days. */
function joined(counts: readonly EndpointUsage[]): readonly EndpointUsage[] {
  const rows = new Map<string, EndpointUsage>();
  for (const each of counts) {
    const name = `${each.day} ${each.env} ${each.endpoint}`;
    const { calls, units } = rows.get(name) ?? { calls: 0, units: 0 };
    rows.set(name, { ...each, calls: each.calls + calls, units: each.units + units });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}
