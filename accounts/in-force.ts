/** What is in force at an instant: a key, the plan of its account, and the period that usage is counted in. */
import type { AccountInForce, AccountPlans, Caller, QuotaState } from "./accounts.ts";
import type { KeyEnvironment } from "./keys.ts";
import { type Plan, FREE, planOfCaller, TRIAL, type PlanTable } from "./plans.ts";

/**
 * The span of time that an allowance covers: a calendar month in UTC, or a trial. Usage is counted by period, so nothing
 * is ever reset: a new period simply has no count yet.
 */
export interface Period {
  /** "2026-02" or "trial": the name under which usage is stored. */
  readonly name: string;
  /** The first instant after it. */
  readonly endMs: number;
  readonly windowSeconds: number;
}

export const DAY_MS = 86_400_000;
const TRIAL_DAYS = 14;

export const TRIAL_MS = TRIAL_DAYS * DAY_MS;
const TRIAL_PERIOD = "trial";

let month: Period & { readonly startMs: number } = monthAt(0);
let today = { startMs: 0, name: dateAt(0) };

/** The UTC calendar month of an instant. */
export function monthOf(nowMs: number): Period {
  if (nowMs < month.startMs || nowMs >= month.endMs) month = monthAt(nowMs);
  return month;
}

/** The UTC date of an instant, `YYYY-MM-DD`. */
export function dateOf(nowMs: number): string {
  if (nowMs < today.startMs || nowMs >= today.startMs + DAY_MS) {
    today = { startMs: Math.floor(nowMs / DAY_MS) * DAY_MS, name: dateAt(nowMs) };
  }
  return today.name;
}

/** The period that usage is counted in. Test keys have no trial: their period is always the month. */
export function periodOf(
  env: KeyEnvironment,
  planName: string,
  trialEndsMs: number,
  nowMs: number,
): Period {
  if (env === "live" && planName === TRIAL) {
    return { name: TRIAL_PERIOD, endMs: trialEndsMs, windowSeconds: TRIAL_MS / 1000 };
  }
  return monthOf(nowMs);
}

function monthAt(nowMs: number): Period & { readonly startMs: number } {
  const at = new Date(nowMs);
  const startMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1);
  const endMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 1);
  const name = dateAt(startMs).slice(0, "YYYY-MM".length);
  return { name, startMs, endMs, windowSeconds: (endMs - startMs) / 1000 };
}

function dateAt(ms: number): string {
  return new Date(ms).toISOString().slice(0, "YYYY-MM-DD".length);
}

/** The state of a period. After a change to a smaller plan, `used` may be above the limit. */
export function quotaState(used: number, limit: number, period: Period, nowMs: number): QuotaState {
  return {
    used,
    quota: {
      limit,
      remaining: Math.max(0, limit - used),
      // A fraction of a second before the period's end still counts as a whole second.
      resetSeconds: Math.max(0, Math.ceil((period.endMs - nowMs) / 1000)),
      windowSeconds: period.windowSeconds,
    },
  };
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

/** The last use of a key is stored to the minute, so that a busy key costs one write a minute. */
const USE_STEP_MS = 60_000;
/** A last use that lies further ahead comes from a wrong clock and is overwritten. */
export const USE_AHEAD_MS = DAY_MS;

/** A key that is not revoked, which is also the caller. */
export class AuthenticatedKey implements Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly env: KeyEnvironment;
  /** The plan in force when the key was last used. */
  plan: Plan;
  readonly account: AccountInForce;
  readonly expiresMs: number;
  lastUsedMs: number;

  constructor({ keyId, env, expiresMs, lastUsedMs }: KeyFacts, account: AccountInForce) {
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

  /** Whether a use at this instant is to be stored. */
  isUseDue(nowMs: number): boolean {
    return nowMs >= this.lastUsedMs + USE_STEP_MS || nowMs < this.lastUsedMs - USE_AHEAD_MS;
  }
}
