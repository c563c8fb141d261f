/** Accounts for a load, made with the public commands; many of them by copying one inside the file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "libsql";
import { hashKey, makeKey, shownParts } from "../../server/accounts/keys.ts";
import { HINDSIGHT, runScript } from "../support/child-processes.ts";

const NO_LIMIT_CALLS = 1_000_000_000_000;
const NO_LIMIT_RATE = 1_000_000_000;
const row = (name: string, calls: number, rate: number) => ({
  name,
  price_usd: null,
  calls_per_month: calls,
  rate_per_minute: rate,
  backtest_units: null,
  concurrent_runs: null,
});

/** Name, calls a month and rate a minute of the plans that loads use. */
export const LOAD_PLANS = [
  row("load", NO_LIMIT_CALLS, NO_LIMIT_RATE),
  row("minute", NO_LIMIT_CALLS, 1),
  row("month", 1, NO_LIMIT_RATE),
];

export interface BenchState {
  readonly state: string;
  readonly plans: string;
  /** One key for each account on the plan "load". */
  readonly keys: readonly string[];
  readonly minuteKey: string;
  readonly monthKey: string;
}

/** Makes a state file of its own in the folder. */
export async function makeState(folder: string, accounts: number): Promise<BenchState> {
  const state = join(folder, "state.db");
  const plans = join(folder, "plans.json");
  writeFileSync(plans, JSON.stringify({ plans: LOAD_PLANS }));
  const create = async (plan: string): Promise<string> => {
    const account = ["--email", `${plan}@example.com`, "--plan", plan];
    const where = ["--state", state, "--plans", plans];
    const command = ["accounts", "create", "--json", ...where, ...account];
    const output = await runScript(HINDSIGHT, command);
    return (JSON.parse(output) as { key: string }).key;
  };
  const first = await create("load");
  const minuteKey = await create("minute");
  const monthKey = await create("month");
  const keys = [first, ...copyAccount(state, first, accounts - 1)];
  return { state, plans, keys, minuteKey, monthKey };
}

/** Rows per statement: each call into SQLite costs more than a row. */
const BATCH = 2_000;

/**
 * Copies the account of a key this many times, each copy with a key of its own, and returns those keys. Rows
 * are copied whole inside SQLite, with new ids, so it works whatever columns the tables have. Only for files
 * that no server uses.
 */
function copyAccount(state: string, key: string, copies: number): string[] {
  // In the order of the table: filling a tree in random order takes several times as long.
  const made = Array.from({ length: copies }, () => makeKey("live"))
    .map((each) => ({ key: each, hash: hashKey(each) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1));
  const db = new Database(state);
  try {
    db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -100000; PRAGMA journal_mode = OFF");
    const hash = hashKey(key);
    const accountId = columnOf(db, "SELECT account_id FROM keys WHERE hash = ?", hash);
    const addAccounts = db.prepare(copySql(db, "accounts", ["id", "email", "email_identity"]));
    const keyColumns = ["hash", "id", "account_id", "prefix", "last_four"];
    const addKeys = db.prepare(copySql(db, "keys", keyColumns));
    db.exec("BEGIN");
    for (let from = 0; from < made.length; from += BATCH) {
      const rows = made.slice(from, from + BATCH).map(rowsOf);
      addAccounts.run(JSON.stringify(rows.map(({ account }) => account)), accountId);
      addKeys.run(JSON.stringify(rows.map(({ key }) => key)), accountId);
    }
    db.exec("COMMIT");
    db.exec("PRAGMA journal_mode = WAL");
  } finally {
    db.close();
  }
  return made.map((each) => each.key);
}

/** The columns in which a copy differs. */
function rowsOf({ key, hash }: { readonly key: string; readonly hash: string }) {
  const id = `acc_${hash.slice(0, 16)}`;
  const email = `${id}@example.com`;
  const { prefix, lastFour } = shownParts(key);
  return {
    account: [id, email, email],
    key: [hash, `key_${hash.slice(16, 32)}`, id, prefix, lastFour],
  };
}

/**
 * Copies an account's row once for every element of a JSON array, which holds the values of the columns that
 * differ.
 */
function copySql(
  db: Database.Database,
  table: "accounts" | "keys",
  given: readonly string[],
): string {
  const columns = (db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(
    ({ name }) => name,
  );
  const missing = given.find((name) => !columns.includes(name));
  if (missing !== undefined) throw new Error(`table ${table} has no column ${missing} any more`);
  const copied = columns.filter((name) => !given.includes(name));
  const values = [
    ...given.map((_, n) => `row.value ->> ${n}`),
    ...copied.map((name) => `old.${name}`),
  ];
  const by = table === "accounts" ? "id" : "account_id";
  return (
    `INSERT INTO ${table} (${[...given, ...copied].join(", ")}) ` +
    `SELECT ${values.join(", ")} FROM json_each(?) row, ${table} old WHERE old.${by} = ?`
  );
}

function columnOf(db: Database.Database, sql: string, value: string): string {
  const found = db.prepare(sql).raw().get(value) as [string] | undefined;
  if (found === undefined) throw new Error(`nothing found: ${sql}`);
  return found[0];
}
