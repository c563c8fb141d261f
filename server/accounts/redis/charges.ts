import { LRUCache } from "lru-cache";
import type { RedisConnection } from "../../redis/connection.ts";
import { AccountsUnavailable, type Caller, type ChargeRequest } from "../accounts.ts";
import type { AccountsClock } from "../clock.ts";
import { quotaState } from "../quota.ts";
import { rateDecision } from "../rate.ts";
import {
  accountsOf,
  answersOf,
  valuesOf,
  type AccountCalls,
  type PendingCharge,
} from "./charge-group.ts";
import type { ChargeWriter } from "./charge-writer.ts";
import { budgetMs, CHARGE_BY_MS, LEAST_MS } from "./deadline-budget.ts";
import type { RedisDirectory } from "./directory.ts";
import { payerAt, type KnownKey } from "./known-key.ts";

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
/** How many keys' refusals are remembered, and for how long at most: their usage may change meanwhile. */
const REFUSED_MAX = 10_000;
const REFUSED_MS = 1_000;

/** That a key's account is above its rate: until there is room again, Redis need not be asked. */
interface Refusal {
  /** By the monotonic clock. */
  readonly roomMs: number;
  readonly untilMs: number;
  readonly used: number;
}

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
  readonly #refusals = new LRUCache<Caller, Refusal>({ max: REFUSED_MAX });
  #waiting: PendingCharge[] = [];
  #rereading = 0;
  #scheduled = false;
  #underWay = false;

  constructor(options: ChargesOptions) {
    this.#options = options;
  }

  add(request: ChargeRequest): void {
    const { units } = request;
    if (!Number.isSafeInteger(units) || units < 0) {
      throw new RangeError(`a charge is a whole number of units, got ${units}`);
    }
    const { redis, directory, clock } = this.#options;
    const known = directory.keyOf(request.caller);
    if (this.#isRefused(request, known)) return;
    if (!redis.ready) {
      request.settle(redis.unavailable());
    } else if (this.#waiting.length >= WAITING_MAX) {
      request.settle(new AccountsUnavailable("too many charges wait for Redis"));
    } else {
      this.#queue({ request, known, addedMs: clock.monotonicMs(), rereads: 0, wanted: true });
    }
  }

  /** Whether any charge is not settled yet. */
  get pending(): boolean {
    return this.#underWay || this.#waiting.length > 0 || this.#rereading > 0;
  }

  /** Refuses the request if its account is known to be above its rate. */
  #isRefused(request: ChargeRequest, known: KnownKey): boolean {
    const refusal = this.#refusals.get(request.caller);
    if (refusal === undefined) return false;
    const nowMs = this.#options.clock.monotonicMs();
    const { roomMs, untilMs, used } = refusal;
    const { caller, period } = payerAt(known, request.nowMs);
    if (nowMs >= untilMs || !known.current || caller !== request.caller) return false;
    const { plan } = caller;
    const rate = rateDecision(false, plan.ratePerMinute, 0, roomMs - nowMs);
    const quota = quotaState(used, plan.callsPerMonth, period, request.nowMs);
    request.settle({ kind: "rate_limited", plan, rate, ...quota });
    return true;
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
      void this.#sendGroup();
    });
  }

  async #sendGroup(): Promise<void> {
    const group = this.#takeGroup();
    const accounts = accountsOf(group);
    const askedMs = this.#options.clock.monotonicMs();
    this.#underWay = group.length > 0;
    let reply: readonly number[] | undefined;
    try {
      if (this.#underWay) reply = await this.#write(group, accounts);
    } catch (error) {
      settleAll(group, error);
    }
    this.#underWay = false;
    this.#schedule();
    if (reply !== undefined) this.#settle(accounts, reply, askedMs);
  }

  #write(
    group: readonly PendingCharge[],
    accounts: readonly AccountCalls[],
  ): Promise<readonly number[]> {
    const { redis, writer, clock } = this.#options;
    const { link } = redis;
    if (link === undefined) return Promise.reject(redis.unavailable());
    const earliestMs = Math.min(...group.map(({ request }) => request.nowMs));
    const withinMs = budgetMs(clock, earliestMs, CHARGE_BY_MS);
    return writer.charge(link, accounts.flatMap(valuesOf), withinMs);
  }

  /** The charges that can be answered in time. */
  #takeGroup(): readonly PendingCharge[] {
    const group = this.#waiting.slice(0, GROUP_MAX);
    this.#waiting = this.#waiting.slice(GROUP_MAX);
    for (const charge of group) charge.wanted = charge.request.wanted;
    const late = group.filter((charge) => this.#isLate(charge));
    settleAll(late, new AccountsUnavailable("Redis is too slow for so many charges"));
    return late.length === 0 ? group : group.filter((charge) => !late.includes(charge));
  }

  /** Whether it waited for earlier groups until too little of its time is left. */
  #isLate({ request, addedMs }: PendingCharge): boolean {
    const { clock } = this.#options;
    const waitedMs = clock.monotonicMs() - addedMs;
    const sinceMs = clock.nowMs() - request.nowMs;
    const latestMs = CHARGE_BY_MS - LEAST_MS;
    return waitedMs > latestMs || (waitedMs > QUEUED_MS && sinceMs > latestMs);
  }

  /** Settles a group's requests. Those of accounts that have changed are charged anew, and settled later. */
  #settle(accounts: readonly AccountCalls[], reply: readonly number[], askedMs: number): void {
    const answers = answersOf(accounts, reply);
    for (const [index, calls] of accounts.entries()) {
      const answer = answers[index]!; // there is one for each account
      if (answer === "changed") {
        void this.#reread(calls);
      } else if (answer === "gone") {
        const message = `account ${calls.known.accountId} is gone from Redis`;
        settleAll(calls.charges, new AccountsUnavailable(message));
      } else {
        for (const [n, { request, wanted }] of calls.charges.entries()) {
          const outcome = answer.outcomes[n]!; // there is one for each charge
          if (outcome.kind === "rate_limited") {
            // From before Redis was asked, so that it never outlasts what Redis meant.
            const roomMs = askedMs + answer.waitMs;
            const untilMs = Math.min(roomMs, askedMs + REFUSED_MS);
            this.#refusals.set(request.caller, { roomMs, untilMs, used: outcome.used });
          }
          if (wanted) request.settle(outcome);
        }
      }
    }
  }

  /** Reads a changed account again and charges the account as it is now. */
  async #reread({ known, charges }: AccountCalls): Promise<void> {
    this.#rereading += 1;
    try {
      const now = new Map<KnownKey, KnownKey>();
      for (const charge of charges) {
        if (!now.has(charge.known)) {
          now.set(charge.known, await this.#options.directory.reread(charge.known));
        }
      }
      for (const charge of charges) {
        const rereads = charge.rereads + 1;
        if (rereads > REREADS_MAX) {
          const message = `account ${known.accountId} changes too often`;
          settleAll([charge], new AccountsUnavailable(message));
        } else {
          this.#queue({ ...charge, known: now.get(charge.known) ?? charge.known, rereads });
        }
      }
    } catch (error) {
      settleAll(charges, error);
    } finally {
      this.#rereading -= 1;
    }
  }
}

function settleAll(charges: readonly PendingCharge[], error: unknown): void {
  const outcome = error instanceof Error ? error : new Error(String(error));
  for (const { request, wanted } of charges) if (wanted) request.settle(outcome);
}
