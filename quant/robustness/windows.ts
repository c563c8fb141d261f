import { civilOfDay, dayOfCivil } from "../calendar.ts";
import { HISTORY_DAYS_MIN, SPLITS } from "./definition.ts";

/** Rows of a run, counted from its first day: in-sample before `split`, out-of-sample from there to `end`. */
export interface TestWindow {
  readonly name: string;
  readonly split: number;
  readonly end: number;
}

/** The days of a coin's runs. */
export interface RunDays {
  /** First day of the runs, after the warm-up. */
  readonly firstDay: number;
  readonly days: number;
}

/** The run split once, at each of several shares of its days, rounded down. */
export function splitWindows({ days }: RunDays): TestWindow[] {
  return SPLITS.map((percent) => ({
    name: `split_${percent}`,
    split: Math.floor((days * percent) / 100),
    end: days,
  }));
}

/** Every whole calendar year that has enough days of the run before it. */
export function yearWindows(run: RunDays): TestWindow[] {
  return periodWindows(run, 12).map((year) => ({ ...year, name: `year_${year.name}` }));
}

/** Every whole quarter of a year that has enough days of the run before it: neighbours, oldest first. */
export function quarterWindows(run: RunDays): TestWindow[] {
  return periodWindows(run, 3);
}

/** Periods of whole months within the run; each begins in a month whose number they divide. */
function periodWindows({ firstDay, days }: RunDays, months: number): TestWindow[] {
  const windows: TestWindow[] = [];
  let { year } = civilOfDay(firstDay);
  let month = 1;
  for (;;) {
    const [split, name] = [dayOfCivil({ year, month, dayOfMonth: 1 }) - firstDay, String(year)];
    month += months;
    if (month > 12) [year, month] = [year + 1, 1];
    const end = dayOfCivil({ year, month, dayOfMonth: 1 }) - firstDay;
    if (end > days) return windows;
    if (split >= HISTORY_DAYS_MIN) windows.push({ name, split, end });
  }
}
