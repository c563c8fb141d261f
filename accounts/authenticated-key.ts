import type { Caller } from "./accounts.ts";
import type { KeyEnvironment } from "./keys.ts";
import { periodOf, TRIAL_MS, type Period } from "./period.ts";
import { type Plan, FREE, planOfCaller, TRIAL, type PlanTable } from "./plans.ts";

/** The plans of an account by environment, before and after the end of its trial. */
export interface AccountPlans {
  readonly live: readonly [before: Plan, after: Plan];
  readonly test: readonly [before: Plan, after: Plan];
  /** Infinity if the account is not on a trial. */
  readonly trialEndsMs: number;
}

export function accountPlans(
  table: PlanTable,
  account: { readonly id: string; readonly plan: string; readonly createdMs: number },
): AccountPlans {
  const isTrial = account.plan === TRIAL;
  const plansOf = (env: KeyEnvironment) => {
    const before = planOfCaller(table, { accountId: account.id, env }, account.plan);
    const after = isTrial ? planOfCaller(table, { accountId: account.id, env }, FREE) : before;
    return [before, after] as const;
  };
  const trialEndsMs = isTrial ? account.createdMs + TRIAL_MS : Number.POSITIVE_INFINITY;
  return { live: plansOf("live"), test: plansOf("test"), trialEndsMs };
}

/** The plan in force at an instant: after a trial, the free plan. */
function planAt(plans: AccountPlans, env: KeyEnvironment, nowMs: number): Plan {
  const [before, after] = plans[env];
  return nowMs >= plans.trialEndsMs ? after : before;
}

/** The plan in force at an instant, and the period that usage is counted in. */
export function planPeriodAt(
  plans: AccountPlans,
  env: KeyEnvironment,
  nowMs: number,
): { readonly plan: Plan; readonly period: Period } {
  const plan = planAt(plans, env, nowMs);
  return { plan, period: periodOf(env, plan.name, plans.trialEndsMs, nowMs) };
}

/** A key in a store. */
interface KeyFacts {
  readonly keyId: string;
  readonly env: KeyEnvironment;
  readonly expiresMs: number | null;
  readonly lastUsedMs: number | null;
}

export interface AuthenticatedAccount {
  readonly id: string;
  readonly plans: AccountPlans;
}

/** A key that is not revoked, which is also the caller. Each store adds to its accounts what it needs. */
export class AuthenticatedKey<Account extends AuthenticatedAccount> implements Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly env: KeyEnvironment;
  /** The plan in force when the key was last used. */
  plan: Plan;
  readonly account: Account;
  readonly expiresMs: number;
  lastUsedMs: number;

  constructor({ keyId, env, expiresMs, lastUsedMs }: KeyFacts, account: Account) {
    this.accountId = account.id;
    this.keyId = keyId;
    this.env = env;
    this.plan = planAt(account.plans, env, 0);
    this.account = account;
    this.expiresMs = expiresMs ?? Number.POSITIVE_INFINITY;
    this.lastUsedMs = lastUsedMs ?? Number.NEGATIVE_INFINITY;
  }

  /** The caller at an instant; undefined once the key has expired. */
  callerAt(nowMs: number): this | undefined {
    if (nowMs >= this.expiresMs) return undefined;
    this.plan = planAt(this.account.plans, this.env, nowMs);
    return this;
  }
}

/** The key of a caller that `authenticate` returned. */
export function keyOf(caller: Caller): AuthenticatedKey<AuthenticatedAccount> {
  if (caller instanceof AuthenticatedKey) return caller;
  throw new Error("the caller did not come from authenticate");
}
