import type { Caller } from "./accounts.ts";
import type { KeyEnvironment } from "./keys.ts";
import { periodOf, TRIAL_MS, type Period } from "./period.ts";
import { type Plan, FREE, planOfCaller, TRIAL, type PlanTable } from "./plans.ts";

/** What an account may do, by environment: before the end of its trial, and after it. */
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

/** The plan in force at an instant: after its trial an account is on the free plan. */
function planAt(plans: AccountPlans, env: KeyEnvironment, nowMs: number): Plan {
  const [before, after] = plans[env];
  return nowMs >= plans.trialEndsMs ? after : before;
}

/** The plan in force at an instant, and the period that usage counts in. */
export function planPeriodAt(
  plans: AccountPlans,
  env: KeyEnvironment,
  nowMs: number,
): { readonly plan: Plan; readonly period: Period } {
  const plan = planAt(plans, env, nowMs);
  return { plan, period: periodOf(env, plan.name, plans.trialEndsMs, nowMs) };
}

/** What a store has of a key. */
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

/** A key that is not revoked, and the caller behind it. Each store keeps more of its accounts. */
export class AuthenticatedKey<Account extends AuthenticatedAccount> implements Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly env: KeyEnvironment;
  /** In force when the key was last seen. */
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

  /** The caller behind the key at an instant; undefined once the key has expired. */
  callerAt(nowMs: number): this | undefined {
    if (nowMs >= this.expiresMs) return undefined;
    this.plan = planAt(this.account.plans, this.env, nowMs);
    return this;
  }
}

/** The key behind a caller that `authenticate` gave out. */
export function keyOf(caller: Caller): AuthenticatedKey<AuthenticatedAccount> {
  if (caller instanceof AuthenticatedKey) return caller;
  throw new Error("the caller did not come from authenticate");
}
