import { setImmediate } from "node:timers/promises";

/** The report of a finished step of a run. */
export interface StepReport {
  readonly name: string;
  readonly seconds: number;
  /** Counts worth showing, by name: `{"coins": 50, "rows": 94900}`. */
  readonly facts: Readonly<Record<string, number | string | boolean>>;
}

/** Who watches a run: a person at a terminal, a log, or a test. */
export interface Progress {
  begin(step: string): void;
  advance(done: number, total: number): void;
  end(report: StepReport): void;
  /** Something that a person should know but that does not stop the run. */
  notice(text: string): void;
}

/** The only two clocks of a run. */
export interface Clock {
  /** Milliseconds since 1970. */
  nowMs(): number;
  /** Milliseconds since some instant; never runs backwards. */
  elapsedMs(): number;
}

type Facts = StepReport["facts"];

/** Runs the steps of a run one after the other, times them and reports them. */
export class Steps {
  readonly #progress: Progress;
  readonly #clock: Clock;

  constructor(progress: Progress, clock: Clock) {
    this.#progress = progress;
    this.#clock = clock;
  }

  async run<T>(
    name: string,
    work: (
      step: (done: number, total: number) => Promise<void>,
    ) => Promise<{ value: T; facts: Facts }>,
  ): Promise<T> {
    const started = this.#clock.elapsedMs();
    this.#progress.begin(name);
    const { value, facts } = await work(async (done, total) => {
      this.#progress.advance(done, total);
      await setImmediate(); // lets signals be handled
    });
    const seconds = (this.#clock.elapsedMs() - started) / 1000;
    this.#progress.end({ name, seconds, facts });
    return value;
  }
}
