import { AccountsUnavailable } from "../accounts.ts";
import { MeterBusy } from "./held-meter.ts";
import { KnownCaller, type KnownKey } from "./known-key.ts";
import type { Ledger, Wanted } from "./ledger.ts";
import type { PatientQueue } from "./patient-queue.ts";

/**
 * Accounts opened in one transaction, which takes a millisecond or two; the rest follow in the next turns.
 */
const GROUP = 32;
const WAITING_MAX = 16_384;
/** Per turn, opened as they come. Their answers leave in the request's own turn, which pipelining needs. */
const AT_ONCE_MAX = 2;

type Done = (outcome: KnownKey | Error) => void;

/** All calls of one key that wait for the same opening. */
interface Opening extends Wanted {
  readonly done: Done[];
}

export interface OpeningsOptions {
  readonly ledger: Ledger;
  /**
   * Two queues: one waits for the state file's lock, the other for a single record's. Neither holds up the
   * other.
   */
  readonly fileWaits: PatientQueue;
  readonly meterWaits: PatientQueue;
}

/**
 * Opens the allowances of accounts that have not called yet on this day. Those of one turn of the event loop
 * share a transaction, so that a new day, or a thousand new accounts, cost each a share of a commit. The
 * first of a turn do not wait for the others.
 */
export class Openings {
  readonly #options: OpeningsOptions;
  readonly #pending = new Map<KnownKey, Opening>();
  #waiting = 0;
  #openedAtOnce = 0;

  constructor(options: OpeningsOptions) {
    this.#options = options;
  }

  /**
   * Calls `done` at once, at the end of this turn or in a later one; calls of one key in the order they came.
   */
  open({ caller, nowMs }: Wanted, done: Done): void {
    // Throws here if the caller is not one we made, so that it fails alone.
    const known = KnownCaller.keyOf(caller);
    if (this.#waiting >= WAITING_MAX) {
      done(new AccountsUnavailable("too many requests wait for the state file"));
      return;
    }
    this.#waiting += 1;
    const joined = this.#pending.get(known);
    if (joined !== undefined) {
      joined.done.push(done);
      return;
    }
    this.#pending.set(known, { caller, nowMs, done: [done] });
    if (this.#pending.size > 1) return; // its turn is scheduled already
    if (this.#openedAtOnce === AT_ONCE_MAX) {
      setImmediate(() => this.#turn());
      return;
    }
    if (this.#openedAtOnce === 0) setImmediate(this.#nextTurn);
    this.#openedAtOnce += 1;
    this.#openGroup();
  }

  readonly #nextTurn = (): void => {
    this.#openedAtOnce = 0;
  };

  /** Begins everything that waits, for work that must come after it. */
  flush(): void {
    while (this.#pending.size > 0) this.#openGroup();
  }

  /** Resolves once nothing waits any more. */
  async settled(): Promise<void> {
    this.flush();
    await this.#options.fileWaits.settled();
    await this.#options.meterWaits.settled();
  }

  #turn(): void {
    this.#openGroup();
    if (this.#pending.size > 0) setImmediate(() => this.#turn());
  }

  #openGroup(): void {
    const group: Opening[] = [];
    for (const [known, opening] of this.#pending) {
      if (group.length === GROUP) break;
      group.push(opening);
      this.#pending.delete(known);
    }
    if (group.length === 0) return; // a flush began it meanwhile
    const { ledger, fileWaits } = this.#options;
    fileWaits.start(
      () => ledger.openAll(group),
      (outcomes) => {
        for (const [index, opening] of group.entries()) {
          const outcome = outcomes instanceof Error ? outcomes : outcomes[index]!; // one for each
          if (outcome instanceof MeterBusy) this.#openAlone(opening);
          else this.#end(opening, outcome);
        }
      },
    );
  }

  #openAlone(opening: Opening): void {
    const { ledger, meterWaits } = this.#options;
    meterWaits.start(
      () => ledger.open(opening.caller, opening.nowMs),
      (outcome) => this.#end(opening, outcome),
    );
  }

  #end({ done }: Opening, outcome: KnownKey | Error): void {
    this.#waiting -= done.length;
    for (const each of done) each(outcome);
  }
}
