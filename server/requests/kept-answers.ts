import { AnswerShelf, markOf } from "./answer-shelf.ts";
import type { AnswerParts, KeptAnswer } from "./kept-answer.ts";
import { RecentMarks } from "./recent-marks.ts";

/**
 * Answers by the queries that ask for them, within a memory limit. Roughly the least recently used are
 * dropped: once half the limit is filled, everything not asked for since the last time goes. Finding an
 * answer costs one look-up and no bookkeeping.
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

  /**
   * Notes that a query was not found. Returns whether it was missed before, within the last thousands of
   * others: then it is likely to come again.
   */
  isMissedAgain(query: string): boolean {
    return this.#missed.note(markOf(query));
  }

  /** The answer with an entity tag, or undefined. From then on `query` finds it too. */
  findTagged(etag: string, query: string): KeptAnswer | undefined {
    const name = nameOfTag(etag);
    const found = this.#recent.find(name) ?? this.#before.find(name);
    return found === undefined ? undefined : this.keep(query, found);
  }

  /** Keeps an answer for a query that found none. */
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

/** The leading blank keeps tags apart from queries, which never begin with one. */
function nameOfTag(etag: string): string {
  return ` ${etag}`;
}
