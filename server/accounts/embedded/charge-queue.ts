import type { ChargeRequest } from "../accounts.ts";
import type { Ledger, Outcome } from "./ledger.ts";
import { sqliteCode, storeFailure, type Connection } from "./state-file.ts";

/**
 * Charges on their way into the file. On a busy server all of one event-loop turn are decided in one
 * write transaction at its end, and answered only after it is committed. On a quiet one each is
 * committed as it comes: its answer leaves within the request's own turn, which is what a client
 * that pipelines its requests needs (the socket library takes no second request of a connection
 * while an answer is owed).
 *
 * The lock of another process is waited for without holding up the event loop: the group tries again
 * in the next turns, and charges that arrive meanwhile join it.
 */
const GROUP_MAX = 4_096;
/** A turn with more charges than this is a busy one, and charges of the next wait for its end. */
const QUIET_MAX = 2;
/** Charges of one turn that may be committed one by one. */
const AT_ONCE_MAX = 128;
/** Attempts that follow at once; later ones wait a millisecond each. */
const EAGER_ATTEMPTS = 20;
const RETRY_MS = 1;

export interface ChargeQueueOptions {
  /** A connection that does not wait for locks by itself. */
  readonly db: Connection;
  readonly ledger: Ledger;
  readonly monotonicMs: () => number;
  /** How long a group waits for another process's lock before its charges fail. */
  readonly lockWaitMs: number;
}

export class ChargeQueue {
  readonly #options: ChargeQueueOptions;
  #pending: ChargeRequest[] = [];
  #scheduled = false;
  #thisTurn = 0;
  #lastTurn = 0;
  #waitingSinceMs: number | undefined;
  #attempts = 0;

  constructor(options: ChargeQueueOptions) {
    this.#options = options;
  }

  add(request: ChargeRequest): void {
    if (!Number.isSafeInteger(request.units) || request.units < 1) {
      throw new RangeError(`a charge is a positive whole number of units, got ${request.units}`);
    }
    this.#pending.push(request);
    this.#countTurn();
    if (this.#scheduled) {
      if (this.#pending.length >= GROUP_MAX) this.#flush();
    } else if (this.#lastTurn <= QUIET_MAX && this.#thisTurn <= AT_ONCE_MAX) {
      this.#flush();
    } else {
      this.#scheduled = true;
      setImmediate(() => this.#run());
    }
  }

  /** Charges of this turn and the last, which say how busy the server is. */
  #countTurn(): void {
    if (this.#thisTurn++ === 0 && this.#lastTurn === 0) setImmediate(this.#nextTurn);
  }

  readonly #nextTurn = (): void => {
    this.#lastTurn = this.#thisTurn;
    this.#thisTurn = 0;
    if (this.#lastTurn > 0) setImmediate(this.#nextTurn); // until a turn without a charge
  };

  /** Resolves when nothing is pending any more. */
  async settled(): Promise<void> {
    while (this.#pending.length > 0) await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }

  #run(): void {
    this.#scheduled = false;
    this.#flush();
  }

  #flush(): void {
    // A client that has gone, or whose connection was closed, gets no answer and pays for none.
    this.#pending = this.#pending.filter((request) => request.wanted !== false);
    if (this.#pending.length === 0) return;
    const { db, ledger } = this.#options;
    try {
      // Not a prepared statement: one that finds the lock taken stays open and blocks the next COMMIT.
      db.exec("BEGIN IMMEDIATE");
    } catch (error) {
      this.#waitOrFail(error);
      return;
    }
    const group = this.#takePending();
    let outcomes: readonly Outcome<ChargeRequest>[];
    try {
      outcomes = ledger.charge(group);
      db.exec("COMMIT");
    } catch (error) {
      this.#rollBack();
      settle(failed(group, error));
      return;
    }
    settle(outcomes);
  }

  /** Tries again soon while another process holds the lock, for a limited time and number of charges. */
  #waitOrFail(error: unknown): void {
    const nowMs = this.#options.monotonicMs();
    this.#waitingSinceMs ??= nowMs;
    const mayWait =
      sqliteCode(error) === "SQLITE_BUSY" &&
      nowMs - this.#waitingSinceMs < this.#options.lockWaitMs &&
      this.#pending.length < GROUP_MAX;
    if (!mayWait) {
      settle(failed(this.#takePending(), error));
      return;
    }
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#attempts += 1;
    if (this.#attempts <= EAGER_ATTEMPTS) setImmediate(() => this.#run());
    else setTimeout(() => this.#run(), RETRY_MS);
  }

  #takePending(): readonly ChargeRequest[] {
    const group = this.#pending;
    this.#pending = [];
    this.#waitingSinceMs = undefined;
    this.#attempts = 0;
    return group;
  }

  #rollBack(): void {
    try {
      if (this.#options.db.inTransaction) this.#options.db.exec("ROLLBACK");
    } catch {
      // SQLite rolls back by itself where it cannot go on; where it did not, the next BEGIN fails and says so.
    }
  }
}

function failed(
  group: readonly ChargeRequest[],
  error: unknown,
): readonly Outcome<ChargeRequest>[] {
  const failure = storeFailure(error);
  return group.map((request) => [request, failure]);
}

/** Tells every request its outcome, also when one of them throws on hearing it. */
function settle(outcomes: readonly Outcome<ChargeRequest>[]): void {
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
