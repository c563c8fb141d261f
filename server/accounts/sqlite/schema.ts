/**
 * The state file's tables, as migrations. Entry n takes a file from version n to n + 1, in the transaction
 * that writes the new version. Entries are only ever added.
 *
 * `store.revision` goes up by one with every change to an account or a key, and the account remembers the
 * value: that is how servers see what changed without reading everything. `keys` is ordered by hash, so that
 * a request's look-up is one descent of one tree. `calls` is ordered by day first, so that old days can be
 * cut off and today's rows lie together.
 */
export const MIGRATIONS: readonly string[] = [
  `
CREATE TABLE store (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  revision INTEGER NOT NULL
) STRICT;
INSERT INTO store VALUES (1, 1);

CREATE TABLE accounts (
  id             TEXT    PRIMARY KEY,
  email          TEXT    NOT NULL,
  email_identity TEXT    NOT NULL UNIQUE,
  plan           TEXT    NOT NULL,
  created_ms     INTEGER NOT NULL,
  revision       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX accounts_by_age ON accounts (created_ms, id);
CREATE INDEX accounts_by_plan ON accounts (plan);
CREATE INDEX accounts_by_revision ON accounts (revision);

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
  revoked_ms   INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX keys_by_account ON keys (account_id, created_ms, id);

CREATE TABLE usage (
  account_id TEXT    NOT NULL,
  env        TEXT    NOT NULL,
  period     TEXT    NOT NULL,
  used       INTEGER NOT NULL CHECK (used >= 0),
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
`,
  // Backtest jobs: server/jobs/sqlite/embedded-jobs.ts.
  `
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
  process       TEXT,
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
CREATE INDEX jobs_of_process ON jobs (process) WHERE process IS NOT NULL;
CREATE INDEX jobs_by_end ON jobs (finished_ms) WHERE finished_ms IS NOT NULL;

CREATE TABLE results (
  job_id INTEGER PRIMARY KEY,
  body   BLOB    NOT NULL
) STRICT;

CREATE TABLE idempotency (
  account_id  TEXT    NOT NULL,
  key         TEXT    NOT NULL,
  fingerprint TEXT    NOT NULL,
  job_id      INTEGER NOT NULL,
  created_ms  INTEGER NOT NULL,
  PRIMARY KEY (account_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_by_age ON idempotency (created_ms);

CREATE TABLE processes (
  id      TEXT    PRIMARY KEY,
  pid     INTEGER NOT NULL,
  seen_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`,
  // The meter file (meter-file.ts): its identity, which account has which record, and how far its counts are
  // in `usage` already.
  `
CREATE TABLE meter_file (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  identity TEXT    NOT NULL
) STRICT;

CREATE TABLE meters (
  slot       INTEGER PRIMARY KEY,
  account_id TEXT    NOT NULL UNIQUE
) STRICT;

CREATE TABLE settled (
  slot   INTEGER NOT NULL,
  env    TEXT    NOT NULL,
  period INTEGER NOT NULL,
  day    INTEGER NOT NULL,
  counts BLOB    NOT NULL,
  PRIMARY KEY (slot, env)
) STRICT, WITHOUT ROWID;
`,
  // Which snapshots each process that runs jobs has: a JSON list of names.
  `
CREATE TABLE holders (
  process   TEXT PRIMARY KEY,
  snapshots TEXT NOT NULL
) STRICT, WITHOUT ROWID;
`,
  // How many of a job's attempts ended because its worker was lost.
  `
ALTER TABLE jobs ADD COLUMN losses INTEGER NOT NULL DEFAULT 0;
`,
];

/** "HSST" in SQLite's application_id: a database without it is not ours. */
export const APPLICATION_ID = 0x48535354;
