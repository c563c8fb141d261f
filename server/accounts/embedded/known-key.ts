import type { Caller, KeyEnvironment, Plan } from "../accounts.ts";
import { periodOf, type Period } from "../period.ts";
import { dayBounds, stampOf } from "./meter-stamp.ts";
import type { Meter, OpenAllowance, Stamp } from "./meter.ts";

/** A key as the file has it. `current` turns false when it is forgotten: look again before relying on it. */
export interface KnownKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly expiresMs: number | null;
  /** Infinity where the account is not on a trial. */
  readonly trialEndsMs: number;
  readonly caller: Caller;
  readonly callerAfterTrial: Caller;
  lastUsedMs: number | null;
  current: boolean;
  /** The account's record in the meter file; undefined where it was never used. */
  meter: Meter | undefined;
  /** What its calls count for now; undefined where that has to be asked of the state file first. */
  standing: OpenStanding | undefined;
}

/** Who is charged, for which period and against which limit, from one instant to another. */
export interface Standing {
  readonly caller: Caller;
  readonly period: Period;
  readonly stamp: Stamp;
  readonly env: KeyEnvironment;
  readonly limit: number;
  readonly fromMs: number;
  /** The first instant for which it no longer holds: the day's end, or the trial's. */
  readonly toMs: number;
}

/** A standing whose allowance is open in the meter file. */
export type OpenStanding = Standing & OpenAllowance;

type CallerFields = Pick<Caller, "accountId" | "keyId" | "env" | "plan">;

/** A caller that carries the key it was made for, where nobody else sees it. */
export class KnownCaller implements Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly env: KeyEnvironment;
  readonly plan: Plan;
  #known: KnownKey | undefined = undefined;

  constructor({ accountId, keyId, env, plan }: CallerFields) {
    this.accountId = accountId;
    this.keyId = keyId;
    this.env = env;
    this.plan = plan;
  }

  /** The key behind a caller that `authenticate` gave out. */
  static keyOf(caller: Caller): KnownKey {
    if (!(#known in caller) || caller.#known === undefined) {
      throw new Error("the caller did not come from authenticate");
    }
    return caller.#known;
  }

  belongsTo(known: KnownKey): void {
    this.#known = known;
  }
}

/** The caller in force at an instant: a trial that is over is on the free plan. */
export function callerAt(known: KnownKey, nowMs: number): Caller {
  return nowMs >= known.trialEndsMs ? known.callerAfterTrial : known.caller;
}

export function standingAt(known: KnownKey, nowMs: number): Standing {
  const caller = callerAt(known, nowMs);
  const period = periodOf(caller.env, caller.plan.name, known.trialEndsMs, nowMs);
  const { fromMs, toMs } = dayBounds(nowMs);
  const isAfterTrial = nowMs >= known.trialEndsMs;
  return {
    caller,
    period,
    stamp: stampOf(period.name, nowMs),
    env: caller.env,
    limit: caller.plan.callsPerMonth,
    fromMs: isAfterTrial ? Math.max(fromMs, known.trialEndsMs) : fromMs,
    toMs: isAfterTrial ? toMs : Math.min(toMs, known.trialEndsMs),
  };
}

/**
 * A standing whose allowance was opened, member by member: a spread gives each account's object a hidden class of its
 * own where it runs seldom, and every call then looks its members up by name.
 */
export function openStanding(standing: Standing, epoch: number): OpenStanding {
  const { caller, period, stamp, env, limit, fromMs, toMs } = standing;
  return { caller, period, stamp, env, limit, fromMs, toMs, epoch };
}
