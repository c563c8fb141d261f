import type { RedisConnection } from "../../redis/connection.ts";
import { AccountsUnavailable, type QuotaDecision } from "../accounts.ts";
import type { AccountsClock } from "../clock.ts";
import {
  adjustmentOf,
  batchesOf,
  gone,
  outcomeOf,
  valuesOf,
  type ChargeBatch,
  type AdmittedCharge,
  type PendingCharge,
} from "./charge-group.ts";
import { CHARGE } from "./charge-scripts.ts";
import type { ChargeWriter } from "./charge-writer.ts";
import type { RedisDirectory } from "./directory.ts";
import type { KnownKey } from "./known-key.ts";
import { CHARGE_BY_MS, LEAST_MS, patience } from "./patience.ts";

/** Charges in one group: a limit, so that no script holds Redis for long. */
const GROUP_MAX = 512;
/** Charges that may wait for a group; beyond this, charges fail with 503. */
const WAITING_MAX = 20_000;
/**
 * A charge that waited less than this for earlier groups is not late because of them: its request took long
 * to arrive, from a slow client.
 */
const QUEUED_MS = 10;
/** How often a changed account is read again before the charge is given up. */
const REREADS_MAX = 3;

type Outcomes = readonly (readonly [AdmittedCharge, QuotaDecision | Error])[];

export interface ChargesOptions {
  readonly redis: RedisConnection;
  readonly directory: RedisDirectory;
  readonly writer: ChargeWriter;
  readonly clock: AccountsClock;
}

/**
 * Charges on their way to Redis. Those of one turn of the event loop form a group, and the next group is sent
 * once the one before is answered. So there is never more than one group of which we do not know whether it
 * was written.
 */
export class RedisCharges {
  readonly #options: ChargesOptions;
  #waiting: PendingCharge[] = [];
  #rereading = 0;
  #scheduled = false;
  #underWay = false;

  constructor(options: ChargesOptions) {
    this.#options = options;
  }

  add(request: AdmittedCharge): void {
    if (!Number.isSafeInteger(request.units) || request.units < 1) {
      throw new RangeError(`a charge is a positive whole number of units, got ${request.units}`);
    }
    const { redis, directory, clock } = this.#options;
    const known = directory.keyOf(request.caller);
    if (!redis.ready) {
      request.settle(redis.unavailable());
    } else if (this.#waiting.length >= WAITING_MAX) {
      request.settle(new AccountsUnavailable("too many charges wait for Redis"));
    } else {
      this.#queue({ request, known, addedMs: clock.monotonicMs(), rereads: 0 });
    }
  }

  /** Whether any charge is not settled yet. */
  get pending(): boolean {
    return this.#underWay || this.#waiting.length > 0 || this.#rereading > 0;
  }

  #queue(charge: PendingCharge): void {
    this.#waiting.push(charge);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#scheduled || this.#underWay || this.#waiting.length === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#sendGroup().catch((error: unknown) => {
        // Throwing here means a reply could not be written: that is a defect, but not one of the charges.
        setImmediate(() => {
          throw error;
        });
      });
    });
  }

  async #sendGroup(): Promise<void> {
    const group = this.#takeGroup();
    if (group.length === 0) {
      this.#schedule();
      return;
    }
    this.#underWay = true;
    let outcomes: Outcomes;
    try {
      const batches = batchesOf(group);
      outcomes = this.#outcomesOf(batches, await this.#write(batches));
    } catch (error) {
      outcomes = forEach(group, error instanceof Error ? error : new Error(String(error)));
    }
    this.#underWay = false;
    this.#schedule();
    settleAll(outcomes);
  }

  async #write(batches: readonly ChargeBatch[]): Promise<readonly number[]> {
    const { redis, writer, clock } = this.#options;
    const requests = batches.flatMap((batch) => batch.charges.map(({ request }) => request));
    const withinMs = Math.min(...requests.map(({ nowMs }) => patience(clock, nowMs, CHARGE_BY_MS)));
    const { link } = redis;
    if (link === undefined) throw redis.unavailable();
    return await writer.write({
      link,
      script: CHARGE,
      values: batches.flatMap(valuesOf),
      withinMs,
      written: (answers) =>
        batches.flatMap((batch, index) => adjustmentOf(batch, answers[index]!) ?? []), // one for each
    });
  }

  /** The charges whose client still waits and can be answered in time. */
  #takeGroup(): readonly PendingCharge[] {
    const group = this.#waiting.slice(0, GROUP_MAX);
    this.#waiting = this.#waiting.slice(GROUP_MAX);
    // A client whose connection is closed gets no answer and pays for none.
    const wanted = group.filter(({ request }) => request.wanted !== false);
    const late = wanted.filter((charge) => this.#isLate(charge));
    settleEach(late, new AccountsUnavailable("Redis is too slow for so many charges"));
    return late.length === 0 ? wanted : wanted.filter((charge) => !late.includes(charge));
  }

  /** Whether it waited for earlier groups until too little of its time is left. */
  #isLate({ request, addedMs }: PendingCharge): boolean {
    const { clock } = this.#options;
    const waitedMs = clock.monotonicMs() - addedMs;
    const sinceMs = clock.nowMs() - request.nowMs;
    const latestMs = CHARGE_BY_MS - LEAST_MS;
    return waitedMs > latestMs || (waitedMs > QUEUED_MS && sinceMs > latestMs);
  }

  /** What to tell the requests. Those of accounts that have changed are charged anew, and told later. */
  #outcomesOf(batches: readonly ChargeBatch[], answers: readonly number[]): Outcomes {
    const outcomes: [AdmittedCharge, QuotaDecision | Error][] = [];
    for (const [index, batch] of batches.entries()) {
      const outcome = outcomeOf(batch, answers[index]!); // the script answers for each batch
      if (outcome.kind === "decided") {
        for (const [n, { request }] of batch.charges.entries()) {
          outcomes.push([request, outcome.decisions[n]!]); // one decision per charge
        }
      } else if (outcome.kind === "gone") {
        for (const { request } of batch.charges) outcomes.push([request, gone(batch)]);
      } else {
        void this.#reread(batch);
      }
    }
    return outcomes;
  }

  /** Reads a changed account again and charges the account as it is now. */
  async #reread({ known, charges }: ChargeBatch): Promise<void> {
    this.#rereading += 1;
    try {
      const now = new Map<KnownKey, KnownKey>();
      for (const charge of charges) {
        if (!now.has(charge.known)) {
          now.set(charge.known, await this.#options.directory.reread(charge.known));
        }
      }
      const again = charges.filter(({ rereads }) => rereads < REREADS_MAX);
      for (const charge of again) {
        const reread = now.get(charge.known) ?? charge.known;
        this.#queue({ ...charge, known: reread, rereads: charge.rereads + 1 });
      }
      const message = `account ${known.accountId} changes too often`;
      const given = charges.filter((charge) => !again.includes(charge));
      settleEach(given, new AccountsUnavailable(message));
    } catch (error) {
      settleEach(charges, error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#rereading -= 1;
    }
  }
}

function forEach(charges: readonly PendingCharge[], error: Error): Outcomes {
  return charges.map(({ request }) => [request, error]);
}

function settleEach(charges: readonly PendingCharge[], error: Error): void {
  settleAll(forEach(charges, error));
}

/** Tells every request its outcome, even if one of them throws. */
function settleAll(outcomes: Outcomes): void {
  let defect: { readonly error: unknown } | undefined;
  for (const [request, outcome] of outcomes) {
    try {
      request.settle(outcome);
    } catch (error) {
      defect ??= { error };
    }
  }
  if (defect !== undefined) throw defect.error;
}
