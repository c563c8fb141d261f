/** Accounts for a load, made with the public commands; many of them by copying one inside the file. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "libsql";
import { hashKey, makeKey, shownParts } from "../../server/accounts/keys.ts";
import { runScript } from "./child-server.ts";

export const HINDSIGHT = fileURLToPath(new URL("../hindsight.js", import.meta.url));

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
  /** One account each, on the plan "load". */
  readonly keys: readonly string[];
  readonly minuteKey: string;
  readonly monthKey: string;
}

/** A state file of its own in the folder. */
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

/**
 * Copies the account of a key so many times, each with a key of its own, and returns these keys. Whole rows are
 * copied inside SQLite, with new ids, so that it holds for any columns the tables have. For files that no server uses.
 */
export function copyAccount(state: string, key: string, copies: number): string[] {
  const db = new Database(state);
  const keys: string[] = [];
  try {
    db.exec("PRAGMA synchronous = OFF");
    const accountId = columnOf(db, "SELECT account_id FROM keys WHERE hash = ?", hashKey(key));
    const insertAccount = db.prepare(
      copySql(db, "accounts", ["id", "email", "email_identity"], "id"),
    );
    const insertKey = db.prepare(
      copySql(db, "keys", ["hash", "id", "account_id", "prefix", "last_four"], "hash"),
    );
    db.exec("BEGIN");
    const made = Array.from({ length: copies }, () => makeKey("live"));
    // In the order of the table: a tree filled in random order takes several times as long.
    const ordered = made.map((each) => ({ hash: hashKey(each), each }));
    ordered.sort((a, b) => (a.hash < b.hash ? -1 : 1));
    for (const { hash, each } of ordered) {
      const id = `acc_${hash.slice(0, 16)}`;
      const email = `${id}@example.com`;
      const { prefix, lastFour } = shownParts(each);
      insertAccount.run(id, email, email, accountId);
      insertKey.run(hash, `key_${hash.slice(16, 32)}`, id, prefix, lastFour, hashKey(key));
      keys.push(each);
    }
    db.exec("COMMIT");
  } finally {
    db.close();
  }
  return keys;
}

function copySql(
  db: Database.Database,
  table: string,
  given: readonly string[],
  by: string,
): string {
  const columns = (db.prepare(`PRAGMA table_info(${table})`).all() as { name: string }[]).map(
    ({ name }) => name,
  );
  const missing = given.find((name) => !columns.includes(name));
  if (missing !== undefined) throw new Error(`table ${table} has no column ${missing} any more`);
  const values = [...given.map(() => "?"), ...columns.filter((name) => !given.includes(name))];
  const names = [...given, ...columns.filter((name) => !given.includes(name))];
  return `INSERT INTO ${table} (${names.join(", ")}) SELECT ${values.join(", ")} FROM ${table} WHERE ${by} = ?`;
}

function columnOf(db: Database.Database, sql: string, value: string): string {
  const found = db.prepare(sql).raw().get(value) as [string] | undefined;
  if (found === undefined) throw new Error(`nothing found: ${sql}`);
  return found[0];
}
