import type { RedisConnection } from "./connection.ts";
import {
  AccountsUnavailable,
  type AccountsClock,
  type ChargeOutcome,
  type ChargeRequest,
} from "../accounts.ts";
import {
  accountsOf,
  outcomesOf,
  valuesOf,
  type AccountCalls,
  type PendingCharge,
} from "./charge-group.ts";
import type { ChargeWriter } from "./charge-writer.ts";
import { budgetMs, CHARGE_BY_MS, LEAST_MS } from "./deadline-budget.ts";
import type { RedisDirectory } from "./directory.ts";

/** The most charges in one group, so that no script blocks Redis for long. */
const GROUP_MAX = 512;
/** A charge that has waited longer for earlier groups would be answered too late. */
const QUEUED_MAX_MS = CHARGE_BY_MS - LEAST_MS;

export interface ChargesOptions {
  readonly redis: RedisConnection;
  readonly directory: RedisDirectory;
  readonly writer: ChargeWriter;
  readonly clock: AccountsClock;
}

/**
 * Sends charges to Redis. Those of one turn of the event loop form a group, and a group is sent once the one before is
 * answered. So there is never more than one group of which it is unknown whether it was written.
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

  add(request: ChargeRequest): void {
    const { redis, clock } = this.#options;
    try {
      if (!redis.ready) throw redis.unavailable();
      const known = request.caller;
      this.#queue({ request, known, addedMs: clock.monotonicMs(), wanted: true });
    } catch (error) {
      request.settle(error as Error);
    }
  }

  /** Whether any charge is not settled. */
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
      void this.#sendGroup();
    });
  }

  async #sendGroup(): Promise<void> {
    const group = this.#takeGroup();
    this.#underWay = true;
    try {
      if (group.length > 0) await this.#decide(group);
    } catch (error) {
      settleAll(group, error);
    }
    this.#underWay = false;
    this.#schedule();
  }

  async #decide(group: readonly PendingCharge[]): Promise<void> {
    const { redis, writer, clock } = this.#options;
    const accounts = accountsOf(group);
    const earliestMs = Math.min(...group.map(({ request }) => request.nowMs));
    const withinMs = budgetMs(clock, earliestMs, CHARGE_BY_MS);
    const [, ...replies] = await writer.charge(redis.link, accounts.map(valuesOf), withinMs);
    // All answers are computed before the first request is settled, so that a defect fails the whole group.
    const outcomes = accounts.map((calls, index) => outcomesOf(calls, replies[index]!)); // one reply each
    for (const [index, calls] of accounts.entries()) this.#settle(calls, outcomes[index]);
  }

  /** The next charges that can be answered in time. */
  #takeGroup(): readonly PendingCharge[] {
    const nowMs = this.#options.clock.monotonicMs();
    const group = this.#waiting.slice(0, GROUP_MAX);
    this.#waiting = this.#waiting.slice(GROUP_MAX);
    for (const charge of group) charge.wanted = charge.request.connection.open;
    const late = group.filter(({ addedMs }) => nowMs - addedMs > QUEUED_MAX_MS);
    if (late.length === 0) return group;
    settleAll(late, new AccountsUnavailable("Redis is too slow for so many charges"));
    return group.filter((charge) => !late.includes(charge));
  }

  /** Settles an account's requests. If the account has changed, they are charged again instead. */
  #settle(calls: AccountCalls, outcomes: readonly ChargeOutcome[] | undefined): void {
    if (outcomes === undefined) {
      void this.#reread(calls);
      return;
    }
    for (const [index, { request, wanted }] of calls.charges.entries()) {
      if (wanted) request.settle(outcomes[index]!); // there is one for each charge
    }
  }

  /** Reads a changed account again and queues its charges. */
  async #reread({ charges }: AccountCalls): Promise<void> {
    const { directory } = this.#options;
    this.#rereading += 1;
    try {
      const keys = [...new Set(charges.map(({ known }) => known))];
      const reread = await Promise.all(keys.map((known) => directory.reread(known)));
      for (const charge of charges) {
        const known = reread[keys.indexOf(charge.known)] ?? charge.known;
        this.#queue({ ...charge, known });
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
