/** What a finished step of a run has to say. */
export interface StepReport {
  readonly name: string;
  readonly seconds: number;
  /** Counts worth a look, by name: `{"coins": 50, "rows": 94900}`. */
  readonly facts: Readonly<Record<string, number | string | boolean>>;
}

/** Who watches a run: a person at a terminal, a log, or a test. */
export interface Progress {
  begin(step: string): void;
  advance(done: number, total: number): void;
  end(report: StepReport): void;
  /** Something a person should know that stops nothing. */
  notice(text: string): void;
}
