import { LINK_KEPT_MS, SESSION_MS, VOID } from "../access-store.ts";
import { CHANGES_KEPT_DAYS, FORMER_KEPT_DAYS } from "../admin-store.ts";
import { DAY_MS } from "../period.ts";

/** Makes the links of an account invalid and anonymous. They still count for the limits. */
export const VOID_LINKS = `
UPDATE links SET account_id = NULL, sealed = '', used_by = coalesce(used_by, '${VOID}') WHERE account_id = ?`;

/** Keeps the usage of an account when it leaves its address. */
export const REMEMBER = `
INSERT OR REPLACE INTO former (address, created_ms, left_ms, usage)
SELECT ?1, ?2, ?3, json_group_array(json_array(env, period, used)) FROM usage WHERE account_id = ?4`;

export const SUM_USAGE = `
INSERT INTO former_usage SELECT ?, env, period, used FROM usage WHERE account_id = ?
ON CONFLICT DO UPDATE SET used = used + excluded.used`;

/** Deletes everything of an account. A running job then has no row to end. */
export const REMOVE: readonly string[] = [
  VOID_LINKS,
  "DELETE FROM results WHERE job_id IN (SELECT id FROM jobs WHERE account_id = ?)",
  ...["jobs", "tried_sets", "idempotency", "sessions", "keys", "usage", "recent"].map(
    (table) => `DELETE FROM ${table} WHERE account_id = ?`,
  ),
  "DELETE FROM accounts WHERE id = ?",
];

/** Days are listed one by one, because the table is ordered by day and has millions of other accounts' rows. */
export const REMOVE_CALLS = `
DELETE FROM calls WHERE day IN (SELECT value FROM json_each(?)) AND account_id = ?`;

/** Deletes expired rows: the statement, and how long rows are kept. */
export const PRUNE: readonly (readonly [sql: string, keptMs: number])[] = [
  ["DELETE FROM links WHERE created_ms <= ?", LINK_KEPT_MS],
  ["DELETE FROM sessions WHERE created_ms <= ?", SESSION_MS],
  ["DELETE FROM audit WHERE at_ms <= ?", CHANGES_KEPT_DAYS * DAY_MS],
  ["DELETE FROM former WHERE left_ms <= ?", FORMER_KEPT_DAYS * DAY_MS],
];
