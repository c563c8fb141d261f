import { LINK_KEPT_MS, SESSION_MS, VOID } from "../access-store.ts";
import { CHANGES_KEPT_DAYS, FORMER_KEPT_DAYS } from "../admin-store.ts";
import { DAY_MS } from "../period.ts";

/** Links that were sent to an account hold no more, and are nobody's. They still count for the limits. */
export const VOID_LINKS = `
UPDATE links SET account_id = NULL, sealed = '', used_by = coalesce(used_by, '${VOID}') WHERE account_id = ?`;

/** What an account had used when it left its address. */
export const REMEMBER = `
INSERT OR REPLACE INTO former (address, created_ms, left_ms, usage)
SELECT ?1, ?2, ?3, json_group_array(json_array(env, period, used)) FROM usage WHERE account_id = ?4`;

export const SUM_USAGE = `
INSERT INTO former_usage SELECT ?, env, period, used FROM usage WHERE account_id = ?
ON CONFLICT DO UPDATE SET used = used + excluded.used`;

/** Everything of an account; jobs that run have no row to end then. */
export const REMOVE: readonly string[] = [
  VOID_LINKS,
  "DELETE FROM results WHERE job_id IN (SELECT id FROM jobs WHERE account_id = ?)",
  ...["jobs", "tried_sets", "idempotency", "sessions", "keys", "usage", "recent"].map(
    (table) => `DELETE FROM ${table} WHERE account_id = ?`,
  ),
  "DELETE FROM accounts WHERE id = ?",
];

/** Each day is named, as the table is ordered by it: it may have millions of rows of others. */
export const REMOVE_CALLS = `
DELETE FROM calls WHERE day IN (SELECT value FROM json_each(?)) AND account_id = ?`;

/** What is kept for a time, and how long. */
export const PRUNE: readonly (readonly [sql: string, keptMs: number])[] = [
  ["DELETE FROM links WHERE created_ms <= ?", LINK_KEPT_MS],
  ["DELETE FROM sessions WHERE created_ms <= ?", SESSION_MS],
  ["DELETE FROM audit WHERE at_ms <= ?", CHANGES_KEPT_DAYS * DAY_MS],
  ["DELETE FROM former WHERE left_ms <= ?", FORMER_KEPT_DAYS * DAY_MS],
];
