import type { AccountRecord, EndpointUsage } from "../admin.ts";
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
import type { Connection } from "./state-file.ts";

const COLUMNS = "id, email, plan, created_ms AS createdMs";

type AccountRow = Omit<AccountRecord, "trialEndsMs">;

/** Accounts, as the operator's commands see them. What writes belongs inside a transaction. */
export class AccountTable {
  readonly #db: Connection;
  readonly #plans: PlanTable;

  constructor(db: Connection, plans: PlanTable) {
    this.#db = db;
    this.#plans = plans;
  }

  insert(request: { email: string; plan: string }, nowMs: number): AccountRecord {
    const email = checkEmail(request.email);
    checkPlan(this.#plans, request.plan);
    const taken = this.#find("email_identity", emailIdentity(email));
    if (taken !== undefined) throw emailTaken(email, taken.id);
    const id = drawAccountId();
    const values = [id, email, emailIdentity(email), request.plan, nowMs];
    this.#db.prepare("INSERT INTO accounts VALUES (?, ?, ?, ?, ?)").run(values);
    return this.get(id, nowMs);
  }

  get(id: string, nowMs: number): AccountRecord {
    const row = this.#find("id", id);
    if (row === undefined) throw noSuchAccount(id);
    return accountRecord(row, nowMs);
  }

  find(idOrEmail: string, nowMs: number): AccountRecord {
    const row = this.#find("email_identity", emailIdentity(idOrEmail));
    return row === undefined ? this.get(idOrEmail, nowMs) : accountRecord(row, nowMs);
  }

  list(after: AccountRecord | undefined, limit: number, nowMs: number): readonly AccountRecord[] {
    const sql = `SELECT ${COLUMNS} FROM accounts WHERE (created_ms, id) > (?, ?) ORDER BY created_ms, id LIMIT ?`;
    const values = [after?.createdMs ?? Number.MIN_SAFE_INTEGER, after?.id ?? "", limit];
    const rows = this.#db.prepare(sql).all(values) as AccountRow[];
    return rows.map((row) => accountRecord(row, nowMs));
  }

  /** Sets the plan, and returns the live periods that the account counts in before and after. */
  setPlan(id: string, plan: string, nowMs: number): { readonly from: string; readonly to: string } {
    checkPlan(this.#plans, plan);
    const before = this.get(id, nowMs);
    const trialEndsMs = before.createdMs + TRIAL_MS;
    if (plan === TRIAL && nowMs >= trialEndsMs) throw trialOver(id, trialEndsMs);
    this.#db.prepare("UPDATE accounts SET plan = ? WHERE id = ?").run([plan, id]);
    const periodNow = (name: string) => periodOf("live", name, trialEndsMs, nowMs).name;
    return { from: periodNow(before.plan), to: periodNow(plan) };
  }

  /** Deletes up to this many counts of days before this one. */
  cutCalls(day: string, rowsMax: number): void {
    const sql = `
DELETE FROM calls WHERE (day, account_id, env, endpoint) IN
  (SELECT day, account_id, env, endpoint FROM calls WHERE day < ? LIMIT ?)`;
    this.#db.prepare(sql).run([day, rowsMax]);
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
    const sql = `
SELECT day, env, endpoint, calls, units FROM calls
WHERE day IN (SELECT value FROM json_each(?)) AND account_id = ? AND calls > 0
ORDER BY day, env, endpoint`;
    return this.#db.prepare(sql).all([JSON.stringify(days), id]) as EndpointUsage[];
  }

  /** `all`, since libsql adds timings to the row that `get` returns. */
  #find(column: "id" | "email_identity", value: string): AccountRow | undefined {
    const sql = `SELECT ${COLUMNS} FROM accounts WHERE ${column} = ?`;
    return (this.#db.prepare(sql).all([value]) as AccountRow[])[0];
  }
}
