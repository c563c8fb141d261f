import type Database from "libsql";
import type { Connection } from "../../accounts/sqlite/state-file.ts";

/** The job queue's SQL, each statement prepared once. Tables: `server/accounts/sqlite/schema.ts`. */
const SQL = {
  running: `SELECT count(*) AS running FROM jobs WHERE account_id = ? AND status IN ('queued', 'running')`,
  counts: `
SELECT coalesce(sum(status = 'queued'), 0) AS queued, coalesce(sum(status = 'running'), 0) AS running
FROM jobs WHERE status IN ('queued', 'running')`,
  exists: `SELECT 1 FROM jobs WHERE id = ?`,
  lastTurn: `
SELECT max(queue.turn, coalesce((SELECT max(turn) FROM jobs WHERE account_id = ? AND status IN ('queued', 'running')), 0)) AS turn
FROM queue`,
  insert: `
INSERT INTO jobs (id, account_id, env, status, request, snapshot_id, attribution, turn, units, period, created_ms)
VALUES (?, ?, ?, 'queued', ?, ?, ?, ?, ?, ?, ?)`,
  findKey: `
SELECT job_id, fingerprint, attribution FROM idempotency JOIN jobs ON jobs.id = job_id
WHERE idempotency.account_id = ? AND key = ? AND idempotency.created_ms > ?`,
  insertKey: `INSERT OR REPLACE INTO idempotency VALUES (?, ?, ?, ?, ?)`,
  next: `
SELECT id, turn FROM jobs WHERE status = 'queued' AND snapshot_id IN (SELECT value FROM json_each(?))
ORDER BY turn, id LIMIT 1`,
  missing: `
SELECT DISTINCT snapshot_id FROM
  (SELECT snapshot_id FROM jobs WHERE status = 'queued' ORDER BY turn, id LIMIT ?)
WHERE snapshot_id NOT IN (SELECT value FROM holders, json_each(holders.snapshots))`,
  hold: `
INSERT INTO holders VALUES (?, ?) ON CONFLICT (process) DO UPDATE SET snapshots = excluded.snapshots`,
  forgetHolders: `DELETE FROM holders WHERE process NOT IN (SELECT id FROM processes)`,
  serve: `UPDATE queue SET turn = max(turn, ?)`,
  claim: `
UPDATE jobs SET status = 'running', process = ?, started_ms = ?, attempt = attempt + 1
WHERE id = ? RETURNING request, snapshot_id, attempt, losses, created_ms`,
  finish: `
UPDATE jobs SET status = ?, finished_ms = ?, error_code = ?, error_message = ?, process = NULL
WHERE id = ? AND attempt = ? AND status = 'running' RETURNING account_id, env, period, units, created_ms`,
  insertResult: `INSERT INTO results VALUES (?, ?)`,
  release: `
UPDATE jobs SET status = 'queued', process = NULL, started_ms = NULL, losses = losses + ?
WHERE id = ? AND attempt = ? AND status = 'running'`,
  requeue: `
UPDATE jobs SET status = 'queued', process = NULL, started_ms = NULL WHERE process = ?`,
  requeueLost: `
UPDATE jobs SET status = 'queued', process = NULL, started_ms = NULL
WHERE process IS NOT NULL AND process NOT IN (SELECT id FROM processes)`,
  // A row of its own, under a key that no caller can send: those are printable.
  promise: `
INSERT OR IGNORE INTO idempotency SELECT account_id, char(1) || id, '', id, created_ms FROM jobs WHERE id = ?`,
  isPromised: `
SELECT 1 FROM jobs JOIN idempotency USING (account_id) WHERE jobs.id = ? AND key = char(1) || jobs.id`,
  withdraw: `
DELETE FROM jobs WHERE id = ? AND status <> 'error' AND NOT EXISTS
  (SELECT 1 FROM idempotency WHERE idempotency.account_id = jobs.account_id AND key = char(1) || jobs.id)
RETURNING account_id, env, period, units, created_ms`,
  withdrawResult: `DELETE FROM results WHERE job_id = ?`,
  withdrawKey: `DELETE FROM idempotency WHERE account_id = ? AND job_id = ?`,
  find: `
SELECT jobs.*, body FROM jobs LEFT JOIN results ON job_id = id WHERE id = ? AND account_id = ?`,
  heartbeat: `
INSERT INTO processes VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen_ms = excluded.seen_ms`,
  processes: `SELECT id, pid, seen_ms FROM processes`,
  forgetProcess: `DELETE FROM processes WHERE id = ?`,
  pruneKeys: `
DELETE FROM idempotency WHERE (account_id, key) IN
  (SELECT account_id, key FROM idempotency WHERE created_ms <= ? ORDER BY created_ms LIMIT ?)`,
  pruneResults: `
DELETE FROM results WHERE job_id IN
  (SELECT id FROM jobs WHERE finished_ms <= ? ORDER BY finished_ms LIMIT ?)`,
  pruneJobs: `
DELETE FROM jobs WHERE id IN
  (SELECT id FROM jobs WHERE finished_ms <= ? ORDER BY finished_ms LIMIT ?)`,
} as const;

export type JobStatements = Readonly<Record<keyof typeof SQL, Database.Statement>>;

export function prepareJobStatements(db: Connection): JobStatements {
  const prepared = Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)]);
  return Object.fromEntries(prepared) as JobStatements;
}
