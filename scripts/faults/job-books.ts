import { setTimeout as sleep } from "node:timers/promises";
import type { Connection } from "../../server/accounts/sqlite/state-file.ts";
import { accountBook } from "./account-book.ts";
import { KEYED_START, type AccountLoad } from "./account-load.ts";

const WAIT_MAX_MS = 120_000;
const WAIT_STEP_MS = 100;

/** Accounts with more jobs queued or running than they may have. */
export function capFaults(db: Connection, cap: number): readonly string[] {
  const rows = db
    .prepare(
      `SELECT account_id AS account, count(*) AS jobs FROM jobs
       WHERE status IN ('queued', 'running') GROUP BY account_id HAVING count(*) > ?`,
    )
    .all(cap) as { account: string; jobs: number }[];
  return rows.map(({ account, jobs }) => `account ${account} has ${jobs} jobs under way`);
}

/** How many jobs are over. */
export function endedJobs(db: Connection): number {
  return count(db, "SELECT count(*) FROM jobs WHERE status IN ('done', 'error')");
}

export async function waitForJobs(over: () => boolean): Promise<void> {
  const giveUpAt = Date.now() + WAIT_MAX_MS;
  while (!over()) {
    if (Date.now() > giveUpAt) throw new Error("jobs are still under way");
    await sleep(WAIT_STEP_MS);
  }
}

/** Compares the state file with what the accounts were answered. */
export function bookFaults(
  db: Connection,
  loads: readonly AccountLoad[],
): { readonly faults: readonly string[]; readonly summary: string; readonly failed: number } {
  const faults = loads.flatMap((load) => accountFaults(db, load));
  const orphans = count(
    db,
    `SELECT count(*) FROM jobs LEFT JOIN results ON job_id = id
     WHERE (status = 'done') <> (job_id IS NOT NULL)`,
  );
  if (orphans > 0) faults.push(`${orphans} jobs are done without a result, or have one undone`);
  const strays = count(
    db,
    "SELECT count(*) FROM results WHERE job_id NOT IN (SELECT id FROM jobs)",
  );
  if (strays > 0) faults.push(`${strays} results are nobody's`);
  const jobs = count(db, "SELECT count(*) FROM jobs");
  const again = count(db, "SELECT count(*) FROM jobs WHERE attempt > 1");
  const failed = count(db, "SELECT count(*) FROM jobs WHERE status = 'error'");
  const most = count(db, "SELECT coalesce(max(attempt), 0) FROM jobs");
  const summary = `${jobs} jobs in the store, ${again} of them begun more than once (at most ${most} times), ${failed} ended in error`;
  return { faults, summary, failed };
}

function accountFaults(db: Connection, load: AccountLoad): readonly string[] {
  const { id } = load.account;
  const stored = db
    .prepare("SELECT id, status, instr(request, ?) > 0 AS keyed FROM jobs WHERE account_id = ?")
    .all(KEYED_START, id) as { id: number; status: string; keyed: number }[];
  const own = stored.map((job) => ({ ...job, keyed: job.keyed === 1 }));
  const used = count(db, "SELECT coalesce(sum(used), 0) FROM usage WHERE account_id = ?", id);
  return accountBook(load, own, used).faults;
}

function count(db: Connection, sql: string, ...values: readonly string[]): number {
  const [value] = db
    .prepare(sql)
    .raw()
    .get(...values) as [number];
  return value;
}
