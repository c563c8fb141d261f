import { randomBytes } from "node:crypto";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { RedisLink } from "../../redis/redis-link.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { RATE_WINDOW_MS } from "../rate.ts";
import {
  adjustmentsOf,
  reversed,
  summed,
  type AccountValues,
  type Adjustment,
  type ChargeReply,
} from "./charge-group.ts";
import { ADJUST, CHARGE, FENCE, WRITER_KEPT_SECONDS } from "./charge-scripts.ts";
import { writerKey } from "./keys.ts";
import type { StoreIdentity } from "./store-identity.ts";
import { WrittenGroups } from "./written-groups.ts";

const ID_BYTES = 9;
/** How many adjustments one script may carry. */
const ADJUST_MAX = 500;

/** The compensation record of a group that was sent and not answered: Redis may have written it or not. */
interface OpenGroup {
  readonly number: number;
  /** What it changed if it was written, given its answer. */
  readonly adjustments: (answer: ChargeReply) => readonly Adjustment[];
  /** Whether it is to be made once more if it was not written, instead of reversed if it was. */
  readonly isDue: boolean;
}

export interface ChargeWriterOptions {
  readonly identity: StoreIdentity;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
}

/**
 * Sends this process's charges to Redis, and keeps them exact when Redis fails. Groups are numbered and sent one at a
 * time, and Redis stores number and answer with each: so at most one is in doubt. Its requests were answered 503, and on
 * the next connection it is reversed if Redis has its number. Late groups of an earlier connection are refused. Groups
 * that Redis answered and came back without are written again.
 */
export class ChargeWriter {
  readonly #options: ChargeWriterOptions;
  readonly #key = writerKey(randomBytes(ID_BYTES).toString("hex"));
  readonly #written = new WrittenGroups();
  #open: OpenGroup | undefined;
  /** What Redis must be told on the next connection before it is used. */
  #owed: readonly Adjustment[] = [];
  #fence = 0;
  #number = 0;

  constructor(options: ChargeWriterOptions) {
    this.#options = options;
  }

  /** Whether Redis may count something it should not, or lack something it should count. */
  get owes(): boolean {
    return this.#open !== undefined || this.#owed.length > 0;
  }

  /** Decides and writes a group of charges. If it rejects, the charges will not be counted. */
  charge(
    link: RedisLink,
    values: readonly AccountValues[],
    withinMs: number,
  ): Promise<ChargeReply> {
    const adjustments = (answer: ChargeReply) => adjustmentsOf(values, answer);
    return this.#send({ link, script: CHARGE, values, withinMs }, { adjustments, isDue: false });
  }

  /** Run on a new connection: ends what was under way and restores what was lost. */
  async recover(link: RedisLink, withinMs: number): Promise<void> {
    const { identity, monotonicMs } = this.#options;
    const fenced = await link.run(FENCE, [this.#key, identity.id], withinMs);
    const [store, fence, last, answer] = fenced as [string, number, number, ChargeReply];
    identity.check(store);
    this.#fence = fence;
    this.#close(last, answer);
    const lost = this.#lostAfter(last, fence);
    const sinceMs = monotonicMs() - RATE_WINDOW_MS;
    const again = lost.flatMap(({ atMs, adjustments }) =>
      // Admissions count as of now: too long rather than too short. Those of before the window are over.
      adjustments().map((each) => (atMs < sinceMs ? { ...each, admitted: 0 } : each)),
    );
    this.#owed = summed([...this.#owed, ...again]);
    while (this.#owed.length > 0) await this.#adjust(link, withinMs);
  }

  /** Call several times a second: keeps Redis from forgetting this process, and forgets what is safe there. */
  async tend(link: RedisLink, withinMs: number): Promise<void> {
    await link.call("EXPIRE", [this.#key, WRITER_KEPT_SECONDS], withinMs);
    this.#written.forget(this.#options.monotonicMs());
  }

  /** Decides what became of the group that was under way when the last connection ended. */
  #close(last: number, answer: ChargeReply): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    if (last < open.number) {
      if (open.isDue) this.#owed = [...open.adjustments(answer), ...this.#owed];
      return;
    }
    const adjustments = open.adjustments(answer);
    const atMs = this.#options.monotonicMs();
    this.#written.add({ number: open.number, atMs, adjustments: () => adjustments });
    if (!open.isDue) this.#owed = [...this.#owed, ...reversed(adjustments)];
  }

  /** Groups that Redis had answered and came back without. */
  #lostAfter(last: number, fence: number) {
    const { warn } = this.#options;
    const { forgotten } = this.#written;
    const lost = this.#written.takeAfter(last);
    if (last < forgotten) {
      warn("Redis came back without charges from longer ago than servers remember: usage is short");
      // It has forgotten this server altogether, for example because its clock leapt by a month: nothing tells
      // whether the last groups are lost.
      if (fence === 1) return [];
    }
    if (lost.length > 0)
      warn(`Redis lost its last writes: ${lost.length} groups are written again`);
    return lost;
  }

  async #adjust(link: RedisLink, withinMs: number): Promise<void> {
    const round = this.#owed.slice(0, ADJUST_MAX);
    this.#owed = this.#owed.slice(ADJUST_MAX);
    const values = round.flatMap(({ accountId, admitted, used, units, calls, count }) => {
      return [accountId, admitted, used, units, calls, count];
    });
    const isDue = true;
    try {
      await this.#send(
        { link, script: ADJUST, values, withinMs },
        { adjustments: () => round, isDue },
      );
    } catch (error) {
      if (this.#open === undefined) this.#owed = [...round, ...this.#owed]; // it was refused
      throw error;
    }
  }

  async #send(
    { link, script, values, withinMs }: Sent,
    { adjustments, isDue }: Omit<OpenGroup, "number">,
  ): Promise<ChargeReply> {
    this.#number += 1;
    const number = this.#number;
    this.#open = { number, adjustments, isDue };
    let answer: ChargeReply;
    try {
      // One argument for all values: the client library spends more on an argument than on what is in it.
      const group = [this.#key, this.#fence, number, JSON.stringify(values)];
      answer = (await link.run(script, group, withinMs)) as ChargeReply;
    } catch (error) {
      // If the connection is still open, Redis itself refused, and wrote nothing.
      if (link.open) this.#open = undefined;
      throw error;
    }
    this.#open = undefined;
    if (answer[0] !== 1) {
      link.drop("Redis no longer knows this process");
      throw new AccountsUnavailable("Redis no longer knows this process");
    }
    const atMs = this.#options.monotonicMs();
    this.#written.add({ number, atMs, adjustments: () => adjustments(answer) });
    return answer;
  }
}

interface Sent {
  readonly link: RedisLink;
  readonly script: LuaScript;
  readonly values: readonly unknown[];
  readonly withinMs: number;
}
