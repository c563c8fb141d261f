import { isWeekend, medianSpacing, periodsPerYear, tradesAtWeekends } from "./bar-frequency.ts";
import { dailyRows } from "./daily-rows.ts";
import { allColumns, distinctColumns } from "./distinct-columns.ts";
import { DAY_SECONDS, dayOf, instantText, orderedRows, pickRows } from "./ordered-rows.ts";
import { PanelRefused, type CheckWarning, type Observations, type Panel } from "./panel.ts";
import { returnsOf } from "./returns-of.ts";

/** Bars that a check needs for its figures to mean anything. */
export const BARS_MIN = 10;
const FILLED_WARNED = 0.05;
const FILLED_MAX = 0.2;

interface PanelOptions {
  readonly periodsPerYear?: number | undefined;
  /** A live record may have begun yesterday, and not moved yet. */
  readonly isLive?: boolean;
}

/**
 * A panel of returns from the rows of a file, one row a bar. Bars finer than a day are compounded to UTC days.
 *
 * Daily returns that are missing are 0, and an empty cell of an equity curve repeats the value before it. Where whole
 * rows are missing from an equity curve, the step over the gap is one bar, so that nothing is invented. Markets that
 * close at weekends have no bars to miss there, and their holidays aren't counted.
 */
export function buildPanel(observations: Observations, options: PanelOptions = {}): Panel {
  const warnings: CheckWarning[] = [];
  const { isLive = false } = options;
  const ordered = withMarketColumn(withoutEmptyRows(orderedRows(observations, warnings)));
  const { events = false } = ordered;
  const barsMin = isLive ? 1 : BARS_MIN;
  // Events are carried forward to every day, and the days are counted below.
  const rowsMin = events ? 1 : barsMin;
  const barSeconds = medianSpacing(ordered.instants); // NaN for a single row
  const daily = !(barSeconds >= 1.5 * DAY_SECONDS) || events;
  const unit = daily ? "days" : "bars";
  const tooShort = (bars: number) => new PanelRefused(tooShortWords(bars, unit, barsMin));
  if (ordered.instants.length < rowsMin)
    throw tooShort(daily ? daysIn(ordered.instants) : ordered.instants.length);
  if (!daily) checkEven(ordered.instants, barSeconds);
  const days = daily ? dailyRows(ordered) : { rows: ordered, filled: 0 };
  const { kind, instants: dates } = days.rows;
  if (barSeconds < DAY_SECONDS && !events) warnings.push(compoundedWarning(barSeconds));
  if (days.filled > 0) warnings.push(carriedWarning(days.filled));
  const spacing = daily ? DAY_SECONDS : barSeconds;
  const weekends = tradesAtWeekends(dates);
  const gaps = missingBars(days.rows, spacing, weekends);
  const empty = emptyCells(days.rows);
  const known = { instants: dates, columns: returnsOf(days.rows, warnings) };
  const zeros = kind === "returns" && gaps.count > 0 && daily && weekends;
  const returns = zeros ? withMissingDays(known) : known;
  const instants = kind === "equity" ? returns.instants.subarray(1) : returns.instants;
  if (instants.length < barsMin) throw tooShort(instants.length);
  warnOfGaps({ ...gaps, filledCells: empty.all, bars: instants.length, zeros }, warnings);
  const { names } = observations;
  const variants = returns.columns.slice(0, names.length);
  const { dropped, duplicates, ...distinct } = isLive
    ? allColumns(names, variants)
    : distinctColumns(names, variants);
  const share = kind === "equity" && daily ? gaps.count / (instants.length + gaps.count) : 0;
  const year = yearOf(periodsPerYear(spacing, weekends), share);
  return {
    ...distinct,
    instants,
    market: returns.columns[names.length],
    barSeconds: events ? DAY_SECONDS : barSeconds,
    periodsPerYear: options.periodsPerYear ?? year.periods,
    periodsReason: options.periodsPerYear === undefined ? year.reason : "given",
    filledBars: days.filled + empty.most + (zeros ? gaps.count : 0),
    droppedVariants: dropped,
    duplicateVariants: duplicates,
    warnings,
  };
}

/** Days that an equity lacks aren't bars of its year, as where a week of five days became one of seven. */
function yearOf(year: ReturnType<typeof periodsPerYear>, missing: number): typeof year {
  if (missing <= FILLED_WARNED) return year;
  const days = Math.round(100 * missing);
  return {
    periods: year.periods * (1 - missing),
    reason: `${year.reason}, less the ${days} % that are missing`,
  };
}

/** Adds the market as the last column, so that it is treated like the variants. */
function withMarketColumn(rows: Observations): Observations {
  if (rows.market === undefined) return rows;
  const { market, ...others } = rows;
  return { ...others, columns: [...rows.columns, market], names: [...rows.names, "the market"] };
}

export function tooShortWords(bars: number, unit: "days" | "bars" = "days", least = BARS_MIN) {
  return `a check needs at least ${least} ${unit}, the file has ${bars}`;
}

/** How many days have a row. */
export function daysIn(instants: Float64Array): number {
  return new Set(instants.map(dayOf)).size;
}

/** Leaves out rows without any value, such as the first row of pandas' `pct_change`. */
function withoutEmptyRows(rows: Observations): Observations {
  const kept = [...rows.instants.keys()].filter((row) =>
    rows.columns.some((column) => !Number.isNaN(column[row])),
  );
  return kept.length === rows.instants.length ? rows : pickRows(rows, kept);
}

function compoundedWarning(barSeconds: number): CheckWarning {
  const bars =
    barSeconds < 3600
      ? `${Number((barSeconds / 60).toFixed(2))} min`
      : `${Number((barSeconds / 3600).toFixed(2))} h`;
  const message = `bars of ${bars} were compounded to UTC days`;
  return { code: "compounded_to_days", message };
}

function carriedWarning(days: number): CheckWarning {
  const message = `${days} days without an entry keep the last value of the day before`;
  return { code: "carried_forward", message };
}

/** Share of the usual step by which another may miss a multiple of it: months differ by a tenth. */
const UNEVEN = 0.25;
const UNEVEN_MAX = 0.2;

/** Refuses rows that aren't bars, such as the returns of single trades on the days of their exit. */
function checkEven(instants: Float64Array, spacing: number): void {
  const steps = Array.from(instants.subarray(1), (instant, row) => instant - instants[row]!);
  const uneven = steps.filter((step) => {
    const bars = Math.round(step / spacing);
    return bars === 0 || Math.abs(step / spacing - bars) > UNEVEN;
  });
  if (uneven.length <= UNEVEN_MAX * steps.length) return;
  const days = (seconds: number) => Number((seconds / DAY_SECONDS).toFixed(1));
  const [least, most] = [Math.min(...steps), Math.max(...steps)];
  throw new PanelRefused(
    `the rows aren't bars of one length: from ${days(least)} to ${days(most)} days lie between them. If they are the ` +
      "returns of single trades, send the daily equity or returns of the account",
  );
}

/**
 * The number of empty cells of all variants, and of the variant with most. Cells before a variant's first value aren't
 * a gap, since it had not begun. A variant with too many others is refused.
 */
function emptyCells({ columns, names }: Observations): { all: number; most: number } {
  let [all, most] = [0, 0];
  for (const [index, column] of columns.entries()) {
    const first = column.findIndex((value) => !Number.isNaN(value));
    if (first < 0) continue; // it never moves
    const later = column.subarray(first).filter(Number.isNaN).length;
    if (later > FILLED_MAX * column.length) {
      throw new PanelRefused(
        `${later} of ${column.length} cells of "${names[index]!}" are empty after its first value, more than 20 %`,
      );
    }
    [all, most] = [all + first + later, Math.max(most, first + later)];
  }
  return { all, most };
}

/** The number of missing bars, and the longest gap with the instant before it. */
function missingBars({ instants }: Observations, spacing: number, weekends: boolean) {
  const gaps = { count: 0, longestAfter: NaN, longest: 0 };
  if (spacing > 7 * DAY_SECONDS) return gaps; // months have different lengths
  for (let row = 1; row < instants.length; row++) {
    const before = instants[row - 1]!;
    const steps = Math.round((instants[row]! - before) / spacing);
    const missing = weekends || spacing > DAY_SECONDS ? steps - 1 : weekdaysIn(before, steps);
    if (!(missing > 0)) continue;
    gaps.count += missing;
    if (missing <= gaps.longest) continue;
    gaps.longest = missing;
    gaps.longestAfter = before;
  }
  return gaps;
}

/** Weekdays strictly inside a step of that many days; a single one is a holiday. */
function weekdaysIn(before: number, steps: number): number {
  const inside = Array.from({ length: steps - 1 }, (_, step) => before / DAY_SECONDS + step + 1);
  const count = inside.filter((day) => !isWeekend(day)).length;
  return count > 1 ? count : 0;
}

/** Daily returns with a 0 on each day that is missing. */
function withMissingDays(panel: { instants: Float64Array; columns: readonly Float64Array[] }) {
  const first = panel.instants[0]!;
  const days = Math.round((panel.instants.at(-1)! - first) / DAY_SECONDS) + 1;
  const places = panel.instants.map((instant) => Math.round((instant - first) / DAY_SECONDS));
  return {
    instants: Float64Array.from({ length: days }, (_, day) => first + day * DAY_SECONDS),
    columns: panel.columns.map((column) => {
      const out = new Float64Array(days);
      for (let row = 0; row < places.length; row++) out[places[row]!] = column[row]!;
      return out;
    }),
  };
}

function warnOfGaps(
  missing: ReturnType<typeof missingBars> & { filledCells: number; bars: number; zeros: boolean },
  warnings: CheckWarning[],
): void {
  const { count, longest, longestAfter, filledCells, zeros } = missing;
  const bars = zeros ? missing.bars : missing.bars + count;
  const share = count / bars;
  if (share > FILLED_MAX) {
    throw new PanelRefused(
      `${count} of ${bars} bars are missing, more than 20 %; the longest gap, of ` +
        `${longest} bars, begins after ${instantText(longestAfter)}. If these are days of a market that closes at ` +
        "weekends, write the market's own dates, not their midnights in UTC",
    );
  }
  if (count > 0) {
    const much = share > FILLED_WARNED ? ", more than 5 %" : "";
    const done = zeros ? "their returns count as 0" : "the step over a gap counts as one bar";
    const message =
      `${count} bars are missing${much} (the longest gap, of ${longest}, begins after ` +
      `${instantText(longestAfter)}); ${done}`;
    warnings.push({ code: "missing_bars", message });
  }
  if (filledCells > 0) {
    const message = `${filledCells} empty cells were filled: an equity keeps its value, a return is 0`;
    warnings.push({ code: "filled_cells", message });
  }
}
