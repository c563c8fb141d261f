import type { Caller, KeyEnvironment, Plan } from "../accounts.ts";
import { periodOf, type Period } from "../period.ts";
import { dayOf, type Span, stampOf } from "./meter-stamp.ts";
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
  /**
   * From the first of these seconds on and before the second, nothing of the key changes by itself: it is in force, the caller is
   * `callerNow`, and its use is noted. Seconds, because the object itself holds them; a time in milliseconds is a number of
   * its own elsewhere, and another wait for memory.
   */
  quietFromSecond: number;
  quietToSecond: number;
  callerNow: Caller;
  /** The account's record in the meter file; undefined where it was never used. */
  meter: Meter | undefined;
  /** What its calls count for now; undefined where that has to be asked of the state file first. */
  standing: OpenStanding | undefined;
}

/** Who is charged, for which period and against its plan's limit, from one instant to another. */
export interface Standing {
  readonly caller: Caller;
  readonly period: Period;
  readonly stamp: Stamp;
  readonly env: KeyEnvironment;
  readonly during: Span;
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
function callerAt(known: KnownKey, nowMs: number): Caller {
  return nowMs >= known.trialEndsMs ? known.callerAfterTrial : known.caller;
}

export function isQuiet({ quietFromSecond, quietToSecond }: KnownKey, nowMs: number): boolean {
  const second = nowMs / 1000;
  return second >= quietFromSecond && second < quietToSecond;
}

/** Whether the key has not expired. */
export function isInForce({ expiresMs }: KnownKey, nowMs: number): boolean {
  return expiresMs === null || nowMs < expiresMs;
}

/** Sets who calls with a key in force, and for how long that is known; `useNotedToMs` is when its use is to be noted again. */
export function settleCaller(known: KnownKey, nowMs: number, useNotedToMs: number): void {
  const { expiresMs, trialEndsMs } = known;
  known.callerNow = callerAt(known, nowMs);
  const isAfterTrial = nowMs >= trialEndsMs;
  const toMs = Math.min(
    useNotedToMs,
    expiresMs ?? Number.POSITIVE_INFINITY,
    isAfterTrial ? Number.POSITIVE_INFINITY : trialEndsMs,
  );
  known.quietFromSecond = isAfterTrial ? Math.ceil(trialEndsMs / 1000) : 0;
  known.quietToSecond = Math.floor(toMs / 1000);
}

export function standingAt(known: KnownKey, nowMs: number): Standing {
  const caller = callerAt(known, nowMs);
  const period = periodOf(caller.env, caller.plan.name, known.trialEndsMs, nowMs);
  return {
    caller,
    period,
    stamp: stampOf(period.name, nowMs),
    env: caller.env,
    during: dayWithin(known, nowMs),
  };
}

/** The day of an instant, up to the trial's end or from it on. All but few accounts share the day's own. */
function dayWithin({ trialEndsMs }: KnownKey, nowMs: number): Span {
  const day = dayOf(nowMs);
  const { fromMs, toMs } = day;
  if (trialEndsMs <= fromMs || trialEndsMs >= toMs) return day;
  return nowMs < trialEndsMs ? { fromMs, toMs: trialEndsMs } : { fromMs: trialEndsMs, toMs };
}

/**
 * A standing whose allowance was opened, member by member: a spread gives each account's object a hidden class of its
 * own where it runs seldom, and every call then looks its members up by name.
 */
export function openStanding(standing: Standing, epoch: number): OpenStanding {
  const { caller, period, stamp, env, during } = standing;
  return { caller, period, stamp, env, during, epoch };
}
