/** Accounts for a load. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAdmin } from "../../cli/with-admin.ts";

/** Of the plan "runs". */
export const UNITS_PER_RUN = 10;
export const RUNS_AT_ONCE = 3;

/** A plan with the highest limits there can be, except those that are given. */
const plan = (name: string, limits: Readonly<Record<string, number>> = {}) => ({
  name,
  price_usd: null,
  calls_per_month: 1_000_000_000,
  rate_per_minute: 1_000_000_000,
  backtest_units: 1,
  concurrent_runs: 10_000,
  ...limits,
});

/** Plans without limits, with one request a minute, with one call a month, and with a few backtests at once. */
export const LOAD_PLANS = [
  plan("load"),
  plan("rate", { rate_per_minute: 1 }),
  plan("quota", { calls_per_month: 1 }),
  plan("runs", { backtest_units: UNITS_PER_RUN, concurrent_runs: RUNS_AT_ONCE }),
] as const;

/** Where accounts are kept, and the file of their plans. */
export interface Store {
  readonly state: string;
  readonly plans: string;
}

export interface MadeAccount {
  readonly id: string;
  readonly key: string;
  readonly plan: string;
}

/** A store with `LOAD_PLANS`: a state file in the folder, unless a state is named. */
export function storeIn(folder: string, state = join(folder, "state.db")): Store {
  const plans = join(folder, "plans.json");
  writeFileSync(plans, JSON.stringify({ plans: LOAD_PLANS }));
  return { state, plans };
}

export async function makeAccounts(
  store: Store,
  plan: string,
  count: number,
): Promise<readonly MadeAccount[]> {
  return await withAdmin(store, { mustExist: false }, async (admin) => {
    const made: MadeAccount[] = [];
    for (let each = 1; each <= count; each++) {
      const email = `${plan}-${each}@example.com`;
      const { account, key } = await admin.createAccount({ email, plan });
      made.push({ id: account.id, key, plan });
    }
    return made;
  });
}
