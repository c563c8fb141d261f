import { randomBytes } from "node:crypto";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { Notes } from "../../redis/notes.ts";
import type { RedisLink, RedisValue } from "../../redis/redis-link.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { summed, type Adjustment } from "./charge-group.ts";
import { FENCE, REPAIR, WRITER_KEPT_SECONDS } from "./charge-scripts.ts";
import { chargeNotes, type ChargeNote } from "./charge-notes.ts";
import { writerKey } from "./keys.ts";
import { redisTimeMs, type RedisClock } from "./redis-clock.ts";
import type { StoreIdentity } from "./store-identity.ts";
import { WrittenGroups } from "./written-groups.ts";

const ID_BYTES = 9;
/** How often Redis hears that this process still exists: far more often than it forgets one that does not. */
const HEARD_MS = 3_600_000;
/** How many adjustments one script may carry. */
const REPAIR_MAX = 500;

/** A group of charges, or of adjustments, on its way. */
interface Group {
  readonly link: RedisLink;
  readonly script: LuaScript;
  readonly values: readonly RedisValue[];
  readonly withinMs: number;
  /** What was written, derived from the answers. */
  readonly written: (answers: readonly number[]) => readonly Adjustment[];
}

/** Adjustments that were sent but not answered: it is not known whether Redis made them. */
interface OpenRepair {
  readonly number: number;
  readonly adjustments: readonly Adjustment[];
}

export interface ChargeWriterOptions {
  readonly identity: StoreIdentity;
  readonly redisClock: RedisClock;
  readonly nowMs: () => number;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
  /** Folder for notes of groups whose answer was not heard; undefined to keep them in memory only. */
  readonly notes: string | undefined;
}

/**
 * Sends this process's charges to Redis in order, and keeps them exact when Redis fails.
 *
 * Groups are numbered and sent one at a time. In the same step as it writes a group, Redis stores the group's
 * number and its answer. So there is never more than one group of which we do not know whether it was
 * written.
 *
 * If a group's answer is lost, its requests are told 503. Before that, the group is noted, and the note is
 * used to take it back if it was written after all: by this process once it reaches Redis again, or by
 * another one if this process was killed.
 *
 * If Redis dies and comes back without the last groups it answered, they are written again. A group that
 * reaches Redis too late, from an earlier connection or because Redis stood still, is refused by its deadline
 * or by the connection's number.
 */
export class ChargeWriter {
  readonly #options: ChargeWriterOptions;
  readonly #key = writerKey(randomBytes(ID_BYTES).toString("hex"));
  readonly #written = new WrittenGroups();
  /** Adjustments that Redis has to be sent on the next connection. */
  #owed: readonly Adjustment[] = [];
  #openRepair: OpenRepair | undefined;
  readonly #notes: Notes<ChargeNote>;
  #fence = 0;
  #number = 0;
  #heardMs = 0;
  /** When Redis last heard of this process, by Redis's clock; and the latest time it has told since. */
  #heardRedisMs = Number.POSITIVE_INFINITY;
  #latestRedisMs = Number.NEGATIVE_INFINITY;

  constructor(options: ChargeWriterOptions) {
    this.#options = options;
    this.#notes = chargeNotes({ ...options, folder: options.notes });
  }

  /** Whether Redis counts something it should not, or lacks something it should count. */
  get owes(): boolean {
    return this.#openRepair !== undefined || this.#owed.length > 0 || this.#notes.unsettled;
  }

  /** Writes a group of charges. Rejects if it is not known to be written; then it will not stand. */
  write(group: Group): Promise<readonly number[]> {
    return this.#send(group, undefined);
  }

  /** Run on a new connection: ends what was under way and restores what was lost. */
  async recover(link: RedisLink, withinMs: number): Promise<void> {
    const { identity, redisClock } = this.#options;
    const askedMs = redisClock.asking();
    const redisMs = await redisTimeMs(link, withinMs);
    this.#noteTime(redisMs, askedMs);
    const fenced = await link.run(FENCE, [this.#key, identity.id], withinMs);
    const [store, fence, last] = fenced as [string, number, string];
    identity.check(store);
    // That Redis knows no group of a process it has forgotten does not mean that it lost any.
    const isForgotten = fence === 1 && this.#silentSeconds() >= WRITER_KEPT_SECONDS;
    this.#heard(redisMs);
    this.#fence = fence;
    await this.#notes.settleAnew(link);
    this.#closeRepair(Number(last));
    if (isForgotten) this.#written.takeAfter(0);
    else this.#rewriteAfter(Number(last));
    while (this.#owed.length > 0) await this.#repair(link, withinMs);
  }

  /** Settles notes, including those of processes that were killed. */
  async settleNotes(link: RedisLink): Promise<void> {
    await this.#notes.settle(link);
  }

  /** Keeps Redis from forgetting this process. */
  async beHeard(link: RedisLink, withinMs: number): Promise<void> {
    if (this.#options.monotonicMs() - this.#heardMs < HEARD_MS) return;
    await link.call("EXPIRE", [this.#key, WRITER_KEPT_SECONDS], withinMs);
    this.#heard(this.#options.redisClock.in(0));
  }

  #heard(redisMs: number): void {
    this.#heardMs = this.#options.monotonicMs();
    this.#heardRedisMs = redisMs;
    this.#latestRedisMs = redisMs;
  }

  #noteTime(redisMs: number, askedMs: number): void {
    this.#options.redisClock.note(redisMs, askedMs);
    this.#latestRedisMs = Math.max(this.#latestRedisMs, redisMs);
  }

  /**
   * How long Redis has not heard of this process. Redis counts this by its own clock: one that is set a month
   * ahead makes it forget a process that it heard of a moment ago, even if it is set back again.
   */
  #silentSeconds(): number {
    const here = this.#options.monotonicMs() - this.#heardMs;
    return Math.max(here, this.#latestRedisMs - this.#heardRedisMs) / 1000;
  }

  /** Decides what became of the adjustments that were under way when the last connection ended. */
  #closeRepair(last: number): void {
    const open = this.#openRepair;
    this.#openRepair = undefined;
    if (open === undefined) return;
    if (last < open.number) this.#owed = [...this.#owed, ...open.adjustments];
    else this.#written.add(open.number, open.adjustments, this.#options.monotonicMs());
  }

  /** If Redis came back without groups it had answered, owes them again. */
  #rewriteAfter(last: number): void {
    if (last < this.#written.forgotten) {
      this.#options.warn(
        "Redis came back without charges from longer ago than servers remember: usage is short of them",
      );
    }
    const lost = this.#written.takeAfter(last);
    if (lost.length > 0)
      this.#options.warn(`Redis lost its last writes: ${lost.length} are written again`);
    this.#owed = summed([...this.#owed, ...lost]);
  }

  async #repair(link: RedisLink, withinMs: number): Promise<void> {
    const round = this.#owed.slice(0, REPAIR_MAX);
    this.#owed = this.#owed.slice(REPAIR_MAX);
    const values = round.flatMap(({ account, field, units, calls, callsField, count }) => [
      account,
      field,
      units,
      calls,
      callsField,
      count,
    ]);
    await this.#send({ link, script: REPAIR, values, withinMs, written: () => round }, round);
  }

  async #send(
    { link, script, values, withinMs, written }: Group,
    repair: readonly Adjustment[] | undefined,
  ): Promise<readonly number[]> {
    const { identity, redisClock, monotonicMs } = this.#options;
    this.#number += 1;
    const number = this.#number;
    const askedMs = redisClock.asking();
    const deadlineMs = redisClock.in(withinMs);
    const head = [this.#key, identity.id, this.#fence, number, deadlineMs];
    this.#openRepair = repair && { number, adjustments: repair };
    let reply: readonly [string, number, ...(string | number)[]];
    try {
      reply = (await link.run(script, [...head, ...values], withinMs)) as typeof reply;
    } catch (error) {
      // If the connection is still open, Redis itself refused, and wrote nothing.
      if (link.open) this.#notWritten(repair);
      else if (repair === undefined) this.#giveUp(number, deadlineMs, values);
      throw error;
    }
    const [status, redisMs, ...answers] = reply;
    this.#noteTime(redisMs, askedMs);
    if (status === "ok") {
      this.#openRepair = undefined;
      this.#written.add(number, written(answers as number[]), monotonicMs());
      return answers as number[];
    }
    this.#notWritten(repair);
    if (status === "strange") identity.check(String(answers[0]));
    if (status === "stale") link.drop("Redis no longer knows this process");
    throw new AccountsUnavailable(`Redis did not take the charges: ${status}`);
  }

  /** Notes a group before its requests are told that nothing was charged. */
  #giveUp(group: number, deadlineMs: number, values: readonly RedisValue[]): void {
    this.#notes.write({
      store: this.#options.identity.id,
      writer: this.#key,
      group,
      deadlineMs,
      values: values.map(String),
    });
    this.#number += 1; // taking it back will use this number
  }

  #notWritten(repair: readonly Adjustment[] | undefined): void {
    this.#openRepair = undefined;
    if (repair !== undefined) this.#owed = [...repair, ...this.#owed];
  }
}
