import type { Accounts } from "../accounts/accounts.ts";
import { keysInForce } from "../accounts/admin-rules.ts";
import { checkPlan, type PlanTable } from "../accounts/plans.ts";
import type { SignIn, Signed } from "../accounts/sign-in.ts";
import type { JobIntakeStore } from "../jobs/job-store.ts";
import type { AccountData, ShownKey } from "../../web/account/account-data.ts";

const JOBS_SHOWN = 20;

export interface AccountDataOptions {
  readonly signIn: SignIn;
  readonly accounts: Pick<Accounts, "rateUsed">;
  readonly jobs: Pick<JobIntakeStore, "list">;
  readonly plans: PlanTable;
  readonly publicUrl: string;
  /** Where an account gets another plan; with the account's id it leads to a page of the operator's. */
  readonly upgradeUrl: string | undefined;
  readonly nowMs: () => number;
}

/** Everything that the page of an account shows. */
export async function accountDataOf(
  { signIn, accounts, jobs, plans, publicUrl, upgradeUrl, nowMs: now }: AccountDataOptions,
  { account, session, isFresh }: Signed,
  form: { readonly once: string; readonly shown: ShownKey | undefined; readonly coin: string },
): Promise<AccountData> {
  const nowMs = now();
  const { id } = account;
  const [usage, keys, sessions, listed, rateUsed] = await Promise.all([
    signIn.admin.usageOf(id),
    signIn.admin.listKeys(id),
    signIn.store.sessionsOf(id, nowMs),
    jobs.list(id, JOBS_SHOWN),
    accounts.rateUsed(id),
  ]);
  return {
    account,
    plan: checkPlan(plans, account.plan),
    allowances: usage.allowances,
    rateUsed,
    calls: usage.endpoints,
    keys: keysInForce(keys, nowMs),
    sessions,
    session: session.hash,
    jobs: listed,
    nowMs,
    isFresh,
    ...form,
    publicUrl,
    upgradeUrl,
  };
}
