/** Limits for when many questions of one kind must not hold up others. */
interface QueueLimits {
  /** With this many groups under way, the next waits for one of them. */
  readonly underWayMax: number;
  /**
   * The least time between two groups, unless the second is full. In a flood, turns are short and bring a few
   * questions each, while a script, its answer and waking for it cost both sides more than the questions do.
   */
  readonly apartMs: number;
  /**
   * A question that waited longer than this for others, counted from the end of its turn, is refused instead
   * of asked.
   */
  readonly waitMaxMs: number;
  readonly refusal: () => Error;
  readonly monotonicMs: () => number;
}

/**
 * Asks the questions of one turn of the event loop together, at its end: however many requests arrive in a
 * turn, Redis is sent one script.
 */
export class TurnBatch<Question, Answer> {
  readonly #ask: (questions: readonly Question[]) => Promise<readonly Answer[]>;
  readonly #groupMax: number;
  readonly #limits: QueueLimits | undefined;
  #waiting: Waiting<Question, Answer>[] = [];
  #scheduled = false;
  #underWay = 0;
  #askedMs = Number.NEGATIVE_INFINITY;
  #waitsForTime = false;

  /** `ask` gets at most `groupMax` questions at a time and answers in their order. */
  constructor(
    groupMax: number,
    ask: (questions: readonly Question[]) => Promise<readonly Answer[]>,
    limits?: QueueLimits,
  ) {
    this.#groupMax = groupMax;
    this.#ask = ask;
    this.#limits = limits;
  }

  add(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ question, resolve, reject, sinceMs: undefined });
      if (this.#scheduled) return;
      this.#scheduled = true;
      setImmediate(() => {
        this.#scheduled = false;
        this.#noteWaiting();
        this.#flush();
      });
    });
  }

  /** From now on, this turn's questions wait for others and not for their own turn to end. */
  #noteWaiting(): void {
    if (this.#limits === undefined) return;
    const nowMs = this.#limits.monotonicMs();
    for (let index = this.#waiting.length - 1; index >= 0; index--) {
      const each = this.#waiting[index]!; // index is below the length
      if (each.sinceMs !== undefined) return;
      each.sinceMs = nowMs;
    }
  }

  #flush(): void {
    const underWayMax = this.#limits?.underWayMax ?? Number.POSITIVE_INFINITY;
    while (this.#waiting.length > 0 && this.#underWay < underWayMax) {
      if (this.#waitsForMore()) return;
      const group = this.#waiting.splice(0, this.#groupMax).filter((each) => this.#inTime(each));
      if (group.length > 0) void this.#answer(group);
    }
  }

  /** Whether it is too soon for a group that is not full; if so, looks again later. */
  #waitsForMore(): boolean {
    if (this.#limits === undefined) return false;
    const { apartMs, monotonicMs } = this.#limits;
    const nowMs = monotonicMs();
    const leftMs = this.#askedMs + apartMs - nowMs;
    if (this.#waiting.length >= this.#groupMax || leftMs <= 0) {
      this.#askedMs = nowMs;
      return false;
    }
    if (this.#waitsForTime) return true;
    this.#waitsForTime = true;
    setTimeout(() => {
      this.#waitsForTime = false;
      this.#flush();
    }, leftMs);
    return true;
  }

  #inTime({ sinceMs, reject }: Waiting<Question, Answer>): boolean {
    const limits = this.#limits;
    if (limits === undefined || sinceMs === undefined) return true;
    if (limits.monotonicMs() - sinceMs <= limits.waitMaxMs) return true;
    reject(limits.refusal());
    return false;
  }

  async #answer(group: readonly Waiting<Question, Answer>[]): Promise<void> {
    this.#underWay += 1;
    try {
      const answers = await this.#ask(group.map(({ question }) => question));
      for (const [index, { resolve }] of group.entries()) resolve(answers[index]!); // one answer per question
    } catch (error) {
      for (const { reject } of group) reject(error);
    }
    this.#underWay -= 1;
    this.#flush();
  }
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
  /** Undefined until the question's turn ends. */
  sinceMs: number | undefined;
}
