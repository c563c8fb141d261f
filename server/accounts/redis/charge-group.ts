import {
  AccountsUnavailable,
  type QuotaDecision,
  type ChargeRequest,
  type Plan,
} from "../accounts.ts";
import { dateOf, type Period } from "../period.ts";
import { quotaState, takeInOrder } from "../quota.ts";
import { CHANGED, GONE } from "./charge-scripts.ts";
import { accountKey, callsField, callsKey, usedField } from "./keys.ts";
import { standingAt, type KnownKey } from "./known-key.ts";

/** A charge whose rate was admitted. */
export interface AdmittedCharge extends Omit<ChargeRequest, "rate" | "settle"> {
  settle(outcome: QuotaDecision | Error): void;
}

/** A charge on its way. */
export interface PendingCharge {
  readonly request: AdmittedCharge;
  readonly known: KnownKey;
  /** When it came, by the monotonic clock. */
  readonly addedMs: number;
  /** How often its account turned out to have changed. */
  readonly rereads: number;
}

/** Where Redis counts charges: keys and fields. */
interface Counts {
  readonly account: string;
  readonly field: string;
  readonly calls: string;
  readonly callsField: string;
}

/** Charges of one account, period, day and endpoint, in the order they came. */
export interface ChargeBatch extends Counts {
  readonly known: KnownKey;
  readonly plan: Plan;
  readonly period: Period;
  readonly day: string;
  readonly endpoint: string;
  readonly charges: PendingCharge[];
}

/** What a group added to the counts in Redis, kept so that it can be written again if Redis loses it. */
export interface Adjustment extends Counts {
  readonly units: number;
  readonly count: number;
}

/** What became of a batch: its charges were decided, or its account has changed or is gone. */
type BatchOutcome =
  | { readonly kind: "decided"; readonly decisions: readonly QuotaDecision[] }
  | { readonly kind: "changed" | "gone" };

/**
 * The batches of a group. A charge only joins the last batch of its account, so that an account's charges are
 * decided in the order they came, whatever their endpoints.
 */
export function batchesOf(charges: readonly PendingCharge[]): readonly ChargeBatch[] {
  const batches: ChargeBatch[] = [];
  const latest = new Map<string, ChargeBatch>();
  for (const charge of charges) {
    const { accountId } = charge.known;
    const batch = latest.get(accountId);
    if (batch !== undefined && belongs(charge, batch)) {
      batch.charges.push(charge);
    } else {
      const opened = open(charge);
      batches.push(opened);
      latest.set(accountId, opened);
    }
  }
  return batches;
}

/** The arguments of `CHARGE` for a batch. */
export function valuesOf(batch: ChargeBatch): readonly (string | number)[] {
  return [
    batch.account,
    batch.known.revision,
    batch.field,
    batch.plan.callsPerMonth,
    batch.calls,
    batch.callsField,
    batch.charges.map(({ request }) => request.units).join(","),
  ];
}

/** Turns what `CHARGE` answered for a batch into an outcome for its requests. */
export function outcomeOf(batch: ChargeBatch, answered: number): BatchOutcome {
  if (answered === CHANGED) return { kind: "changed" };
  if (answered === GONE) return { kind: "gone" };
  const { plan, period, charges } = batch;
  const limit = plan.callsPerMonth;
  const { taken } = take(batch, answered);
  let used = answered;
  const decisions = charges.map(({ request }, index) => {
    const charged = taken[index] === true;
    if (charged) used += request.units;
    return { charged, plan, ...quotaState(used, limit, period, request.nowMs) };
  });
  return { kind: "decided", decisions };
}

/** What `CHARGE` wrote for a batch; undefined if it wrote nothing. */
export function adjustmentOf(batch: ChargeBatch, answered: number): Adjustment | undefined {
  if (answered < 0) return undefined;
  const { taken, used } = take(batch, answered);
  const count = taken.filter(Boolean).length;
  if (count === 0) return undefined;
  const { account, field, calls, callsField } = batch;
  return { account, field, units: used - answered, calls, callsField, count };
}

/** Merges adjustments of the same counts by adding them up. */
export function summed(adjustments: readonly Adjustment[]): readonly Adjustment[] {
  const sums = new Map<string, Adjustment>();
  for (const each of adjustments) {
    const name = [each.account, each.field, each.calls, each.callsField].join(" ");
    const sum = sums.get(name);
    const units = each.units + (sum?.units ?? 0);
    sums.set(name, { ...each, units, count: each.count + (sum?.count ?? 0) });
  }
  return [...sums.values()];
}

export function gone(batch: ChargeBatch): AccountsUnavailable {
  return new AccountsUnavailable(`account ${batch.known.accountId} is gone from Redis`);
}

function take({ plan, charges }: ChargeBatch, used: number): ReturnType<typeof takeInOrder> {
  const units = charges.map(({ request }) => request.units);
  return takeInOrder(units, used, plan.callsPerMonth);
}

function belongs({ request, known }: PendingCharge, batch: ChargeBatch): boolean {
  const { caller, period } = standingAt(known, request.nowMs);
  return (
    request.endpoint === batch.endpoint &&
    known.env === batch.known.env &&
    known.revision === batch.known.revision &&
    caller.plan === batch.plan &&
    period.name === batch.period.name &&
    dateOf(request.nowMs) === batch.day
  );
}

function open(charge: PendingCharge): ChargeBatch {
  const { request, known } = charge;
  const { caller, period } = standingAt(known, request.nowMs);
  const { accountId, env } = known;
  const day = dateOf(request.nowMs);
  return {
    known,
    plan: caller.plan,
    period,
    day,
    endpoint: request.endpoint,
    account: accountKey(accountId),
    field: usedField(env, period.name),
    calls: callsKey(accountId, day),
    callsField: callsField(day, env, request.endpoint),
    charges: [charge],
  };
}
