/**
 * Questions of one turn of the event loop, asked together at its end: however many requests arrive in it,
 * Redis is sent one script.
 */
export class TurnBatch<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #groupMax: number;
  #waiting: Waiting<Question, Answer>[] = [];

  /** `ask` answers in the order of the questions, `groupMax` of them at most at a time. */
  constructor(
    groupMax: number,
    ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
  ) {
    this.#groupMax = groupMax;
    this.#ask = ask;
  }

  add(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#flush());
      this.#waiting.push({ question, resolve, reject });
    });
  }

  #flush(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < all.length; from += this.#groupMax) {
      void this.#answer(all.slice(from, from + this.#groupMax));
    }
  }

  async #answer(group: readonly Waiting<Question, Answer>[]): Promise<void> {
    try {
      const answers = await this.#ask(group.map(({ question }) => question));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index]!); // as many as asked
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
  }
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}
