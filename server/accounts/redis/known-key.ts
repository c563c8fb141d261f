import { AccountsUnavailable, type Caller, type KeyEnvironment } from "../accounts.ts";
import { periodOf, TRIAL_MS, type Period } from "../period.ts";
import { FREE, planOfCaller, TRIAL, type PlanTable } from "../plans.ts";

/** A key that is in force, as Redis has it. */
export interface KeyRecord {
  readonly hash: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly expiresMs: number | null;
  lastUsedMs: number | null;
}

/** What of an account decides its charges; null where Redis has nothing. */
export type AccountRow = readonly [plan: string | null, created: string | null, rev: string | null];

/**
 * A key and its account as Redis has them. `current` turns false when the key is dropped from the cache: look
 * it up again before relying on it.
 */
export interface KnownKey extends KeyRecord {
  /** The account's revision; a charge is decided only against this one. */
  readonly revision: string;
  /** Infinity if the account is not on a trial. */
  readonly trialEndsMs: number;
  readonly caller: Caller;
  readonly callerAfterTrial: Caller;
  current: boolean;
}

export function knownKeyOf(key: KeyRecord, row: AccountRow, plans: PlanTable): KnownKey {
  const { keyId, accountId, env } = key;
  const [planName, created, revision] = row;
  if (planName === null || revision === null) {
    throw new AccountsUnavailable(`account ${accountId} is gone from Redis`);
  }
  const caller = callerOn(planName, { accountId, keyId, env }, plans);
  const onTrial = planName === TRIAL;
  return {
    ...key,
    revision,
    trialEndsMs: onTrial ? Number(created) + TRIAL_MS : Number.POSITIVE_INFINITY,
    caller,
    callerAfterTrial: onTrial ? callerOn(FREE, { accountId, keyId, env }, plans) : caller,
    current: true,
  };
}

/** The caller in force at an instant: after its trial an account is on the free plan. */
export function callerAt(known: KnownKey, nowMs: number): Caller {
  return nowMs >= known.trialEndsMs ? known.callerAfterTrial : known.caller;
}

/** Who is charged, and for which period. */
export interface Payer {
  readonly caller: Caller;
  readonly period: Period;
}

export function payerAt(known: KnownKey, nowMs: number): Payer {
  const caller = callerAt(known, nowMs);
  return { caller, period: periodOf(caller.env, caller.plan.name, known.trialEndsMs, nowMs) };
}

function callerOn(planName: string, who: Omit<Caller, "plan">, plans: PlanTable): Caller {
  return Object.freeze({ ...who, plan: planOfCaller(plans, who, planName) });
}
