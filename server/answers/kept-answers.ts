import { AnswerShelf, markOf } from "./answer-shelf.ts";
import type { AnswerParts, KeptAnswer } from "./kept-answer.ts";
import { RecentMarks } from "./recent-marks.ts";

/**
 * Answers by the queries that ask for them within a limit of memory, the longest unused forgotten first, roughly: when half
 * the limit is filled, what was not asked for since the last time is dropped. An answer found costs one look-up and no
 * bookkeeping.
 */
export class KeptAnswers {
  #recent = new AnswerShelf();
  #before = new AnswerShelf();
  readonly #missed = new RecentMarks();
  readonly #maxBytes: number;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  find(query: string): KeptAnswer | undefined {
    const mark = markOf(query);
    const recent = this.#recent.find(query, mark);
    if (recent !== undefined) return recent;
    const before = this.#before.find(query, mark);
    return before === undefined ? undefined : this.keep(query, before);
  }

  /** Whether a query that finds nothing was missed before, not thousands of others ago: then it is likely to come again. */
  isMissedAgain(query: string): boolean {
    return this.#missed.note(markOf(query));
  }

  /** The answer with an entity tag, which is found by this query too from then on. */
  findTagged(etag: string, query: string): KeptAnswer | undefined {
    const name = nameOfTag(etag);
    const found = this.#recent.find(name) ?? this.#before.find(name);
    return found === undefined ? undefined : this.keep(query, found);
  }

  /** Keeps an answer for a query that does not find one. */
  keep(query: string, parts: AnswerParts): KeptAnswer {
    if (this.#recent.bytes + parts.rest.length > this.#maxBytes / 2) {
      this.#before = this.#recent;
      this.#recent = new AnswerShelf();
    }
    const name = nameOfTag(parts.etag);
    const known = this.#recent.find(name);
    if (known === undefined) return this.#recent.add([name, query], parts);
    this.#recent.name(query, known);
    return known;
  }
}

/** No query begins with a blank. */
function nameOfTag(etag: string): string {
  return ` ${etag}`;
}
