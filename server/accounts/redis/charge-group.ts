import type { ChargeOutcome, ChargeRequest } from "../accounts.ts";
import type { Plan } from "../plan.ts";
import { dateOf } from "../period.ts";
import { quotaState } from "../quota.ts";
import { rateDecision } from "../rate.ts";
import { CHANGED, COUNTED_LIMIT, FIRST_KIND, GONE } from "./charge-scripts.ts";
import { callsField, usedField } from "./keys.ts";
import { payerAt, type KnownKey, type Payer } from "./known-key.ts";

/** A charge on its way. */
export interface PendingCharge {
  readonly request: ChargeRequest;
  readonly known: KnownKey;
  /** When it came, by the monotonic clock. */
  readonly addedMs: number;
  /** Whether the client waited for the answer when the group was sent. If not, the call is free. */
  wanted: boolean;
}

/** Calls of an account that are counted in the same places and cost the same. */
interface CallKind extends Payer {
  readonly endpoint: string;
  readonly day: string;
  readonly units: number;
  /** The fields that count it: of the period, and of the day and endpoint. */
  readonly used: string;
  readonly calls: string;
}

/** An account's calls in a group, in the order they came. */
export interface AccountCalls {
  readonly known: KnownKey;
  /** As the script takes it; `COUNTED_LIMIT` for calls that the rate limit has counted before. */
  readonly rateLimit: number;
  readonly kinds: CallKind[];
  readonly charges: PendingCharge[];
  /** A letter for each call, which names its kind. */
  order: string;
}

/** What a group added to the counts of an account in Redis, or takes from them if negative. */
export interface Adjustment {
  readonly accountId: string;
  /** Admissions in the rate limit window. */
  readonly admitted: number;
  /** The field of a period, and that of the calls of a day and endpoint. */
  readonly used: string;
  readonly calls: string;
  readonly units: number;
  readonly count: number;
}

const FIRST_CODE = FIRST_KIND.charCodeAt(0);
/** As many letters as follow `FIRST_KIND` in ASCII, with room to spare. */
const KINDS_MAX = 64;

/** What each account asks for, in the order in which their first calls came. */
export function accountsOf(charges: readonly PendingCharge[]): readonly AccountCalls[] {
  const all: AccountCalls[] = [];
  const latest = new Map<string, AccountCalls>();
  for (const charge of charges) {
    const { known, request } = charge;
    const payer = payerAt(known, request.nowMs);
    const rateLimit = rateLimitOf(request, payer.caller.plan);
    let calls = latest.get(known.accountId);
    if (
      calls?.known.revision !== known.revision ||
      calls.rateLimit !== rateLimit ||
      calls.kinds.length === KINDS_MAX
    ) {
      calls = { known, rateLimit, kinds: [], charges: [], order: "" };
      latest.set(known.accountId, calls);
      all.push(calls);
    }
    calls.charges.push(charge);
    calls.order += String.fromCharCode(FIRST_CODE + kindOf(charge, payer, calls.kinds));
  }
  return all;
}

function rateLimitOf({ rate }: ChargeRequest, { ratePerMinute }: Plan): number {
  return rate === undefined ? ratePerMinute : COUNTED_LIMIT;
}

/** The arguments of `CHARGE` for an account. */
export function valuesOf({ known, rateLimit, order, kinds }: AccountCalls): (string | number)[] {
  const { accountId, revision } = known;
  const values = [accountId, revision, rateLimit, order, kinds.length];
  for (const { caller, used, calls, units } of kinds) {
    values.push(used, caller.plan.callsPerMonth, calls, units);
  }
  return values;
}

/** What `CHARGE` answered for an account: what became of each call, unless it has changed or is gone. */
export type AccountAnswer = readonly ChargeOutcome[] | "changed" | "gone";

/** The answers for each account of a group. */
export function answersOf(
  accounts: readonly AccountCalls[],
  reply: readonly number[],
): readonly AccountAnswer[] {
  let at = 1;
  return accounts.map((calls) => {
    const [admitted = GONE, count = 0, waitMicros = 0] = reply.slice(at, at + 3);
    if (admitted < 0) {
      at += 1;
      return admitted === CHANGED ? "changed" : "gone";
    }
    const usedBefore = calls.kinds.map((_, kind) => reply[at + 3 + 2 * kind] ?? 0);
    at += 3 + 2 * calls.kinds.length;
    const rate = { admitted, before: count - admitted, waitMs: waitMicros / 1000 };
    return outcomesOf(calls, rate, usedBefore);
  });
}

/** What `CHARGE` wrote, from its arguments for all accounts and its answer. */
export function adjustmentsOf(
  values: readonly (string | number)[],
  reply: readonly number[],
): readonly Adjustment[] {
  const adjustments: Adjustment[] = [];
  let at = 1;
  for (let value = 0; value < values.length;) {
    const [accountId, , rateLimit, , kinds] = values.slice(value, value + 5);
    const isDecided = (reply[at] ?? GONE) >= 0;
    let admitted = rateLimit === COUNTED_LIMIT ? 0 : (reply[at] ?? GONE);
    at += isDecided ? 3 : 1;
    value += 5;
    for (let kind = 0; kind < Number(kinds); kind++, value += 4) {
      if (!isDecided) continue;
      const [used, , calls, each] = values.slice(value, value + 4);
      const count = reply[at + 1] ?? 0;
      const counts = {
        used: String(used),
        calls: String(calls),
        units: count * Number(each),
        count,
      };
      if (count > 0 || admitted > 0)
        adjustments.push({ accountId: String(accountId), admitted, ...counts });
      admitted = 0; // counted with the account's first kind
      at += 2;
    }
  }
  return adjustments;
}

/** Merges adjustments of the same counts by adding them up. */
export function summed(adjustments: readonly Adjustment[]): readonly Adjustment[] {
  const sums = new Map<string, Adjustment>();
  for (const each of adjustments) {
    const name = [each.accountId, each.used, each.calls].join(" ");
    const { admitted = 0, units = 0, count = 0 } = sums.get(name) ?? {};
    sums.set(name, {
      ...each,
      admitted: each.admitted + admitted,
      units: each.units + units,
      count: each.count + count,
    });
  }
  return [...sums.values()].filter(({ admitted, count }) => admitted !== 0 || count !== 0);
}

/** What takes adjustments back. */
export function reversed(adjustments: readonly Adjustment[]): readonly Adjustment[] {
  return adjustments.map((each) => ({
    ...each,
    admitted: -each.admitted,
    units: -each.units,
    count: -each.count,
  }));
}

/** The same decisions as the script made, call by call. */
function outcomesOf(
  { rateLimit, kinds, charges, order }: AccountCalls,
  rate: { readonly admitted: number; readonly before: number; readonly waitMs: number },
  usedBefore: readonly number[],
): readonly ChargeOutcome[] {
  const used = new Map<string, number>();
  return charges.map(({ request }, index): ChargeOutcome => {
    const kind = order.charCodeAt(index) - FIRST_CODE;
    const { caller, period, units, used: field } = kinds[kind]!; // the order names kinds that there are
    const quota = caller.plan.callsPerMonth;
    let total = used.get(field) ?? usedBefore[kind] ?? 0;
    const isAdmitted = index < rate.admitted;
    const fits = units === 0 || total + units <= quota;
    if (isAdmitted && fits) total += units;
    used.set(field, total);
    const count = rate.before + Math.min(index + 1, rate.admitted);
    return {
      kind: !isAdmitted ? "rate_limited" : fits ? "charged" : "quota_exceeded",
      plan: caller.plan,
      rate: request.rate ?? rateDecision(isAdmitted, rateLimit, rateLimit - count, rate.waitMs),
      ...quotaState(total, quota, period, request.nowMs),
    };
  });
}

/** The number of a call's kind, which is added if it is new. */
function kindOf(charge: PendingCharge, { caller, period }: Payer, kinds: CallKind[]): number {
  const { request, wanted } = charge;
  const { endpoint, nowMs } = request;
  const units = wanted ? request.units : 0;
  const day = dateOf(nowMs);
  const known = kinds.findIndex(
    (kind) =>
      kind.units === units &&
      kind.endpoint === endpoint &&
      kind.caller === caller &&
      kind.day === day &&
      kind.period.name === period.name,
  );
  if (known >= 0) return known;
  const used = usedField(caller.env, period.name);
  const calls = callsField(day, caller.env, endpoint);
  return kinds.push({ caller, period, endpoint, day, units, used, calls }) - 1;
}
