import { setImmediate } from "node:timers/promises";

/** The report of a finished step of a run. */
export interface StepReport {
  readonly name: string;
  readonly seconds: number;
  /** Counts worth showing, by name: `{"coins": 50, "rows": 94900}`. */
  readonly facts: Readonly<Record<string, number | string | boolean>>;
}

/** Receives the progress of a run, for a person at a terminal, a log, or a test. */
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

/** The work of one step, with a way to report how far it is. */
type Work<T> = (
  step: (done: number, total: number) => Promise<void>,
) => Promise<{ value: T; facts: StepReport["facts"] }>;

export type RunStep = <T>(name: string, work: Work<T>) => Promise<T>;

/** Runs a step, times it and reports it. */
export function stepRunner(progress: Progress, clock: Clock): RunStep {
  return async (name, work) => {
    const started = clock.elapsedMs();
    progress.begin(name);
    const { value, facts } = await work(async (done, total) => {
      progress.advance(done, total);
      await setImmediate(); // lets signals be handled
    });
    progress.end({ name, seconds: (clock.elapsedMs() - started) / 1000, facts });
    return value;
  };
}
