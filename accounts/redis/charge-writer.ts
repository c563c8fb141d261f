import { randomBytes } from "node:crypto";
import type { RedisLink } from "./redis-link.ts";
import { AccountsUnavailable } from "../accounts.ts";
import type { AccountValues, ChargeReply } from "./charge-group.ts";
import { CHARGE, CONNECT, REFUSED, WRITER_KEPT_SECONDS } from "./charge-scripts.ts";

const ID_BYTES = 9;

/**
 * Sends this process's charges to Redis in groups, one at a time, so that there is never more than one of which it is
 * unknown whether Redis wrote it. Its requests were answered 503. The next connection reverses it, if Redis has it, and
 * refuses it, if it comes later.
 */
export class ChargeWriter {
  readonly #key = `hs:writer:${randomBytes(ID_BYTES).toString("hex")}`;
  /** The number of the current connection. */
  #connection = 0;
  /** The number of the last group. */
  #number = 0;
  /** The values of the last group, if it was sent and not answered. */
  #open: string | undefined;

  /** Whether the counts in Redis may be wrong until the next connection. */
  get owes(): boolean {
    return this.#open !== undefined;
  }

  /** Decides and writes a group of charges. If this rejects, the charges are not counted. */
  async charge(
    link: RedisLink,
    accounts: readonly AccountValues[],
    withinMs: number,
  ): Promise<ChargeReply> {
    this.#number += 1;
    const sent = JSON.stringify(accounts);
    this.#open = sent;
    let answer: string;
    try {
      const given = [this.#key, this.#connection, this.#number, sent];
      answer = (await link.run(CHARGE, given, withinMs)) as string;
    } catch (error) {
      // If the connection is still open, Redis refused the script and wrote nothing.
      if (link.open) this.#open = undefined;
      throw error;
    }
    this.#open = undefined;
    if (answer === REFUSED) {
      link.drop("Redis no longer knows this process");
      throw new AccountsUnavailable("Redis no longer knows this process");
    }
    return JSON.parse(answer) as ChargeReply;
  }

  /** Call on a new connection, before any charge. */
  async connect(link: RedisLink, withinMs: number): Promise<void> {
    this.#connection += 1;
    const open = this.#open === undefined ? [0, "[]"] : [this.#number, this.#open];
    await link.run(CONNECT, [this.#key, this.#connection, ...open], withinMs);
    this.#open = undefined;
  }

  /** Call often enough to keep this process known to Redis while it charges nothing. */
  async tend(link: RedisLink, withinMs: number): Promise<void> {
    await link.call("EXPIRE", [this.#key, WRITER_KEPT_SECONDS], withinMs);
  }
}
