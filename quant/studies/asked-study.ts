import { rowOfDay, type Bars } from "../bars.ts";
import { dateOfDay } from "../calendar.ts";
import { findTemplate, WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { parameterGrid, type AskedValues } from "./parameter-grid.ts";
import { runStudy, STUDY_CELLS_MAX, STUDY_DAYS_MIN, type StudyJob } from "./run-study.ts";
import { foldsOf, type Folds } from "./walk-forward.ts";

/** The request of a study, with defaults filled in. */
export interface AskedStudy {
  readonly strategy: string;
  readonly coin: string;
  /** Days since 1970-01-01. */
  readonly startDay: number;
  readonly parameters: AskedValues;
  readonly endDay: number;
  readonly feeRate: number;
  readonly slippageRate: number;
  readonly folds?: Folds | undefined;
  readonly nTrials?: number | undefined;
}

/** The row on which every legal set has its values. */
const START_ROW = WARM_UP_DAYS + 1;

/** The days of a study within a coin's history, with defaults filled in. Throws RangeError for the caller. */
export function studyDays({ day }: Bars, start: number | undefined, end: number | undefined) {
  const [first, last] = [day[0]!, day.at(-1)!]; // a coin has a day
  const endDay = end ?? last;
  const startDay = start ?? Math.min(first + START_ROW, endDay);
  if (startDay >= first && endDay >= startDay && endDay <= last) return { startDay, endDay };
  throw new RangeError(
    `the days must be within the history, ${dateOfDay(first)} to ${dateOfDay(last)}, in order`,
  );
}

/** Throws RangeError for the caller where a study has too few days, or too many sets times days. */
export function assertStudySize({ startDay, endDay, folds }: AskedStudy, sets: number): void {
  const days = endDay - startDay + 1;
  if (days < STUDY_DAYS_MIN) {
    throw new RangeError(`a study needs at least ${STUDY_DAYS_MIN} days, got ${days}`);
  }
  if (sets * days > STUDY_CELLS_MAX) {
    throw new RangeError(
      `sets times days must be at most ${STUDY_CELLS_MAX}, got ${sets} sets of ${days} days`,
    );
  }
  if (folds !== undefined) foldsOf(folds, days);
}

/** Runs a study on a coin's bars. The same request on the same bars always has the same result. */
export function runAskedStudy(
  asked: AskedStudy,
  bars: Bars,
  more: Pick<StudyJob, "known" | "peers" | "resamples" | "onProgress">,
) {
  const { coin, feeRate, slippageRate, folds, nTrials } = asked;
  const template = findTemplate(asked.strategy);
  if (template === undefined) throw new RangeError(`no template "${asked.strategy}"`);
  const grid = parameterGrid(template, asked.parameters);
  const window = { from: rowOfDay(bars, asked.startDay), to: rowOfDay(bars, asked.endDay) + 1 };
  const study = runStudy({
    bars,
    coin,
    window,
    costs: { feeRate, slippageRate },
    grid,
    folds: folds === undefined ? [] : foldsOf(folds, window.to - window.from),
    nTrials,
    ...more,
  });
  return { coin, grid, feeRate, slippageRate, study };
}
