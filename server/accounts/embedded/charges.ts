import type { ChargeDecision, ChargeRequest } from "../accounts.ts";
import { MeterBusy } from "./held-meter.ts";
import { KnownCaller, type KnownKey, type OpenStanding } from "./known-key.ts";
import type { Ledger } from "./ledger.ts";
import { METERED_ENDPOINTS } from "./meter-layout.ts";
import { CHARGED, OVER_LIMIT } from "./meter.ts";
import type { PatientQueue } from "./patient-queue.ts";

const PLACES: ReadonlyMap<string, number> = new Map(
  METERED_ENDPOINTS.map((endpoint, place) => [endpoint, place]),
);

/**
 * Charges of requests. A call of one unit is counted in the meter file and answered in the request's own
 * turn. Everything else goes through a transaction of the state file: the account's first call of a day,
 * or after a change to it, which lets the following ones be counted; and charges of more than a unit.
 */
export class Charges {
  readonly #ledger: Ledger;
  readonly #waits: PatientQueue;

  constructor(ledger: Ledger, waits: PatientQueue) {
    this.#ledger = ledger;
    this.#waits = waits;
  }

  charge(request: ChargeRequest): void {
    const known = KnownCaller.keyOf(request.caller);
    if (request.wanted === false) return;
    const decision = known.current ? countCall(known, request) : undefined;
    if (decision === undefined) this.#slowly(request);
    else request.settle(decision);
  }

  #slowly(request: ChargeRequest): void {
    let outcome: ChargeDecision | undefined | Promise<ChargeDecision | undefined>;
    try {
      outcome = this.#waits.run(() => this.#decide(request));
    } catch (error) {
      request.settle(error instanceof Error ? error : new Error(String(error)));
      return;
    }
    if (outcome instanceof Promise) {
      void outcome.then(
        (decision) => settle(request, decision),
        (error: Error) => settle(request, error),
      );
    } else settle(request, outcome);
  }

  /** Undefined where nobody waits for the answer any more: then nothing was charged. */
  #decide(request: ChargeRequest): ChargeDecision | undefined {
    if (request.wanted === false) return undefined;
    const { caller, nowMs, units, endpoint } = request;
    if (units !== 1 || !PLACES.has(endpoint)) {
      return this.#ledger.transaction(() => this.#ledger.chargeNow(request).decision);
    }
    const decision = countCall(this.#ledger.open(caller, nowMs), request);
    // Another process moved the account on in between: an edge of the day, a change of plan.
    if (decision === undefined) throw new MeterBusy();
    return decision;
  }
}

/** The open standing of a key at an instant; undefined where the state file has to be asked. */
export function openStandingAt(known: KnownKey, nowMs: number): OpenStanding | undefined {
  const { standing } = known;
  if (standing === undefined || nowMs < standing.fromMs || nowMs >= standing.toMs) return undefined;
  return standing;
}

/** Counts a call of one unit, or refuses it; undefined where the meter file cannot decide. */
function countCall(known: KnownKey, request: ChargeRequest): ChargeDecision | undefined {
  const { nowMs } = request;
  const { meter } = known;
  const standing = openStandingAt(known, nowMs);
  const place = PLACES.get(request.endpoint);
  if (meter === undefined || standing === undefined || place === undefined) return undefined;
  if (request.units !== 1) return undefined;
  const outcome = meter.charge(standing, place);
  if (outcome !== CHARGED && outcome !== OVER_LIMIT) return undefined;
  const { used } = meter;
  const { limit, period, caller } = standing;
  return {
    charged: outcome === CHARGED,
    plan: caller.plan,
    used,
    quota: {
      limit,
      remaining: used < limit ? limit - used : 0,
      resetSeconds: Math.max(0, Math.ceil((period.endMs - nowMs) / 1000)),
      windowSeconds: period.windowSeconds,
    },
  };
}

function settle(request: ChargeRequest, outcome: ChargeDecision | Error | undefined): void {
  if (outcome !== undefined) request.settle(outcome);
}
