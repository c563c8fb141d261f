import { DomainError } from "../http/errors.ts";
import { nextTurn, restAWhile } from "./between-pieces.ts";
import type { KeptAnswer } from "./kept-answer.ts";

/** Each waits for those before it. As many as the largest plan's account may ask for in a minute. */
const MAKING_MAX = 600;

/** Makes an answer, with a turn of the event loop between two pieces. */
type MakeAnswer = (turn: () => Promise<unknown>) => Promise<KeptAnswer>;

/**
 * Answers that are being made in pieces, each once however many wait for it, and one after the other: two
 * side by side would take a piece each from every turn of the event loop.
 */
export class LongAnswers {
  readonly #making = new Map<string, Promise<KeptAnswer>>();
  #last: Promise<unknown> = Promise.resolve();
  /** Whether a request waits for any of them. */
  #isWanted = false;
  readonly #turn = () => (this.#isWanted ? nextTurn() : restAWhile());

  /** The answer with an entity tag, if it is being made. `isWanted` says that a request is going to wait. */
  find(etag: string, isWanted: boolean): Promise<KeptAnswer> | undefined {
    const making = this.#making.get(etag);
    if (making !== undefined) this.#isWanted ||= isWanted;
    return making;
  }

  /** Makes an answer that is not being made yet. Throws `DomainError` if too many are. */
  make(etag: string, isWanted: boolean, make: MakeAnswer): Promise<KeptAnswer> {
    if (this.#making.size >= MAKING_MAX) {
      const message = `${MAKING_MAX} long answers are being made; retry shortly`;
      throw new DomainError("unavailable", message);
    }
    this.#isWanted ||= isWanted;
    const making = this.#last
      .then(() => make(this.#turn))
      .finally(() => {
        this.#making.delete(etag);
        if (this.#making.size === 0) this.#isWanted = false;
      });
    this.#making.set(etag, making);
    this.#last = making.catch(() => {}); // whoever asked hears of it
    return making;
  }
}
