import { setTimeout as sleep } from "node:timers/promises";
import type { KeyEnvironment } from "../keys.ts";
import type { EndpointUsage } from "../admin.ts";
import { RATE_WINDOW_MS } from "../rate-window.ts";
import { inTransaction, type Connection } from "./state-file.ts";

/** A decided request. Names contain neither tabs nor line ends. */
interface DecidedCall {
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly period: string;
  readonly day: string;
  readonly endpoint: string;
  /** 0 for a request that cost nothing and counts for the rate limit only. */
  readonly units: number;
}

export interface LogEntry extends DecidedCall {
  /** The text of the entry in the log. */
  readonly line: string;
}

/** Units of a period. */
type PeriodCount = Pick<DecidedCall, "env" | "period" | "units">;

/** Units and calls to add to an account's usage. A refund is negative. */
interface UsageChange extends DecidedCall {
  readonly calls: number;
}

/** Requests of one account in one second. */
export type RecentRow = readonly [accountId: string, second: number, requests: number];
type LogRow = readonly [id: number, second: number, entries: string];

/** An entry and its number of occurrences in the log. */
interface Count {
  readonly entry: LogEntry;
  calls: number;
}

/** Rows of one second that are folded together, with counts of their entries by line. */
interface Chunk {
  readonly second: number;
  readonly counts: Map<string, Count>;
  rows: number;
  lastId: number;
}

/** The most that one transaction folds: a few milliseconds. */
const CHUNK_ENTRIES_MAX = 256;
const CHUNK_ROWS_MAX = 4096;
/** Between two transactions, requests that came meanwhile are answered. */
const REST_MS = 5;
/** For this long, calls by day and endpoint are kept. */
export const CALLS_KEPT_DAYS = 62;
/** For this long, `recent` keeps a second, whose requests count as of its end. */
const RECENT_SECONDS = RATE_WINDOW_MS / 1000 + 1;

// Each takes a JSON array of usage changes: 200 single calls of a statement would take a third longer than the work.
// "WHERE true" keeps SQLite from reading "ON" as part of a join (its documentation of UPSERT, "Parsing Ambiguity").
const ADD_USAGE = `
INSERT INTO usage
SELECT value ->> 'accountId', value ->> 'env', value ->> 'period', value ->> 'units'
FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET used = max(0, used + excluded.used)`;
const ADD_CALLS = `
INSERT INTO calls
SELECT value ->> 'day', value ->> 'accountId', value ->> 'env', value ->> 'endpoint', value ->> 'calls', value ->> 'units'
FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET calls = calls + excluded.calls, units = units + excluded.units`;
const ADD_RECENT = `
INSERT INTO recent SELECT ?, value ->> 'accountId', value ->> 'calls' FROM json_each(?) WHERE true
ON CONFLICT DO UPDATE SET requests = requests + excluded.requests`;
const CUT_CALLS = `
DELETE FROM calls WHERE (day, account_id, env, endpoint) IN
  (SELECT day, account_id, env, endpoint FROM calls WHERE day < ? LIMIT ?)`;

/**
 * The log of requests: one `INSERT` per turn of the event loop, however many accounts it has. Once a second its rows are
 * folded in slices into `usage`, `calls` and `recent`, and deleted. Their sums are kept in memory as they are written, so
 * the rows are read after a restart only.
 */
export class ChargeLog {
  readonly #db: Connection;
  readonly #sql;
  /** The rows that are not folded yet, oldest first. */
  #chunks: Chunk[] = [];

  constructor(db: Connection) {
    this.#db = db;
    this.#sql = {
      insert: db.prepare("INSERT INTO charge_log (second, entries) VALUES (?, ?)"),
      rows: db.prepare("SELECT id, second, entries FROM charge_log ORDER BY id").raw(),
      delete: db.prepare("DELETE FROM charge_log WHERE id <= ?"),
      addUsage: db.prepare(ADD_USAGE),
      addCalls: db.prepare(ADD_CALLS),
      addRecent: db.prepare(ADD_RECENT),
      recent: db.prepare("SELECT account_id, second, requests FROM recent ORDER BY second").raw(),
      forgetRecent: db.prepare("DELETE FROM recent WHERE second < ?"),
      forgetFuture: db.prepare("DELETE FROM recent WHERE second > ?"),
      cutCalls: db.prepare(CUT_CALLS),
      rewrite: db.prepare("UPDATE charge_log SET entries = ? WHERE id = ?"),
    };
  }

  /** Stores the requests of a turn. */
  insert(second: number, entries: readonly LogEntry[]): void {
    let text = "";
    for (const { line } of entries) text += line;
    const { lastInsertRowid } = this.#sql.insert.run([second, text]);
    this.#count(second, Number(lastInsertRowid), entries);
  }

  /** Adds to usage and calls at once, in the current transaction. */
  add(changes: readonly UsageChange[]): void {
    const json = JSON.stringify(changes);
    this.#sql.addUsage.run([json]);
    this.#sql.addCalls.run([json]);
  }

  /** Adds to usage in the current transaction, without a call. */
  addUsed(change: Omit<DecidedCall, "day" | "endpoint">): void {
    this.#sql.addUsage.run([JSON.stringify([change])]);
  }

  /** Folds the rows that are in the log now, with a rest between slices. A slice that fails stays in the log. */
  async fold(): Promise<void> {
    for (let left = this.#chunks.length; left > 0; left--) {
      this.#foldOldest();
      if (left > 1) await sleep(REST_MS);
    }
  }

  /**
   * Folds what a former process left in the log, and returns the requests of the last minute, oldest first. Seconds in the
   * future, from a clock that was set back since, become the present one.
   */
  recover(nowSecond: number): readonly RecentRow[] {
    for (const [id, second, text] of this.#sql.rows.all() as LogRow[]) {
      this.#count(second, id, entriesOf(text));
    }
    while (this.#chunks.length > 0) this.#foldOldest();
    return inTransaction(this.#db, () => {
      this.#sql.forgetRecent.run(nowSecond - RECENT_SECONDS);
      const rows = this.#sql.recent.all() as RecentRow[];
      this.#sql.forgetFuture.run(nowSecond);
      for (const [accountId, second, requests] of rows) {
        if (second > nowSecond) {
          this.#sql.addRecent.run([nowSecond, JSON.stringify([{ accountId, calls: requests }])]);
        }
      }
      return rows;
    });
  }

  /** Deletes seconds that have left every rate limit window. */
  forgetBefore(nowSecond: number): void {
    this.#sql.forgetRecent.run(nowSecond - RECENT_SECONDS);
  }

  /** Deletes calls of days before this one, `rowsMax` rows at most. */
  cutCalls(day: string, rowsMax: number): void {
    this.#sql.cutCalls.run(day, rowsMax);
  }

  /** An account's charged calls that are not folded yet. */
  unfolded(accountId: string): readonly EndpointUsage[] {
    return this.#chunks
      .flatMap(({ counts }) => [...counts.values()])
      .filter(({ entry }) => entry.accountId === accountId && entry.units > 0)
      .map(({ entry: { day, env, endpoint, units }, calls }) => {
        return { day, env, endpoint, calls, units: calls * units };
      });
  }

  /** Removes an account's requests from the file, in the transaction that removes it. Returns their units by period. */
  takeOut(accountId: string): readonly PeriodCount[] {
    const taken: PeriodCount[] = [];
    for (const [id, , text] of this.#sql.rows.all() as LogRow[]) {
      if (!text.includes(accountId)) continue;
      const entries = entriesOf(text);
      taken.push(...entries.filter((entry) => entry.accountId === accountId && entry.units > 0));
      const rest = entries.filter((entry) => entry.accountId !== accountId);
      this.#sql.rewrite.run([rest.map(({ line }) => line).join(""), id]);
    }
    return taken;
  }

  /** Removes an account's requests from memory, once that transaction is committed. */
  forget(accountId: string): void {
    for (const { counts } of this.#chunks) {
      for (const [line, { entry }] of counts)
        if (entry.accountId === accountId) counts.delete(line);
    }
  }

  #count(second: number, id: number, entries: readonly LogEntry[]): void {
    let chunk = this.#chunks.at(-1);
    const isFull =
      chunk && (chunk.rows >= CHUNK_ROWS_MAX || chunk.counts.size >= CHUNK_ENTRIES_MAX);
    if (chunk?.second !== second || isFull === true) {
      chunk = { second, counts: new Map(), rows: 0, lastId: 0 };
      this.#chunks.push(chunk);
    }
    chunk.rows += 1;
    chunk.lastId = id;
    for (const entry of entries) {
      const count = chunk.counts.get(entry.line);
      if (count === undefined) chunk.counts.set(entry.line, { entry, calls: 1 });
      else count.calls += 1;
    }
  }

  /** Folds the oldest chunk in one transaction. */
  #foldOldest(): void {
    const [chunk] = this.#chunks;
    if (chunk === undefined) return;
    const { second, counts, lastId } = chunk;
    const changes = Array.from(counts.values(), ({ entry, calls }) => {
      const { accountId, env, period, day, endpoint, units } = entry;
      return { accountId, env, period, day, endpoint, calls, units: calls * units };
    });
    inTransaction(this.#db, () => {
      this.#sql.addRecent.run([second, JSON.stringify(changes)]);
      this.add(changes.filter(({ units }) => units > 0));
      this.#sql.delete.run(lastId);
    });
    this.#chunks.shift();
  }
}

export function logEntry(call: DecidedCall): LogEntry {
  const { accountId, env, period, day, endpoint, units } = call;
  const line = `${[accountId, env, period, day, endpoint, units].join("\t")}\n`;
  return { accountId, env, period, day, endpoint, units, line }; // V8 gives every spread object a shape of its own
}

function entriesOf(text: string): readonly LogEntry[] {
  return text.split("\n").flatMap((line) => (line === "" ? [] : entryOf(line)));
}

function entryOf(line: string): LogEntry {
  const [accountId = "", env, period = "", day = "", endpoint = "", units] = line.split("\t");
  const known = { accountId, env: env as KeyEnvironment, period, day, endpoint };
  return logEntry({ ...known, units: Number(units) });
}
