import { LINK_KEPT_MS, SESSION_MS } from "../records.ts";
import { drawToken } from "../access-tokens.ts";
import type { KeyEnvironment } from "../keys.ts";
import type { ChangeLine, EndpointUsage, PageEnd, PeriodUsage } from "../admin.ts";
import { emailIdentity } from "../email.ts";
import { DAY_MS, dateOf } from "../in-force.ts";
import {
  CHANGES_KEPT_DAYS,
  FORMER_KEPT_DAYS,
  type AccountRow,
  type By,
  type Former,
  type Kind,
  type Kinds,
  type Owned,
  type Records,
  type StoredAccount,
  type Transaction,
} from "../records.ts";
import { CALLS_KEPT_DAYS, type ChargeLog } from "./charge-log.ts";
import type { Ledger } from "./ledger.ts";
import { reading } from "./state-file.ts";

/** The table of a kind of record, the column of its ids, and its members, whose columns have their names in snake case. */
const TABLES = {
  account: table("accounts", "id", "id email plan createdMs suspendedMs"),
  key: table(
    "keys",
    "hash",
    "id accountId name env prefix lastFour createdMs lastUsedMs expiresMs revokedMs",
  ),
  link: table("links", "hash", "purpose accountId sealed createdMs usedBy"),
  session: table("sessions", "hash", "hash accountId device createdMs lastDay"),
  share: table("shares", "name", "taken untilMs"),
} satisfies Readonly<Record<Kind, unknown>>;

function table(name: string, key: string, listed: string) {
  const members = listed.split(" ");
  const columns = members.map((member) => `${snakeCase(member)} AS ${member}`);
  const select = `SELECT ${key} AS "#id", ${columns.join(", ")} FROM ${name}`;
  return { table: name, key, members, select };
}

const ACTIVE_KEYS = `
SELECT count(*) AS active FROM keys
WHERE account_id = ? AND revoked_ms IS NULL AND (expires_ms IS NULL OR expires_ms > ?)`;
const FORMER =
  "SELECT created_ms AS createdMs, left_ms AS leftMs, usage FROM former WHERE address = ?";
const NOTE = "INSERT INTO audit (at_ms, who, what, account_id) VALUES (?, ?, ?, ?)";
const CONTINUE_USAGE = `
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

/** Keeps the usage of an account when it leaves its address. */
const REMEMBER = `
INSERT OR REPLACE INTO former (address, created_ms, left_ms, usage)
SELECT ?1, ?2, ?3, json_group_array(json_array(env, period, used)) FROM usage WHERE account_id = ?4`;

const SUM_USAGE = `
INSERT INTO former_usage SELECT ?, env, period, used FROM usage WHERE account_id = ?
ON CONFLICT DO UPDATE SET used = used + excluded.used`;

/** Deletes everything of an account. A running job then has no row to end. */
const REMOVE: readonly string[] = [
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

type Value = string | number | null;

/**
 * The records of a state file, read and written by the process that owns it. Changes take effect at the next request. Since
 * a key is shown once, and a revoked key must stay revoked, most are forced to the disk.
 */
export class SqliteRecords implements Records {
  readonly #ledger: Ledger;
  readonly #log: ChargeLog;
  readonly #changed: (accountId: string) => void;
  /** The number of changes by this process, which alone writes the file. */
  #revision = 0;

  /** `changed` is called after every change of an account or its keys, before anything else happens. */
  constructor(ledger: Ledger, log: ChargeLog, changed: (accountId: string) => void) {
    this.#ledger = ledger;
    this.#log = log;
    this.#changed = changed;
  }

  async change<T>(
    rule: (tx: Transaction) => Promise<T>,
    { isForced = true }: { readonly isForced?: boolean } = {},
  ): Promise<T> {
    for (;;) {
      const writes: (() => void)[] = [];
      const done: (() => void)[] = [];
      const revision = this.#revision;
      const result = await rule(this.#transaction(writes, done));
      if (revision !== this.#revision) continue;
      if (writes.length > 0) {
        this.#ledger.transaction(() => {
          for (const write of writes) write();
        });
        this.#revision += 1;
        for (const each of done) each();
      }
      if (isForced) await this.#ledger.durable(); // also of a change that was made before
      return result;
    }
  }

  get<K extends Kind>(kind: K, id: string): Kinds[K] | undefined {
    return this.#select(kind, `WHERE ${TABLES[kind].key} = ?`, id).get(id);
  }

  ofAccount<K extends Owned>(kind: K, accountId: string): ReadonlyMap<string, Kinds[K]> {
    const order = `created_ms, ${kind === "key" ? "id" : "hash"}`;
    return this.#select(kind, `WHERE account_id = ? ORDER BY ${order}`, accountId);
  }

  idOf(email: string): string | undefined {
    const [id] = this.#select("account", "WHERE email_identity = ?", emailIdentity(email)).keys();
    return id;
  }

  hashOf(keyId: string): string | undefined {
    const [hash] = this.#select("key", "WHERE id = ?", keyId).keys();
    return hash;
  }

  activeKeys(accountId: string, nowMs: number): number {
    const [row] = this.#all(ACTIVE_KEYS, accountId, nowMs) as [{ readonly active: number }];
    return row.active;
  }

  former(address: string): Former | undefined {
    const [row] = this.#all(FORMER, address) as (Omit<Former, "usage"> & { usage: string })[];
    return row && { ...row, usage: JSON.parse(row.usage) as Former["usage"] };
  }

  secret(): string {
    const read = () => this.#all("SELECT value FROM secrets WHERE name = 'hash'");
    const [known] = read() as { readonly value: string }[];
    if (known !== undefined) return known.value;
    const secret = drawToken();
    this.#ledger.transaction(() => this.#run("INSERT INTO secrets VALUES ('hash', ?)", secret));
    return secret;
  }

  read(id: string, nowMs: number): StoredAccount | undefined {
    const row = this.get("account", id);
    if (row === undefined) return undefined;
    // Days are listed one by one: a range of days would read every account's rows.
    const days = daysUntil(nowMs, Number(dateOf(nowMs).slice(-2)));
    const folded = this.#all(CALLS, days, id) as EndpointUsage[];
    const endpoints = joined([...folded, ...this.#log.unfolded(id)]);
    const usedIn = (env: KeyEnvironment, period: string) => this.#ledger.usedIn(id, env, period);
    return { ...row, endpoints, usedIn };
  }

  list(after: PageEnd | undefined, limit: number): readonly AccountRow[] {
    const page = "WHERE (created_ms, id) > (?, ?) ORDER BY created_ms, id LIMIT ?";
    const { createdMs = Number.MIN_SAFE_INTEGER, id = "" } = after ?? {};
    return [...this.#select("account", page, createdMs, id, limit).values()];
  }

  /** Requests that are not folded yet, of the last second, are missing. */
  usage(after: PageEnd | undefined, limit: number, since: string): readonly PeriodUsage[] {
    const page = JSON.stringify(this.list(after, limit));
    const former = after === undefined ? this.#all(FORMER_USAGE, since) : [];
    return [...former, ...this.#all(USAGE, page, since)] as PeriodUsage[];
  }

  changes(after: number, limit: number): readonly ChangeLine[] {
    return this.#all(CHANGES, after, limit) as ChangeLine[];
  }

  /** Deletes expired rows. */
  prune(nowMs: number): void {
    this.#ledger.transaction(() => {
      for (const [sql, keptMs] of PRUNE) this.#run(sql, nowMs - keptMs);
    });
  }

  /** Does nothing: `SqliteState` closes the file. */
  async close(): Promise<void> {}

  /** `writes` are collected to be run in one transaction, and `done` to be run after it. */
  #transaction(writes: (() => void)[], done: (() => void)[]): Transaction {
    const run = (sql: string, ...values: readonly Value[]) =>
      void writes.push(() => this.#run(sql, ...values));
    return {
      get: (kind, id) => this.get(kind, id),
      ofAccount: (kind, accountId) => this.ofAccount(kind, accountId),
      idOf: (email) => this.idOf(email),
      activeKeys: (accountId, nowMs) => this.activeKeys(accountId, nowMs),
      former: (address) => this.former(address),
      put: (kind, id, record) => {
        run(...upsert(kind, id, record));
        const accountId = kind === "account" ? id : "prefix" in record ? record.accountId : "";
        if (accountId !== "") done.push(() => this.#changed(accountId));
      },
      delete: (kind, id) => run(`DELETE FROM ${TABLES[kind].table} WHERE hash = ?`, id),
      note: ({ who, nowMs }: By, what, accountId) => run(NOTE, nowMs, who, what, accountId),
      continueUsage: (accountId, usage) => run(CONTINUE_USAGE, accountId, JSON.stringify(usage)),
      moveUsage: (accountId, from, to) =>
        void writes.push(() => this.#ledger.moveUsage(accountId, from, to)),
      remember: ({ id, createdMs }, address, nowMs) => run(REMEMBER, address, createdMs, nowMs, id),
      forget: (account, address, nowMs) => {
        writes.push(() => this.#forget(account, address, nowMs));
        done.push(() => {
          this.#log.forget(account.id);
          this.#changed(account.id);
        });
      },
    };
  }

  #forget({ id, plan, createdMs }: AccountRow, address: string, nowMs: number): void {
    for (const { env, period, units } of this.#log.takeOut(id)) {
      this.#log.addUsed({ accountId: id, env, period, units });
    }
    this.#run(REMEMBER, address, createdMs, nowMs, id);
    this.#run(SUM_USAGE, plan, id);
    // The days whose calls may be in the file, and one more for a clock that was ahead.
    this.#run(REMOVE_CALLS, daysUntil(nowMs + DAY_MS, CALLS_KEPT_DAYS + 3), id);
    for (const sql of REMOVE) this.#run(sql, id);
  }

  #select<K extends Kind>(kind: K, which: string, ...values: Value[]): Map<string, Kinds[K]> {
    const rows = this.#all(`${TABLES[kind].select} ${which}`, ...values) as Record<string, Value>[];
    return new Map(
      rows.map(({ "#id": id, ...record }) => [String(id), record as unknown as Kinds[K]]),
    );
  }

  #run(sql: string, ...values: readonly Value[]): void {
    this.#ledger.db.prepare(sql).run(values);
  }

  /** Used for single rows too, because libsql adds timings to the row that `get` returns. */
  #all(sql: string, ...values: readonly Value[]): unknown[] {
    return reading(() => this.#ledger.db.prepare(sql).all(values));
  }
}

/** The statement that stores a record, with its values. */
function upsert<K extends Kind>(kind: K, id: string, record: Kinds[K]): [string, ...Value[]] {
  const { table, key, members } = TABLES[kind];
  const row = record as unknown as Readonly<Record<string, Value>>;
  const names = members.filter((name) => name !== key);
  const columns = [key, ...names.map(snakeCase)];
  const values = [id, ...names.map((name) => row[name]!)]; // a record has its members
  if ("email" in record) {
    columns.push("email_identity");
    values.push(emailIdentity(record.email));
  }
  const places = columns.map(() => "?").join(", ");
  const updates = columns.slice(1).map((name) => `${name} = excluded.${name}`);
  const conflict = `ON CONFLICT (${key}) DO UPDATE SET ${updates.join(", ")}`;
  return [`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${places}) ${conflict}`, ...values];
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
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
