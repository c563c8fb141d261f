/** Accounts for a load. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { withAdmin } from "../cli/with-admin.ts";

/** Written as fast as the limits of real plans, which larger numbers are not. */
const NO_LIMIT_CALLS = 1_000_000_000;
const NO_LIMIT_RATE = 1_000_000_000;
const NO_LIMIT_RUNS = 10_000;

const plan = (name: string, calls: number, rate: number) => ({
  name,
  price_usd: null,
  calls_per_month: calls,
  rate_per_minute: rate,
  backtest_units: 1,
  concurrent_runs: NO_LIMIT_RUNS,
});

/** The plans that loads use: one without limits, one of a request a minute, one of a call a month. */
export const LOAD_PLANS = [
  plan("load", NO_LIMIT_CALLS, NO_LIMIT_RATE),
  plan("rate", NO_LIMIT_CALLS, 1),
  plan("quota", 1, NO_LIMIT_RATE),
];

export interface BenchState {
  readonly state: string;
  readonly plans: string;
  /** One key for each account on the plan "load". */
  readonly keys: readonly string[];
  readonly rateKey: string;
  readonly quotaKey: string;
}

/** Makes accounts, in a state file in the folder unless another store is named. */
export async function makeState(
  folder: string,
  accounts: number,
  state = join(folder, "state.db"),
): Promise<BenchState> {
  const plans = join(folder, "plans.json");
  writeFileSync(plans, JSON.stringify({ plans: LOAD_PLANS }));
  return await withAdmin({ state, plans }, { mustExist: false }, async (admin) => {
    const create = async (plan: string, number: number): Promise<string> => {
      const email = `${plan}-${number}@example.com`;
      return (await admin.createAccount({ email, plan })).key;
    };
    const keys: string[] = [];
    for (let each = 0; each < accounts; each++) keys.push(await create("load", each));
    const [rateKey, quotaKey] = [await create("rate", 0), await create("quota", 0)];
    return { state, plans, keys, rateKey, quotaKey };
  });
}
