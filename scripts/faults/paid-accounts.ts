import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAdmin } from "../cli/with-admin.ts";

export interface PaidAccount {
  readonly id: string;
  readonly key: string;
}

export const UNITS_PER_RUN = 10;

/** Accounts on a plan that limits nothing but concurrent runs, in a state file of their own or in a Redis. */
export class PaidAccounts {
  readonly state: string;
  readonly plans: string;

  constructor(folder: string, concurrentRuns: number, state = join(folder, "state.db")) {
    this.state = state;
    this.plans = join(folder, "plans.json");
    const plan = {
      name: "faults",
      price_usd: null,
      calls_per_month: 1_000_000_000,
      rate_per_minute: 100_000_000,
      backtest_units: UNITS_PER_RUN,
      concurrent_runs: concurrentRuns,
    };
    writeFileSync(this.plans, JSON.stringify({ plans: [plan] }));
  }

  async create(count: number): Promise<readonly PaidAccount[]> {
    return await withAdmin(this, { mustExist: false }, async (admin) => {
      const made: PaidAccount[] = [];
      for (let each = 1; each <= count; each++) {
        const account = { email: `account-${each}@example.com`, plan: "faults" };
        const { key, record } = await admin.createAccount(account);
        made.push({ id: record.accountId, key });
      }
      return made;
    });
  }
}
