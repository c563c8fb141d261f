import type { AccountRecord, EndpointUsage } from "../admin.ts";
import type { KeyEnvironment } from "../accounts.ts";
import {
  accountRecord,
  drawAccountId,
  emailTaken,
  noSuchAccount,
  trialOver,
} from "../admin-rules.ts";
import { checkEmail, emailIdentity } from "../email.ts";
import { dateOf, monthOf, periodOf, TRIAL_MS } from "../period.ts";
import { checkPlan, TRIAL, type PlanTable } from "../plans.ts";
import type { Sql } from "./sql.ts";

const COLUMNS = "id, email, plan, created_ms";

type AccountRow = readonly [id: string, email: string, plan: string, createdMs: number];

/** Accounts, as the operator's commands see them. What writes belongs inside a transaction. */
export class AccountTable {
  readonly #sql: Sql;
  readonly #plans: PlanTable;

  constructor(sql: Sql, plans: PlanTable) {
    this.#sql = sql;
    this.#plans = plans;
  }

  insert(request: { email: string; plan: string }, nowMs: number): AccountRecord {
    const email = checkEmail(request.email);
    checkPlan(this.#plans, request.plan);
    const identity = emailIdentity(email);
    const taken = this.#sql.one("SELECT id FROM accounts WHERE email_identity = ?", [identity]);
    if (taken !== undefined) throw emailTaken(email, String(taken[0]));
    const id = drawAccountId();
    const values = [id, email, identity, request.plan, nowMs];
    this.#sql.run("INSERT INTO accounts VALUES (?, ?, ?, ?, ?)", values);
    return this.get(id, nowMs);
  }

  get(id: string, nowMs: number): AccountRecord {
    const row = this.#sql.one(`SELECT ${COLUMNS} FROM accounts WHERE id = ?`, [id]);
    if (row === undefined) throw noSuchAccount(id);
    return recordOf(row as AccountRow, nowMs);
  }

  find(idOrEmail: string, nowMs: number): AccountRecord {
    const sql = `SELECT ${COLUMNS} FROM accounts WHERE email_identity = ?`;
    const row = this.#sql.one(sql, [emailIdentity(idOrEmail)]);
    return row === undefined ? this.get(idOrEmail, nowMs) : recordOf(row as AccountRow, nowMs);
  }

  list(after: AccountRecord | undefined, limit: number, nowMs: number): readonly AccountRecord[] {
    const sql = `SELECT ${COLUMNS} FROM accounts WHERE (created_ms, id) > (?, ?) ORDER BY created_ms, id LIMIT ?`;
    const values = [after?.createdMs ?? Number.MIN_SAFE_INTEGER, after?.id ?? "", limit];
    return this.#sql.all(sql, values).map((row) => recordOf(row as AccountRow, nowMs));
  }

  /** Sets the plan, and returns the live periods that the account counts in before and after. */
  setPlan(id: string, plan: string, nowMs: number): { readonly from: string; readonly to: string } {
    checkPlan(this.#plans, plan);
    const before = this.get(id, nowMs);
    const trialEndsMs = before.createdMs + TRIAL_MS;
    if (plan === TRIAL && nowMs >= trialEndsMs) throw trialOver(id, trialEndsMs);
    this.#sql.run("UPDATE accounts SET plan = ? WHERE id = ?", [plan, id]);
    const periodNow = (name: string) => periodOf("live", name, trialEndsMs, nowMs).name;
    return { from: periodNow(before.plan), to: periodNow(plan) };
  }

  /** Deletes up to this many counts of days before this one. */
  cutCalls(day: string, rowsMax: number): void {
    this.#sql.run(
      `DELETE FROM calls WHERE (day, account_id, env, endpoint) IN (
         SELECT day, account_id, env, endpoint FROM calls WHERE day < ? LIMIT ?)`,
      [day, rowsMax],
    );
  }

  /** Charged calls of this month by day, the oldest first. A count that was taken back in full is left out. */
  endpoints(id: string, nowMs: number): readonly EndpointUsage[] {
    const firstDay = `${monthOf(nowMs).name}-01`;
    // Each day is named: the table is ordered by day first, so a range of days would read every account's
    // rows.
    const days = Array.from(
      { length: Number(dateOf(nowMs).slice(-2)) },
      (_, index) => firstDay.slice(0, -2) + String(index + 1).padStart(2, "0"),
    );
    const rows = this.#sql.all(
      `SELECT day, env, endpoint, calls, units FROM calls
       WHERE day IN (SELECT value FROM json_each(?)) AND account_id = ? AND calls > 0
       ORDER BY day, env, endpoint`,
      [JSON.stringify(days), id],
    ) as (readonly [string, KeyEnvironment, string, number, number])[];
    return rows.map(([day, env, endpoint, calls, units]) => ({ day, env, endpoint, calls, units }));
  }
}

function recordOf([id, email, plan, createdMs]: AccountRow, nowMs: number): AccountRecord {
  return accountRecord({ id, email, plan, createdMs }, nowMs);
}
