import type Database from "libsql";
import type { Connection } from "../../sqlite/state-file.ts";

/** As the ledger's `Payment` has it. */
const PAYMENT = "account_id AS accountId, env, period, units, endpoint, created_ms AS chargedMs";

/** The SQL of the job queue. The tables are in `accounts/sqlite/schema.ts`. */
const SQL = {
  // The condition on the status repeats that of the index `jobs_under_way`, so that SQLite uses the index.
  running: `SELECT count(*) AS running FROM jobs WHERE account_id = ? AND status IN ('queued', 'running')`,
  counts: `
SELECT coalesce(sum(status = 'queued'), 0) AS queued, coalesce(sum(status = 'running'), 0) AS running
FROM jobs WHERE status IN ('queued', 'running')`,
  exists: `SELECT 1 FROM jobs WHERE id = ?`,
  lastTurn: `
SELECT max(queue.turn, coalesce((SELECT max(turn) FROM jobs WHERE account_id = ? AND status IN ('queued', 'running')), 0)) AS turn
FROM queue`,
  insert: `
INSERT INTO jobs (id, account_id, env, status, kind, request, snapshot_id, attribution, turn, units, period, created_ms, endpoint, scope, tried, known)
VALUES ($id, $account, $env, 'queued', $kind, $request, $snapshot, $attribution, $turn, $units, $period, $now, $endpoint, $scope, $tried, $known)`,
  known: `
SELECT count(*) + (
  SELECT count(*) FROM (
    SELECT value AS digest FROM json_each($tried)
    UNION SELECT value FROM jobs, json_each(jobs.tried)
    WHERE account_id = $account AND status IN ('queued', 'running') AND scope = $scope
  ) AS new WHERE NOT EXISTS (
    SELECT 1 FROM tried_sets AS old
    WHERE old.account_id = $account AND old.scope = $scope AND old.digest = new.digest AND old.until_ms > $now
  )
) AS known
FROM tried_sets WHERE account_id = $account AND scope = $scope AND until_ms > $now`,
  keepTried: `
INSERT OR REPLACE INTO tried_sets
SELECT account_id, scope, value, ? FROM jobs, json_each(jobs.tried) WHERE jobs.id = ?`,
  dropTried: `UPDATE jobs SET tried = NULL WHERE id = ? AND tried IS NOT NULL`,
  pruneTried: `
DELETE FROM tried_sets WHERE (account_id, scope, digest) IN
  (SELECT account_id, scope, digest FROM tried_sets WHERE until_ms <= ? ORDER BY until_ms LIMIT ?)`,
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
WHERE snapshot_id NOT IN (SELECT value FROM json_each(?))`,
  serve: `UPDATE queue SET turn = max(turn, ?)`,
  claim: `
UPDATE jobs SET status = 'running', started_ms = ?, attempt = attempt + 1
WHERE id = ?
RETURNING id, kind, request, known, snapshot_id AS snapshotId, attempt, losses, created_ms AS createdMs`,
  finish: `
UPDATE jobs SET status = ?, finished_ms = ?, error_code = ?, error_message = ?
WHERE id = ? AND attempt = ? AND status = 'running'
RETURNING ${PAYMENT}`,
  insertResult: `INSERT INTO results VALUES (?, ?)`,
  release: `
UPDATE jobs SET status = 'queued', started_ms = NULL, losses = losses + ?
WHERE id = ? AND attempt = ? AND status = 'running'`,
  requeue: `
UPDATE jobs SET status = 'queued', started_ms = NULL
WHERE status IN ('queued', 'running') AND status = 'running'`,
  withdraw: `
DELETE FROM jobs WHERE id = ? AND status <> 'error' RETURNING ${PAYMENT}`,
  withdrawResult: `DELETE FROM results WHERE job_id = ?`,
  withdrawKey: `DELETE FROM idempotency WHERE account_id = ? AND job_id = ?`,
  find: `
SELECT id, account_id AS accountId, status, kind, request, snapshot_id AS snapshotId, created_ms AS createdMs,
  started_ms AS startedMs, finished_ms AS finishedMs, error_code, error_message, attribution, body
FROM jobs LEFT JOIN results ON job_id = id WHERE id = ? AND account_id = ?`,
  list: `
SELECT id, status, request, created_ms AS createdMs, finished_ms AS finishedMs, error_code
FROM jobs WHERE account_id = ? ORDER BY created_ms DESC, id LIMIT ?`,
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
