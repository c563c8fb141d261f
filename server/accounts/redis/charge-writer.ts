import { randomBytes } from "node:crypto";
import type { LuaScript } from "../../redis/lua-script.ts";
import type { RedisLink, RedisValue } from "../../redis/redis-link.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { inverseOf, netOf, type Adjustment } from "./charge-group.ts";
import { FENCE, REPAIR, WRITER_KEPT_SECONDS } from "./charge-scripts.ts";
import { writerKey } from "./keys.ts";
import type { RedisClock } from "./redis-clock.ts";
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

/** A group that was sent and not answered: whether it was written is not known. */
interface OpenGroup {
  readonly number: number;
  readonly written: Group["written"];
  /** Charges whose requests were told "not charged" are taken back; adjustments stand, or are made again. */
  readonly repair: readonly Adjustment[] | undefined;
}

export interface ChargeWriterOptions {
  readonly identity: StoreIdentity;
  readonly redisClock: RedisClock;
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
}

/**
 * The order in which this process's charges reach Redis, and what keeps them exact when it fails.
 *
 * Groups are numbered and sent one at a time. Redis keeps the number of the last group it wrote, with what it answered, in
 * the same step as the group itself; so after any loss of the connection one question tells what became of
 * the group under way. Its charges were answered 503: where it was written after all, it is taken back. Where Redis
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
  #open: OpenGroup | undefined;
  #fence = 0;
  #number = 0;
  #heardMs = 0;

  constructor(options: ChargeWriterOptions) {
    this.#options = options;
  }

  /** Whether Redis counts something that it should not, or not what it should. */
  get owes(): boolean {
    return this.#open !== undefined || this.#owed.length > 0;
  }

  /** Writes a group of charges; rejects when it is not known to be written, and then it will not be. */
  write(group: Group): Promise<readonly number[]> {
    return this.#send(group, undefined);
  }

  /** On a new connection: ends what was under way and puts right what was lost. */
  async recover(link: RedisLink, withinMs: number): Promise<void> {
    const { identity, redisClock } = this.#options;
    const time = (await link.call("TIME", [], withinMs)) as [string, string];
    redisClock.note(Number(time[0]) * 1000 + Math.floor(Number(time[1]) / 1000));
    const fenced = await link.run(FENCE, [this.#key, identity.id], withinMs);
    const [store, fence, last, answer] = fenced as [string, number, string, string];
    identity.check(store);
    // Redis forgets a process that it could not hear for a month: then it does not know, rather than having lost.
    if (fence === 1 && this.#silentSeconds() >= WRITER_KEPT_SECONDS) this.#written.takeAfter(0);
    this.#heardMs = this.#options.monotonicMs();
    this.#fence = fence;
    this.#closeOpen(Number(last), answer);
    this.#rewriteAfter(Number(last));
    while (this.#owed.length > 0) await this.#repair(link, withinMs);
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

  /** Decides what became of the group under way when the last connection ended. */
  #closeOpen(last: number, answer: string): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    if (last < open.number) {
      this.#owed = [...this.#owed, ...(open.repair ?? [])];
      return;
    }
    const written = open.repair ?? open.written(answersOf(answer));
    this.#written.add(open.number, written, this.#options.monotonicMs());
    if (open.repair === undefined) this.#owed = [...this.#owed, ...written.map(inverseOf)];
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
    this.#owed = netOf([...this.#owed, ...lost]);
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
    repair: OpenGroup["repair"],
  ): Promise<readonly number[]> {
    const { identity, redisClock, monotonicMs } = this.#options;
    this.#number += 1;
    const number = this.#number;
    const head = [this.#key, identity.id, this.#fence, number, redisClock.in(withinMs)];
    this.#open = { number, written, repair };
    let reply: readonly [string, number, ...(string | number)[]];
    try {
      reply = (await link.run(script, [...head, ...values], withinMs)) as typeof reply;
    } catch (error) {
      // A refusal that Redis spoke out leaves the connection as it is, and wrote nothing.
      if (link.open) this.#notWritten(repair);
      throw error;
    }
    const [status, redisMs, ...answers] = reply;
    redisClock.note(redisMs);
    if (status === "ok") {
      this.#open = undefined;
      this.#written.add(number, written(answers as number[]), monotonicMs());
      return answers as number[];
    }
    this.#notWritten(repair);
    if (status === "strange") identity.check(String(answers[0]));
    if (status === "stale") link.drop("Redis no longer knows this process");
    throw new AccountsUnavailable(`Redis did not take the charges: ${status}`);
  }

  #notWritten(repair: OpenGroup["repair"]): void {
    this.#open = undefined;
    if (repair !== undefined) this.#owed = [...repair, ...this.#owed];
  }
}

function answersOf(text: string): readonly number[] {
  return text === "" ? [] : text.split(",").map(Number);
}
