import type { Caller, KeyEnvironment, Plan } from "../accounts.ts";
import { periodOf, type Period } from "../period.ts";
import { dayOf, type Span, type Stamp, stampOf } from "./meter-stamp.ts";
import type { Meter, OpenAllowance } from "./meter.ts";

/**
 * A key as the file has it. `current` turns false when the key is dropped from the cache: look it up again
 * before relying on it.
 */
export interface KnownKey {
  readonly keyId: string;
  readonly accountId: string;
  readonly env: KeyEnvironment;
  readonly expiresMs: number | null;
  /** Infinity if the account is not on a trial. */
  readonly trialEndsMs: number;
  readonly caller: Caller;
  readonly callerAfterTrial: Caller;
  lastUsedMs: number | null;
  current: boolean;
  /**
   * From the first of these seconds until the second, nothing about the key changes by itself: it is in
   * force, the caller is `callerNow`, and its use is noted. They are seconds because the object can hold
   * those inline; a time in milliseconds would be a heap number, one more memory access away.
   */
  quietFromSecond: number;
  quietToSecond: number;
  callerNow: Caller;
  /** The account's record in the meter file; undefined if it was never used. */
  meter: Meter | undefined;
  /** What its calls count towards now; undefined if the state file has to be asked first. */
  standing: OpenStanding | undefined;
}

/** Who is charged, for which period and under which plan's limit, between two instants. */
export interface Standing {
  readonly caller: Caller;
  readonly period: Period;
  readonly stamp: Stamp;
  readonly env: KeyEnvironment;
  readonly during: Span;
}

/** A standing whose allowance is open in the meter file. */
export type OpenStanding = Standing & OpenAllowance;

/** A caller that carries its key in a private field, where nobody else sees it. */
export class KnownCaller implements Caller {
  readonly accountId: string;
  readonly keyId: string;
  readonly env: KeyEnvironment;
  readonly plan: Plan;
  #known: KnownKey | undefined = undefined;

  constructor({ accountId, keyId, env, plan }: Caller) {
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

/** The caller in force at an instant: after its trial an account is on the free plan. */
function callerAt(known: KnownKey, nowMs: number): Caller {
  return nowMs >= known.trialEndsMs ? known.callerAfterTrial : known.caller;
}

export function isQuiet({ quietFromSecond, quietToSecond }: KnownKey, nowMs: number): boolean {
  const second = nowMs / 1000;
  return second >= quietFromSecond && second < quietToSecond;
}

export function isExpired({ expiresMs }: KnownKey, nowMs: number): boolean {
  return expiresMs !== null && nowMs >= expiresMs;
}

/**
 * Sets the caller of a key in force and how long that stays true. `useNoted` is when its use need not be noted
 * again.
 */
export function settleCaller(known: KnownKey, nowMs: number, useNoted: Span): void {
  const { expiresMs, trialEndsMs } = known;
  known.callerNow = callerAt(known, nowMs);
  const isAfterTrial = nowMs >= trialEndsMs;
  const toMs = Math.min(
    useNoted.toMs,
    expiresMs ?? Number.POSITIVE_INFINITY,
    isAfterTrial ? Number.POSITIVE_INFINITY : trialEndsMs,
  );
  const fromMs = isAfterTrial ? Math.max(trialEndsMs, useNoted.fromMs) : useNoted.fromMs;
  known.quietFromSecond = Math.ceil(fromMs / 1000);
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

/**
 * The day of an instant, cut off where the trial ends or begun there. Nearly all accounts share one object
 * for the day.
 */
function dayWithin({ trialEndsMs }: KnownKey, nowMs: number): Span {
  const day = dayOf(nowMs);
  const { fromMs, toMs } = day;
  if (trialEndsMs <= fromMs || trialEndsMs >= toMs) return day;
  return nowMs < trialEndsMs ? { fromMs, toMs: trialEndsMs } : { fromMs: trialEndsMs, toMs };
}

/**
 * A standing with its allowance opened. It copies member by member: where it runs seldom, a spread would give
 * each account's object a hidden class of its own, and every call would then look its members up by name.
 */
export function openStanding(standing: Standing, epoch: number): OpenStanding {
  const { caller, period, stamp, env, during } = standing;
  return { caller, period, stamp, env, during, epoch };
}
