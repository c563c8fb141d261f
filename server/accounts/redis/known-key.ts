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

/** A key and its account as Redis has them. */
export interface KnownKey extends KeyRecord {
  /** The account's revision; a charge is decided only against this one. */
  readonly revision: string;
  /** Infinity if the account is not on a trial. */
  readonly trialEndsMs: number;
  readonly caller: Caller;
  readonly callerAfterTrial: Caller;
}

const keys = new WeakMap<Caller, KnownKey>();

/** The key behind a caller that `authenticate` returned. */
export function keyOf(caller: Caller): KnownKey {
  const known = keys.get(caller);
  if (known === undefined) throw new Error("the caller did not come from authenticate");
  return known;
}

export function knownKeyOf(key: KeyRecord, row: AccountRow, plans: PlanTable): KnownKey {
  const { keyId, accountId, env } = key;
  const [planName, created, revision] = row;
  if (planName === null || revision === null) {
    throw new AccountsUnavailable(`account ${accountId} is gone from Redis`);
  }
  const callerOn = (name: string): Caller => {
    const who = { accountId, keyId, env };
    return Object.freeze({ ...who, plan: planOfCaller(plans, who, name) });
  };
  const caller = callerOn(planName);
  const onTrial = planName === TRIAL;
  const known = {
    ...key,
    revision,
    trialEndsMs: onTrial ? Number(created) + TRIAL_MS : Number.POSITIVE_INFINITY,
    caller,
    callerAfterTrial: onTrial ? callerOn(FREE) : caller,
  };
  keys.set(known.caller, known);
  keys.set(known.callerAfterTrial, known);
  return known;
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
