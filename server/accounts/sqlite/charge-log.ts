import type { KeyEnvironment } from "../accounts.ts";
import type { EndpointUsage } from "../admin.ts";
import { RATE_WINDOW_MS } from "../rate.ts";
import { inTransaction, type Connection } from "./state-file.ts";

/** One request as it was decided. Names contain neither tabs nor line ends. */
export interface LogEntry {
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly period: string;
  readonly day: string;
  readonly endpoint: string;
  /** 0 for a request that cost nothing and counts for the rate limit only. */
  readonly units: number;
}

/** Units and calls to add to an account's usage; negative for a refund. */
export interface UsageChange extends LogEntry {
  readonly calls: number;
}

/** Requests of one account in one second. */
export type RecentRow = readonly [accountId: string, second: number, requests: number];
type LogRow = readonly [id: number, second: number, entries: string];

/** How long a slice of folding may hold up the event loop, and the rows of the first one. */
const SLICE_MS = 2;
const FIRST_SLICE_ROWS = 8;
const SLICE_ROWS_MAX = 4096;
/** How long `recent` keeps a second: each is counted at its end. */
const RECENT_SECONDS = RATE_WINDOW_MS / 1000 + 1;

/**
 * The log of requests: one `INSERT` a turn of the event loop, whatever the number of accounts. Once a second its rows
 * are folded, in slices, into `usage`, `calls` and `recent`, and deleted.
 */
export class ChargeLog {
  readonly #db: Connection;
  readonly #sql;
  #sliceRows = FIRST_SLICE_ROWS;
  /** Rows written and folded since the start. */
  #written = 0;
  #folded = 0;

  constructor(db: Connection) {
    this.#db = db;
    this.#sql = {
      insert: db.prepare("INSERT INTO charge_log (second, entries) VALUES (?, ?)"),
      oldest: db.prepare("SELECT id, second, entries FROM charge_log ORDER BY id LIMIT ?").raw(),
      delete: db.prepare("DELETE FROM charge_log WHERE id <= ?"),
      addUsage: db.prepare(`
INSERT INTO usage VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET used = max(0, used + excluded.used)`),
      addCalls: db.prepare(`
INSERT INTO calls VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, units = units + excluded.units`),
      addRecent: db.prepare(`
INSERT INTO recent VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`),
      recent: db.prepare("SELECT account_id, second, requests FROM recent ORDER BY second").raw(),
      forgetRecent: db.prepare("DELETE FROM recent WHERE second < ?"),
      forgetFuture: db.prepare("DELETE FROM recent WHERE second > ?"),
    };
  }

  /** Stores the requests of a turn, as `entryText` writes them one behind the other. */
  insert(second: number, entries: string): void {
    this.#sql.insert.run([second, entries]);
    this.#written += 1;
  }

  /** Adds to an account's usage at once, in the transaction at hand. */
  add(change: UsageChange): void {
    const { accountId, env, day, endpoint, units, calls } = change;
    this.addUsed(change);
    this.#sql.addCalls.run([day, accountId, env, endpoint, calls, units]);
  }

  /** Adds to what an account has used, in the transaction at hand, and lists no call. */
  addUsed({ accountId, env, period, units }: Omit<LogEntry, "day" | "endpoint">): void {
    this.#sql.addUsage.run([accountId, env, period, units]);
  }

  /**
   * Folds everything that is in the log now, and rests between slices. Stops with the failure of a slice, which then
   * stays in the log as it is.
   */
  async fold(rest: () => Promise<unknown>): Promise<void> {
    for (const target = this.#written; this.#folded < target;) {
      const startedMs = performance.now();
      if (this.#foldSlice(this.#sliceRows) === 0)
        throw new Error("rows of the charge log are missing");
      const tookMs = performance.now() - startedMs;
      if (tookMs > SLICE_MS) this.#sliceRows = Math.max(1, this.#sliceRows >> 1);
      else if (tookMs < SLICE_MS / 2 && this.#sliceRows < SLICE_ROWS_MAX) this.#sliceRows *= 2;
      await rest();
    }
  }

  /**
   * After a start: folds what is left in the log, and returns the requests of the last minute, the oldest first.
   * Seconds in the future, from a clock that was set back since, become the present one.
   */
  recover(nowSecond: number): readonly RecentRow[] {
    this.#foldSlice(Number.MAX_SAFE_INTEGER);
    this.#folded = 0; // of those written since the start
    return inTransaction(this.#db, () => {
      this.#sql.forgetRecent.run(nowSecond - RECENT_SECONDS);
      const rows = this.#sql.recent.all() as RecentRow[];
      this.#sql.forgetFuture.run(nowSecond);
      for (const [accountId, second, requests] of rows) {
        if (second > nowSecond) this.#sql.addRecent.run([nowSecond, accountId, requests]);
      }
      return rows;
    });
  }

  /** Deletes seconds that no rate limit window contains any more. */
  forgetBefore(nowSecond: number): void {
    this.#sql.forgetRecent.run(nowSecond - RECENT_SECONDS);
  }

  /** What the log has of one account's charged calls: for when it cannot be folded. */
  unfolded(accountId: string): readonly EndpointUsage[] {
    const rows = this.#sql.oldest.all(Number.MAX_SAFE_INTEGER) as LogRow[];
    return [...countsOf(rows).lines]
      .map(([line, calls]) => ({ ...entryOf(line), calls }))
      .filter((entry) => entry.accountId === accountId && entry.units > 0)
      .map(({ day, env, endpoint, calls, units }) => {
        return { day, env, endpoint, calls, units: calls * units };
      });
  }

  /** Folds up to this many rows in one transaction, and returns how many there were. */
  #foldSlice(rowsMax: number): number {
    const folded = inTransaction(this.#db, () => {
      const rows = this.#sql.oldest.all(rowsMax) as LogRow[];
      const last = rows.at(-1);
      if (last === undefined) return 0;
      const { lines, seconds } = countsOf(rows);
      for (const [line, count] of lines) {
        const entry = entryOf(line);
        if (entry.units === 0) continue;
        this.add({ ...entry, units: count * entry.units, calls: count });
      }
      for (const [second, accounts] of seconds) {
        for (const [accountId, requests] of accounts) {
          this.#sql.addRecent.run([second, accountId, requests]);
        }
      }
      this.#sql.delete.run(last[0]);
      return rows.length;
    });
    this.#folded += folded;
    return folded;
  }
}

/** An entry as the log has it: one line. */
export function entryText(entry: LogEntry): string {
  const { accountId, env, period, day, endpoint, units } = entry;
  return `${accountId}\t${env}\t${period}\t${day}\t${endpoint}\t${units}\n`;
}

function entryOf(line: string): LogEntry {
  const [accountId, env, period, day, endpoint, units] = line.split("\t") as [
    string,
    KeyEnvironment,
    string,
    string,
    string,
    string,
  ];
  return { accountId, env, period, day, endpoint, units: Number(units) };
}

/** How often each line occurs, and how many requests each account made in each second. */
function countsOf(rows: readonly LogRow[]) {
  const lines = new Map<string, number>();
  const seconds = new Map<number, Map<string, number>>();
  for (const [, second, entries] of rows) {
    const accounts = seconds.get(second) ?? new Map<string, number>();
    seconds.set(second, accounts);
    for (const line of entries.split("\n")) {
      if (line === "") continue; // behind the last line end
      lines.set(line, (lines.get(line) ?? 0) + 1);
      const accountId = line.slice(0, line.indexOf("\t"));
      accounts.set(accountId, (accounts.get(accountId) ?? 0) + 1);
    }
  }
  return { lines, seconds };
}
