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
/** How often Redis is told that this process is still there: far more often than it forgets one that is not. */
const HEARD_MS = 3_600_000;
/** Adjustments of one script. */
const REPAIR_MAX = 500;

/** A group of charges, or of adjustments, on its way. */
interface Group {
  readonly link: RedisLink;
  readonly script: LuaScript;
  readonly values: readonly RedisValue[];
  readonly withinMs: number;
  /** What was written, from what was answered. */
  readonly written: (answers: readonly number[]) => readonly Adjustment[];
}

/** Adjustments that were sent and not answered: whether they were made is not known. */
interface OpenRepair {
  readonly number: number;
  readonly adjustments: readonly Adjustment[];
}

export interface ChargeWriterOptions {
  readonly identity: StoreIdentity;
  readonly redisClock: RedisClock;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
  /** Folder for notes of groups whose answer was not heard; undefined to remember them only. */
  readonly notes: string | undefined;
}

/**
 * The order in which this process's charges reach Redis, and what keeps them exact when it fails.
 *
 * Groups are numbered and sent one at a time. Redis keeps the number of the last group it wrote, with what it answered, in
 * the same step as the group itself. So there is only ever one group of which it can be unknown whether it was
 * written. Its requests are told 503, and before that a note of it is made, by which it is taken back if it was written
 * after all: by this process when it reaches Redis again, or by another one when this was killed. Where Redis
 * died and came back without the last groups it had answered, they are written again. What an earlier
 * connection sent and a Redis that stood still comes to late is refused: by its deadline, and by the number of
 * the connection.
 */
export class ChargeWriter {
  readonly #options: ChargeWriterOptions;
  readonly #key = writerKey(randomBytes(ID_BYTES).toString("hex"));
  readonly #written = new WrittenGroups();
  /** What Redis has to be told besides, at the next connection. */
  #owed: readonly Adjustment[] = [];
  #openRepair: OpenRepair | undefined;
  readonly #notes: Notes<ChargeNote>;
  #fence = 0;
  #number = 0;
  #heardMs = 0;

  constructor(options: ChargeWriterOptions) {
    this.#options = options;
    this.#notes = chargeNotes({ ...options, folder: options.notes });
  }

  /** Whether Redis counts something that it should not, or not what it should. */
  get owes(): boolean {
    return this.#openRepair !== undefined || this.#owed.length > 0 || this.#notes.unsettled;
  }

  /** Writes a group of charges; rejects when it is not known to be written, and then it will not be. */
  write(group: Group): Promise<readonly number[]> {
    return this.#send(group, undefined);
  }

  /** On a new connection: ends what was under way and puts right what was lost. */
  async recover(link: RedisLink, withinMs: number): Promise<void> {
    const { identity, redisClock } = this.#options;
    redisClock.note(await redisTimeMs(link, withinMs));
    const fenced = await link.run(FENCE, [this.#key, identity.id], withinMs);
    const [store, fence, last] = fenced as [string, number, string];
    identity.check(store);
    // Redis forgets a process that it could not hear for a month: then it does not know, rather than having lost.
    if (fence === 1 && this.#silentSeconds() >= WRITER_KEPT_SECONDS) this.#written.takeAfter(0);
    this.#heardMs = this.#options.monotonicMs();
    this.#fence = fence;
    await this.#notes.settleAnew(link);
    this.#closeRepair(Number(last));
    this.#rewriteAfter(Number(last));
    while (this.#owed.length > 0) await this.#repair(link, withinMs);
  }

  /** Settles notes, those of processes that were killed too. */
  async settleNotes(link: RedisLink): Promise<void> {
    await this.#notes.settle(link);
  }

  /** Keeps Redis from forgetting this process. */
  async beHeard(link: RedisLink, withinMs: number): Promise<void> {
    const nowMs = this.#options.monotonicMs();
    if (nowMs - this.#heardMs < HEARD_MS) return;
    await link.call("EXPIRE", [this.#key, WRITER_KEPT_SECONDS], withinMs);
    this.#heardMs = nowMs;
  }

  #silentSeconds(): number {
    return (this.#options.monotonicMs() - this.#heardMs) / 1000;
  }

  /** Decides what became of the adjustments under way when the last connection ended. */
  #closeRepair(last: number): void {
    const open = this.#openRepair;
    this.#openRepair = undefined;
    if (open === undefined) return;
    if (last < open.number) this.#owed = [...this.#owed, ...open.adjustments];
    else this.#written.add(open.number, open.adjustments, this.#options.monotonicMs());
  }

  /** Redis came back without groups it had answered: they are owed again. */
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
    const deadlineMs = redisClock.in(withinMs);
    const head = [this.#key, identity.id, this.#fence, number, deadlineMs];
    this.#openRepair = repair && { number, adjustments: repair };
    let reply: readonly [string, number, ...(string | number)[]];
    try {
      reply = (await link.run(script, [...head, ...values], withinMs)) as typeof reply;
    } catch (error) {
      // A refusal that Redis spoke out leaves the connection as it is, and wrote nothing.
      if (link.open) this.#notWritten(repair);
      else if (repair === undefined) this.#giveUp(number, deadlineMs, values);
      throw error;
    }
    const [status, redisMs, ...answers] = reply;
    redisClock.note(redisMs);
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
    this.#number += 1; // taking it back is a group too
  }

  #notWritten(repair: readonly Adjustment[] | undefined): void {
    this.#openRepair = undefined;
    if (repair !== undefined) this.#owed = [...repair, ...this.#owed];
  }
}
