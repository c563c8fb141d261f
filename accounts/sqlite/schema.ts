/**
 * The tables of the state file. `keys` is ordered by hash, so that a look-up descends one tree once. `calls` is ordered by
 * day first, so that old days can be cut off and today's rows are adjacent.
 *
 * `charge_log` has one row per turn of the event loop, with the requests that are not folded yet into `usage`, `calls`
 * and `recent` (`charge-log.ts`). A row exists if and only if it is not folded. `recent` has the requests of each account
 * by the second for the last minute, from which the rate limit windows are rebuilt after a restart.
 */
const ACCOUNTS = `
CREATE TABLE accounts (
  id             TEXT    PRIMARY KEY,
  email          TEXT    NOT NULL,
  email_identity TEXT    NOT NULL UNIQUE,
  plan           TEXT    NOT NULL,
  created_ms     INTEGER NOT NULL,
  suspended_ms   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_by_age ON accounts (created_ms, id);
CREATE INDEX accounts_by_plan ON accounts (plan);

CREATE TABLE keys (
  hash         TEXT    PRIMARY KEY,
  id           TEXT    NOT NULL UNIQUE,
  account_id   TEXT    NOT NULL REFERENCES accounts (id),
  env          TEXT    NOT NULL CHECK (env IN ('live', 'test')),
  prefix       TEXT    NOT NULL,
  last_four    TEXT    NOT NULL,
  created_ms   INTEGER NOT NULL,
  last_used_ms INTEGER,
  expires_ms   INTEGER,
  revoked_ms   INTEGER,
  name         TEXT    NOT NULL DEFAULT ''
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_account ON keys (account_id, created_ms, id);

CREATE TABLE charge_log (
  id      INTEGER PRIMARY KEY,
  second  INTEGER NOT NULL,
  entries TEXT    NOT NULL
) STRICT;

CREATE TABLE usage (
  account_id TEXT    NOT NULL,
  env        TEXT    NOT NULL,
  period     TEXT    NOT NULL,
  used       INTEGER NOT NULL,
  PRIMARY KEY (account_id, env, period)
) STRICT, WITHOUT ROWID;

CREATE TABLE calls (
  day        TEXT    NOT NULL,
  account_id TEXT    NOT NULL,
  env        TEXT    NOT NULL,
  endpoint   TEXT    NOT NULL,
  calls      INTEGER NOT NULL,
  units      INTEGER NOT NULL,
  PRIMARY KEY (day, account_id, env, endpoint)
) STRICT, WITHOUT ROWID;

CREATE TABLE recent (
  second     INTEGER NOT NULL,
  account_id TEXT    NOT NULL,
  requests   INTEGER NOT NULL,
  PRIMARY KEY (second, account_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE queue (turn INTEGER NOT NULL) STRICT;
INSERT INTO queue VALUES (0);

CREATE TABLE jobs (
  id            INTEGER PRIMARY KEY,
  account_id    TEXT    NOT NULL,
  env           TEXT    NOT NULL,
  status        TEXT    NOT NULL CHECK (status IN ('queued', 'running', 'done', 'error')),
  request       TEXT    NOT NULL,
  snapshot_id   TEXT    NOT NULL,
  attribution   TEXT    NOT NULL,
  turn          INTEGER NOT NULL,
  attempt       INTEGER NOT NULL DEFAULT 0,
  losses        INTEGER NOT NULL DEFAULT 0,
  units         INTEGER NOT NULL,
  period        TEXT    NOT NULL,
  created_ms    INTEGER NOT NULL,
  started_ms    INTEGER,
  finished_ms   INTEGER,
  error_code    TEXT,
  error_message TEXT
) STRICT;
CREATE INDEX jobs_waiting ON jobs (turn, id) WHERE status = 'queued';
CREATE INDEX jobs_under_way ON jobs (account_id, turn) WHERE status IN ('queued', 'running');
CREATE INDEX jobs_by_end ON jobs (finished_ms) WHERE finished_ms IS NOT NULL;

CREATE TABLE results (
  job_id INTEGER PRIMARY KEY,
  body   BLOB    NOT NULL
) STRICT;

-- key: the SHA-256 of the caller's Idempotency-Key, which may contain anything, an API key too.
CREATE TABLE idempotency (
  account_id  TEXT    NOT NULL,
  key         TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  job_id      INTEGER NOT NULL,
  created_ms  INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created_ms);
`;

/**
 * The tables that version 11 added: sessions, the log of changes, and data of deleted accounts. Addresses are hashes keyed
 * with `secrets`, and tokens are stored as SHA-256.
 */
const ACCESS = `
CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;

CREATE TABLE sessions (
  hash       TEXT    PRIMARY KEY,
  account_id TEXT    NOT NULL REFERENCES accounts (id),
  device     TEXT    NOT NULL,
  created_ms INTEGER NOT NULL,
  last_day   TEXT    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_by_account ON sessions (account_id, created_ms);
CREATE INDEX sessions_by_age ON sessions (created_ms);

CREATE TABLE audit (
  id         INTEGER PRIMARY KEY,
  at_ms      INTEGER NOT NULL,
  who        TEXT    NOT NULL,
  what       TEXT    NOT NULL,
  account_id TEXT    NOT NULL
) STRICT;

-- usage: JSON, a list of [env, period, used].
CREATE TABLE former (
  address    TEXT    PRIMARY KEY,
  created_ms INTEGER NOT NULL,
  left_ms    INTEGER NOT NULL,
  usage      TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE former_usage (
  plan   TEXT    NOT NULL,
  env    TEXT    NOT NULL,
  period TEXT    NOT NULL,
  used   INTEGER NOT NULL,
  PRIMARY KEY (plan, env, period)
) STRICT, WITHOUT ROWID;

CREATE INDEX jobs_by_account ON jobs (account_id, created_ms);
`;

/**
 * Also added by version 11: kinds of jobs, and the parameter sets that an account tried. The sets of a job under way are in
 * its row, and move to `tried_sets` once it is done.
 */
const STUDIES = `
ALTER TABLE jobs ADD COLUMN kind TEXT NOT NULL DEFAULT 'backtest';
ALTER TABLE jobs ADD COLUMN endpoint TEXT NOT NULL DEFAULT '/backtests';
ALTER TABLE jobs ADD COLUMN scope TEXT;
ALTER TABLE jobs ADD COLUMN tried TEXT;
ALTER TABLE jobs ADD COLUMN known INTEGER;

CREATE TABLE tried_sets (
  account_id TEXT    NOT NULL,
  scope      TEXT    NOT NULL,
  digest     TEXT    NOT NULL,
  until_ms   INTEGER NOT NULL,
  PRIMARY KEY (account_id, scope, digest)
) STRICT, WITHOUT ROWID;
CREATE INDEX tried_sets_by_age ON tried_sets (until_ms);
`;

/**
 * Also added by version 11, whose first files have other links: `sealed` is the address, encrypted with the token, and
 * `used_by` the session that a link opened, or a word. The names of shares are keyed hashes (`shares.ts`).
 */
export const LINKS = `
DROP TABLE IF EXISTS links;
CREATE TABLE links (
  hash       TEXT    PRIMARY KEY,
  purpose    TEXT    NOT NULL,
  account_id TEXT,
  sealed     TEXT    NOT NULL,
  created_ms INTEGER NOT NULL,
  used_by    TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX links_by_age ON links (created_ms);

CREATE TABLE shares (
  name     TEXT    PRIMARY KEY,
  taken    INTEGER NOT NULL,
  until_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX shares_by_end ON shares (until_ms);
`;

export const SCHEMA = ACCOUNTS + ACCESS + STUDIES + LINKS;

/** Upgrades a file of the version before. */
export const UPGRADE = `
ALTER TABLE accounts ADD COLUMN suspended_ms INTEGER;
ALTER TABLE keys ADD COLUMN name TEXT NOT NULL DEFAULT '';
${ACCESS}${STUDIES}${LINKS}`;

/** "HSST" as SQLite's application_id. A database without it is not a state file. */
export const APPLICATION_ID = 0x48535354;
/** Versions 1 to 5 were written by builds before 1.0.0. A file of the version before this one is upgraded when opened. */
export const SCHEMA_VERSION = 11;
