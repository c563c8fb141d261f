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
