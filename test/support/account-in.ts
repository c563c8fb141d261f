import { BUILT_IN_PLANS } from "../../accounts/plans.ts";
import { openSqliteState } from "../../accounts/sqlite/open-sqlite-state.ts";

/** The key of a new account on this plan, in a state file that no process owns. */
export async function accountIn(file: string, plan: string): Promise<string> {
  const clock = { nowMs: Date.now, monotonicMs: () => performance.now() };
  const state = openSqliteState({ file, plans: BUILT_IN_PLANS, clock, roundMs: null });
  const { key } = await state.admin.createAccount({ email: "ann@example.com", plan });
  await state.close();
  return key;
}
