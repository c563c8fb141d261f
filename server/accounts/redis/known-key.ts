import { AccountsUnavailable, type Caller, type KeyEnvironment } from "../accounts.ts";
import { periodOf, TRIAL_MS, type Period } from "../period.ts";
import { FREE, planOfCaller, TRIAL, type PlanTable } from "../plans.ts";

/**
 * A key and its account as Redis has them. `current` turns false when the key is dropped from the cache: look
 * it up again before relying on it.
 */
export interface KnownKey {
  readonly hash: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly expiresMs: number | null;
  readonly revoked: boolean;
  /** The account's revision; a charge is decided only against this one. */
  readonly revision: string;
  /** Infinity if the account is not on a trial. */
  readonly trialEndsMs: number;
  readonly caller: Caller;
  readonly callerAfterTrial: Caller;
  lastUsedMs: number | null;
  current: boolean;
}

/** What `FIND_KEYS` answers for a key; empty if Redis has nothing. */
export type KeyRow = readonly [
  id: string,
  account: string,
  env: KeyEnvironment,
  expires: string,
  revoked: string,
  used: string,
  plan: string,
  created: string,
  rev: string,
];

export function knownKeyOf(hash: string, row: KeyRow, plans: PlanTable): KnownKey {
  const [keyId, accountId, env, expires, revoked, used, planName, created, revision] = row;
  if (revision === "") {
    throw new AccountsUnavailable(`key ${keyId} is in Redis and its account ${accountId} is not`);
  }
  const caller = callerOn(planName, { accountId, keyId, env }, plans);
  const onTrial = planName === TRIAL;
  return {
    hash,
    keyId,
    accountId,
    env,
    expiresMs: expires === "" ? null : Number(expires),
    revoked: revoked !== "",
    revision,
    trialEndsMs: onTrial ? Number(created) + TRIAL_MS : Number.POSITIVE_INFINITY,
    caller,
    callerAfterTrial: onTrial ? callerOn(FREE, { accountId, keyId, env }, plans) : caller,
    lastUsedMs: used === "" ? null : Number(used),
    current: true,
  };
}

/** The caller in force at an instant: after its trial an account is on the free plan. */
export function callerAt(known: KnownKey, nowMs: number): Caller {
  return nowMs >= known.trialEndsMs ? known.callerAfterTrial : known.caller;
}

/** Who is charged, and for which period. */
export interface Standing {
  readonly caller: Caller;
  readonly period: Period;
}

export function standingAt(known: KnownKey, nowMs: number): Standing {
  const caller = callerAt(known, nowMs);
  return { caller, period: periodOf(caller.env, caller.plan.name, known.trialEndsMs, nowMs) };
}

function callerOn(planName: string, who: Omit<Caller, "plan">, plans: PlanTable): Caller {
  return Object.freeze({ ...who, plan: planOfCaller(plans, who, planName) });
}
