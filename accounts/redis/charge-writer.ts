import { randomBytes } from "node:crypto";
import type { LuaScript } from "./lua-script.ts";
import type { RedisLink } from "./redis-link.ts";
import { AccountsUnavailable } from "../accounts.ts";
import { RATE_WINDOW_MS } from "../rate-window.ts";
import {
  adjustmentsOf,
  reversed,
  summed,
  type AccountValues,
  type Adjustment,
  type ChargeReply,
} from "./charge-group.ts";
import { ADJUST, CHARGE, FENCE, REFUSED, WRITER_KEPT_SECONDS } from "./charge-scripts.ts";

const ID_BYTES = 9;
/** The most adjustments in one script. */
const ADJUST_MAX = 500;
/**
 * For this long, groups are remembered. With `appendfsync everysec`, Redis may answer two seconds before a write would
 * survive its own death, and one second more before it would survive the machine's. This is longer than both.
 */
const KEPT_MS = 6_000;

interface SentGroup {
  readonly number: number;
  /** `CHARGE` or `ADJUST`. */
  readonly script: LuaScript;
  /** The script's values. They and the answer are kept as JSON, since thousands of groups are kept and few read again. */
  readonly sent: string;
}

interface WrittenGroup extends SentGroup {
  readonly answer: string;
  readonly atMs: number;
}

interface ChargeWriterOptions {
  readonly monotonicMs: () => number;
  readonly warn: (message: string) => void;
}

/**
 * Sends this process's charges to Redis, and keeps them exact when Redis fails. Groups are numbered and sent one at a time,
 * and Redis stores the number and answer of each, so at most one is in doubt. Its requests were answered 503, so it is
 * reversed on the next connection if Redis has its number. Late groups of an earlier connection are refused. Groups that
 * Redis had answered and came back without are written again.
 */
export class ChargeWriter {
  readonly #options: ChargeWriterOptions;
  readonly #key = `hs:writer:${randomBytes(ID_BYTES).toString("hex")}`;
  /** This process's last groups, oldest first, in case Redis comes back without them. */
  #written: WrittenGroup[] = [];
  /** The number of the last group that was removed from them. */
  #forgotten = 0;
  /** The group that was sent and not answered, which Redis may have written or not. */
  #open: SentGroup | undefined;
  /** The adjustments that are due before the next connection is used. */
  #owed: readonly Adjustment[] = [];
  #fence = 0;
  #number = 0;

  constructor(options: ChargeWriterOptions) {
    this.#options = options;
  }

  /** Whether the counts in Redis may be wrong until the next connection. */
  get owes(): boolean {
    return this.#open !== undefined || this.#owed.length > 0;
  }

  /** Decides and writes a group of charges. If this rejects, the charges are not counted. */
  async charge(
    link: RedisLink,
    accounts: readonly AccountValues[],
    withinMs: number,
  ): Promise<ChargeReply> {
    const answer = await this.#send(link, { script: CHARGE, values: accounts }, withinMs);
    return JSON.parse(answer) as ChargeReply;
  }

  /** Call on a new connection. Settles the open group and restores lost ones. */
  async recover(link: RedisLink, withinMs: number): Promise<void> {
    const { monotonicMs } = this.#options;
    const fenced = await link.run(FENCE, [this.#key], withinMs);
    const [fence, last, answer] = fenced as [number, number, string];
    this.#fence = fence;
    this.#close(last, answer);
    const lost = this.#lostAfter(last, fence);
    const sinceMs = monotonicMs() - RATE_WINDOW_MS;
    const again = lost.flatMap((group) =>
      // Admissions count as of now, rather too long than too short, unless they have left the window.
      changesOf(group).map((each) => (group.atMs < sinceMs ? { ...each, admitted: 0 } : each)),
    );
    this.#owed = summed([...this.#owed, ...again]);
    while (this.#owed.length > 0) await this.#adjust(link, withinMs);
  }

  /** Call several times a second. Keeps this process known to Redis, and removes old groups from memory. */
  async tend(link: RedisLink, withinMs: number): Promise<void> {
    await link.call("EXPIRE", [this.#key, WRITER_KEPT_SECONDS], withinMs);
    const sinceMs = this.#options.monotonicMs() - KEPT_MS;
    const kept = this.#written.findIndex(({ atMs }) => atMs >= sinceMs);
    const old = this.#written.splice(0, kept === -1 ? Infinity : kept);
    this.#forgotten = old.at(-1)?.number ?? this.#forgotten;
  }

  /** Settles the group that was open when the last connection ended. */
  #close(last: number, answer: string): void {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    const isDue = open.script === ADJUST;
    const group = { ...open, answer, atMs: this.#options.monotonicMs() };
    const isWritten = last >= open.number;
    if (isWritten) this.#written.push(group);
    if (isWritten && !isDue) this.#owed = [...this.#owed, ...reversed(changesOf(group))];
    if (!isWritten && isDue) this.#owed = [...changesOf(group), ...this.#owed];
  }

  /** The groups that Redis had answered and came back without. */
  #lostAfter(last: number, fence: number) {
    const { warn } = this.#options;
    const lost = this.#written.filter(({ number }) => number > last);
    this.#written = this.#written.filter(({ number }) => number <= last);
    if (last < this.#forgotten) {
      warn("Redis came back without charges from longer ago than servers remember: usage is short");
      // Redis does not know this server at all, for example because its clock jumped by a month, so it is unknown whether
      // the last groups are lost.
      if (fence === 1) return [];
    }
    if (lost.length > 0)
      warn(`Redis lost its last writes: ${lost.length} groups are written again`);
    return lost;
  }

  async #adjust(link: RedisLink, withinMs: number): Promise<void> {
    const round = this.#owed.slice(0, ADJUST_MAX);
    this.#owed = this.#owed.slice(ADJUST_MAX);
    try {
      await this.#send(link, { script: ADJUST, values: round }, withinMs);
    } catch (error) {
      if (this.#open === undefined) this.#owed = [...round, ...this.#owed]; // it was refused
      throw error;
    }
  }

  async #send(
    link: RedisLink,
    { script, values }: { readonly script: LuaScript; readonly values: readonly unknown[] },
    withinMs: number,
  ): Promise<string> {
    this.#number += 1;
    const group = { number: this.#number, script, sent: JSON.stringify(values) };
    this.#open = group;
    let answer: string;
    try {
      const given = [this.#key, this.#fence, group.number, group.sent];
      answer = (await link.run(script, given, withinMs)) as string;
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
    this.#written.push({ ...group, answer, atMs: this.#options.monotonicMs() });
    return answer;
  }
}

/** The changes that a group made. */
function changesOf({ script, sent, answer }: WrittenGroup): readonly Adjustment[] {
  const values: unknown = JSON.parse(sent);
  if (script === ADJUST) return values as Adjustment[];
  return adjustmentsOf(values as AccountValues[], JSON.parse(answer) as ChargeReply);
}
