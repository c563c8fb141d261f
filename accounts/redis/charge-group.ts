import type { Caller, ChargeOutcome, ChargeRequest, AccountInForce } from "../accounts.ts";
import type { Plan } from "../plans.ts";
import { dateOf, planPeriodAt, quotaState } from "../in-force.ts";
import { rateDecision } from "../rate-window.ts";
import { CHANGED, COUNTED_LIMIT, FIRST_KIND } from "./charge-scripts.ts";
import { callsField, usedField } from "./account-records.ts";

/** A charge that is not settled yet. */
export interface PendingCharge {
  readonly request: ChargeRequest;
  readonly known: Caller;
  /** When it was added, by the monotonic clock. */
  readonly addedMs: number;
  /** Whether the client was still connected when the group was sent. If not, the call is free. */
  wanted: boolean;
}

/** Calls of an account that have the same counters and price. */
interface CallKind extends ReturnType<typeof planPeriodAt> {
  readonly endpoint: string;
  readonly day: string;
  readonly units: number;
  /** The fields that count it: by period, and by day and endpoint. */
  readonly used: string;
  readonly calls: string;
}

/** An account's calls in a group, in order of arrival. */
export interface AccountCalls {
  readonly account: AccountInForce;
  /** The rate limit, or `COUNTED_LIMIT` for calls that were counted before. */
  readonly rateLimit: number;
  readonly kinds: CallKind[];
  readonly charges: PendingCharge[];
  /** A letter for each call, of its kind. */
  order: string;
}

const FIRST_CODE = FIRST_KIND.charCodeAt(0);
/** The number of letters that follow `FIRST_KIND` in ASCII, rounded down. */
const KINDS_MAX = 64;

/** The calls of a group by account, in order of their first calls. */
export function accountsOf(charges: readonly PendingCharge[]): readonly AccountCalls[] {
  const all: AccountCalls[] = [];
  const latest = new Map<string, AccountCalls>();
  for (const charge of charges) {
    const { known, request } = charge;
    const { account, env } = known;
    const terms = planPeriodAt(account.plans, env, request.nowMs);
    const rateLimit = rateLimitOf(request, terms.plan);
    let calls = latest.get(account.id);
    if (
      calls?.account.revision !== account.revision ||
      calls.rateLimit !== rateLimit ||
      calls.kinds.length === KINDS_MAX
    ) {
      calls = { account, rateLimit, kinds: [], charges: [], order: "" };
      latest.set(account.id, calls);
      all.push(calls);
    }
    calls.charges.push(charge);
    calls.order += String.fromCharCode(FIRST_CODE + kindOf(charge, terms, calls.kinds));
  }
  return all;
}

function rateLimitOf({ rate }: ChargeRequest, { ratePerMinute }: Plan): number {
  return rate === undefined ? ratePerMinute : COUNTED_LIMIT;
}

/** The arguments of `CHARGE` for a kind of call, and for an account. */
type KindValues = readonly [used: string, quota: number, calls: string, units: number];
export type AccountValues = readonly [
  id: string,
  revision: string,
  rateLimit: number,
  order: string,
  kinds: readonly KindValues[],
];

/**
 * The reply of `CHARGE`: 1, and for each account how many calls were admitted, how many are in the rate limit window, and
 * the microseconds to wait; then for each kind the units used before and how many calls were charged.
 */
export type ChargeReply = readonly [ok: number, ...accounts: (readonly number[])[]];

export function valuesOf({ account, rateLimit, order, kinds }: AccountCalls): AccountValues {
  const described = kinds.map(({ plan, used, calls, units }): KindValues => [
    used,
    plan.callsPerMonth,
    calls,
    units,
  ]);
  return [account.id, account.revision, rateLimit, order, described];
}

/** The outcomes of an account's calls, from the reply of `CHARGE`; undefined if the account has changed. */
export function outcomesOf(
  { rateLimit, kinds, charges, order }: AccountCalls,
  [admissions = CHANGED, inWindow = 0, waitMicros = 0, ...counts]: readonly number[],
): readonly ChargeOutcome[] | undefined {
  if (admissions === CHANGED) return undefined;
  const used = new Map<string, number>();
  return charges.map(({ request }, index): ChargeOutcome => {
    const kind = order.charCodeAt(index) - FIRST_CODE;
    const { plan, period, units, used: field } = kinds[kind]!; // the order names kinds that there are
    const quota = plan.callsPerMonth;
    let total = used.get(field) ?? counts[2 * kind]!; // there are two for each kind
    const isAdmitted = index < admissions;
    const fits = units === 0 || total + units <= quota;
    if (isAdmitted && fits) total += units;
    used.set(field, total);
    const count = inWindow - Math.max(0, admissions - index - 1);
    return {
      kind: !isAdmitted ? "rate_limited" : fits ? "charged" : "quota_exceeded",
      plan,
      rate:
        request.rate ?? rateDecision(isAdmitted, rateLimit, rateLimit - count, waitMicros / 1000),
      ...quotaState(total, quota, period, request.nowMs),
    };
  });
}

/** The index of a call's kind, which is added if it is new. */
function kindOf(
  { known: { env }, request, wanted }: PendingCharge,
  { plan, period }: ReturnType<typeof planPeriodAt>,
  kinds: CallKind[],
): number {
  const { endpoint, nowMs } = request;
  const units = wanted ? request.units : 0;
  const day = dateOf(nowMs);
  const known = kinds.findIndex(
    (kind) =>
      kind.units === units &&
      kind.endpoint === endpoint &&
      kind.plan === plan && // also differs between live and test
      kind.day === day &&
      kind.period.name === period.name,
  );
  if (known >= 0) return known;
  const used = usedField(env, period.name);
  const calls = callsField(day, env, endpoint);
  return kinds.push({ plan, period, endpoint, day, units, used, calls }) - 1;
}
