import { DomainError } from "../http/errors.ts";
import { nextTurn, restAWhile } from "./between-pieces.ts";
import type { KeptAnswer } from "./kept-answer.ts";

/**
 * How many answers an account may wait for, if each takes long. The last of so many comes after a minute where a board of
 * 5,000 coins takes a second.
 */
const WAITING_OF_ACCOUNT_MAX = 60;

/** Who asks for an answer: an `Exchange`. */
export interface Asker {
  /** False once the client has gone. */
  readonly open: boolean;
  readonly request: { readonly accountId: string };
}

/** Makes an answer. Waits for `turn` between two pieces, which fails if nobody waits for the answer any more. */
type MakeAnswer = (turn: () => Promise<unknown>) => Promise<KeptAnswer>;

/** An answer that is being made or waits to be. */
interface Making {
  readonly answer: Promise<KeptAnswer>;
  readonly begin: () => void;
  /** To have it ready, whether or not anybody waits. */
  isPrepared: boolean;
  readonly askers: Asker[];
  /** The account in whose turn it is made; "" for what is prepared. */
  accountId: string;
  turn: number;
}

/**
 * Answers that are made in pieces, each once however many wait for it, and one after the other: two side by side would
 * take a piece each from every turn of the event loop. What nobody waits for any more is dropped, even if half made.
 *
 * Fair turns, as of backtests (`EmbeddedJobs`): an answer's turn is one after that of the last that its account waits for,
 * and never before the turn being served. So accounts alternate, however many answers one of them wants.
 */
export class LongAnswers {
  /** By entity tag, in the order they were asked for. */
  readonly #makings = new Map<string, Making>();
  /** The turn being served. */
  #turn = 0;
  #isWorking = false;

  /**
   * The answer with an entity tag, if it is being made or waits to be. The asker waits for it from now on; without one, it
   * is made in any case.
   */
  find(etag: string, asker: Asker | undefined): Promise<KeptAnswer> | undefined {
    const making = this.#makings.get(etag);
    if (making === undefined) return undefined;
    if (asker === undefined) making.isPrepared = true;
    else this.#join(making, asker);
    return making.answer;
  }

  /**
   * Makes an answer that `find` does not find; without an asker, to have it ready. Throws `DomainError` if the account
   * waits for `waitingMax`.
   */
  make(
    etag: string,
    asker: Asker | undefined,
    make: MakeAnswer,
    waitingMax = WAITING_OF_ACCOUNT_MAX,
  ): Promise<KeptAnswer> {
    const accountId = asker?.request.accountId ?? "";
    const waiting = this.#waitingOf(accountId).length;
    if (waiting >= waitingMax) {
      const message = `the account waits for ${waiting} answers that take long to make; retry shortly`;
      throw new DomainError("unavailable", message);
    }
    let begin!: () => void; // set before the constructor returns
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const making: Making = {
      answer: begun.then(() => {
        insistOn(making);
        return make(() => this.#pause(making));
      }),
      begin,
      isPrepared: asker === undefined,
      askers: asker === undefined ? [] : [asker],
      accountId,
      turn: this.#turnAfterLastOf(accountId),
    };
    this.#makings.set(etag, making);
    if (!this.#isWorking) void this.#work();
    return making.answer;
  }

  /** The earlier turn counts: nobody waits longer because somebody else wants the same. */
  #join(making: Making, asker: Asker): void {
    const { accountId } = asker.request;
    const turn = this.#turnAfterLastOf(accountId);
    if (turn < making.turn || !isWanted(making)) Object.assign(making, { accountId, turn });
    making.askers.push(asker);
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    for (let next = this.#next(); next !== undefined; next = this.#next()) {
      const [etag, making] = next;
      this.#turn = making.turn;
      making.begin();
      await making.answer.catch(() => {}); // whoever asked hears of it
      this.#makings.delete(etag);
    }
    this.#isWorking = false;
  }

  /** The first turn; equal turns go by age. */
  #next(): readonly [string, Making] | undefined {
    let first: readonly [string, Making] | undefined;
    for (const each of this.#makings) {
      if (first === undefined || each[1].turn < first[1].turn) first = each;
    }
    return first;
  }

  #turnAfterLastOf(accountId: string): number {
    return 1 + Math.max(this.#turn, ...this.#waitingOf(accountId).map(({ turn }) => turn));
  }

  #waitingOf(accountId: string): readonly Making[] {
    const makings = [...this.#makings.values()];
    return makings.filter((each) => each.accountId === accountId && isWanted(each));
  }

  /** Lets the event loop turn once, or rest if no request waits. */
  #pause(making: Making): Promise<unknown> {
    insistOn(making);
    const hasAskers = [...this.#makings.values()].some(({ askers }) => askers.some(isThere));
    return hasAskers ? nextTurn() : restAWhile();
  }
}

function isThere({ open }: Asker): boolean {
  return open;
}

function isWanted({ isPrepared, askers }: Making): boolean {
  return isPrepared || askers.some(isThere);
}

function insistOn(making: Making): void {
  if (!isWanted(making)) throw new DomainError("unavailable", "everybody who asked has gone");
}
