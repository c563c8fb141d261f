import type { ChargeDecision, ChargeRequest } from "../accounts.ts";
import { MeterBusy } from "./held-meter.ts";
import { KnownCaller, type KnownKey, type OpenStanding } from "./known-key.ts";
import type { Ledger } from "./ledger.ts";
import { METERED_ENDPOINTS } from "./meter-layout.ts";
import { CHARGED, OVER_LIMIT } from "./meter.ts";
import type { Openings } from "./openings.ts";
import type { PatientQueue } from "./patient-queue.ts";

const PLACES: ReadonlyMap<string, number> = new Map(
  METERED_ENDPOINTS.map((endpoint, place) => [endpoint, place]),
);

export interface ChargesOptions {
  readonly ledger: Ledger;
  /** On a connection used for reading only. */
  readonly readLedger: Ledger;
  readonly openings: Openings;
  readonly waits: PatientQueue;
}

/**
 * Charges requests.
 *
 * A call of one unit is counted in the meter file and answered in the same turn of the event loop. An
 * account's first call of a day, or after a change to the account, first needs a transaction that opens its
 * allowance; later calls need none. When many accounts come together, that transaction waits for the end of
 * the turn. Each charge of more than one unit is a transaction of its own.
 */
export class Charges {
  readonly #options: ChargesOptions;

  constructor(options: ChargesOptions) {
    this.#options = options;
  }

  charge(request: ChargeRequest): void {
    const known = KnownCaller.keyOf(request.caller);
    if (request.wanted === false) return;
    const decision = known.current ? this.#count(known, request) : undefined;
    if (decision !== undefined) request.settle(decision);
    else if (isCounted(request)) this.#open(request);
    else this.#bookRow(request);
  }

  #count(known: KnownKey, request: ChargeRequest): ChargeDecision | undefined {
    if (!isCounted(request)) return undefined;
    const { nowMs } = request;
    const isOpen = openStandingAt(known, nowMs) !== undefined || this.#isFound(known, nowMs);
    return isOpen ? countCall(known, request) : undefined;
  }

  /**
   * False if the file cannot be read right now: that is not final, because opening the allowance waits for
   * the file.
   */
  #isFound(known: KnownKey, nowMs: number): boolean {
    try {
      return this.#options.readLedger.findOpen(known, nowMs);
    } catch {
      return false;
    }
  }

  #open(request: ChargeRequest): void {
    this.#options.openings.open(request, (outcome) => {
      if (request.wanted === false) return;
      if (outcome instanceof Error) request.settle(outcome);
      else {
        const decision = countCall(outcome, request);
        if (decision === undefined) this.#again(request);
        else request.settle(decision);
      }
    });
  }

  /** Another process moved the account on in between, for a new day or a change of plan. */
  #again(request: ChargeRequest): void {
    const { ledger, waits } = this.#options;
    waits.start(
      () => {
        if (request.wanted === false) return undefined;
        const decision = countCall(ledger.open(request.caller, request.nowMs), request);
        if (decision === undefined) throw new MeterBusy();
        return decision;
      },
      (outcome) => settle(request, outcome),
    );
  }

  /** Begins the pending openings first, so that charges of one turn are decided in the order they came. */
  #bookRow(request: ChargeRequest): void {
    const { ledger, openings, waits } = this.#options;
    openings.flush();
    waits.start(
      () =>
        request.wanted === false
          ? undefined
          : ledger.transaction(() => ledger.chargeNow(request).decision),
      (outcome) => settle(request, outcome),
    );
  }
}

function isCounted({ units, endpoint }: ChargeRequest): boolean {
  return units === 1 && PLACES.has(endpoint);
}

/** The key's open standing at this instant; undefined if the state file has to be asked. */
export function openStandingAt(known: KnownKey, nowMs: number): OpenStanding | undefined {
  const { standing } = known;
  if (standing === undefined) return undefined;
  const { fromMs, toMs } = standing.during;
  return nowMs >= fromMs && nowMs < toMs ? standing : undefined;
}

/**
 * Counts a call of one unit, or refuses it; undefined if the meter file cannot decide. What `quotaState` says is
 * written out here: nearly every call comes this way, and an object less is some nanoseconds of a hundred.
 */
function countCall(known: KnownKey, request: ChargeRequest): ChargeDecision | undefined {
  const { nowMs } = request;
  const { meter } = known;
  const standing = openStandingAt(known, nowMs);
  const place = PLACES.get(request.endpoint);
  if (meter === undefined || standing === undefined || place === undefined) return undefined;
  const { period, caller } = standing;
  const limit = caller.plan.callsPerMonth;
  const outcome = meter.charge(standing, place, limit);
  if (outcome !== CHARGED && outcome !== OVER_LIMIT) return undefined;
  const { used } = meter;
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

/** Without an outcome, nobody waits for the answer any more and nothing was charged. */
function settle(request: ChargeRequest, outcome: ChargeDecision | Error | undefined): void {
  if (outcome !== undefined) request.settle(outcome);
}
