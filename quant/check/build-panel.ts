import { isWeekend, medianSpacing, periodsPerYear, tradesAtWeekends } from "./bar-frequency.ts";
import { dailyRows } from "./daily-rows.ts";
import { allColumns, distinctColumns } from "./distinct-columns.ts";
import { DAY_SECONDS, instantText, orderedRows, pickRows } from "./ordered-rows.ts";
import { PanelRefused, type CheckWarning, type Observations, type Panel } from "./panel.ts";
import { returnsOf } from "./returns-of.ts";

/** With fewer bars no figure means anything. */
const BARS_MIN = 10;
const FILLED_WARNED = 0.05;
const FILLED_MAX = 0.2;

interface PanelOptions {
  readonly periodsPerYear?: number | undefined;
  /** A live record may have begun yesterday, and not moved yet. */
  readonly isLive?: boolean;
}

/**
 * Turns the rows of a file into a panel of returns, one row a bar. Bars finer than a day are compounded to UTC
 * days.
 *
 * Missing bars: daily returns that are missing are 0; an empty cell of an equity curve repeats the value
 * before it; a whole row that is missing from an equity curve makes the step over the gap one bar, so nothing
 * is invented. Markets that close at weekends have no bars to miss there, and their holidays aren't counted.
 */
export function buildPanel(observations: Observations, options: PanelOptions = {}): Panel {
  const warnings: CheckWarning[] = [];
  const ordered = withMarketColumn(withoutEmptyRows(orderedRows(observations, warnings).rows));
  const barsMin = options.isLive === true ? 1 : BARS_MIN;
  // Events are carried forward to every day, which are counted below.
  const rowsMin = ordered.events === true ? 1 : barsMin;
  if (ordered.instants.length < rowsMin) throw tooShort(ordered.instants.length, barsMin);
  const barSeconds = medianSpacing(ordered.instants); // of a single one NaN
  const daily = !(barSeconds >= 1.5 * DAY_SECONDS) || ordered.events === true;
  if (!daily) checkEven(ordered.instants, barSeconds);
  const days = daily ? dailyRows(ordered) : { rows: ordered, filled: 0 };
  if (barSeconds < DAY_SECONDS && ordered.events !== true)
    warnings.push(compoundedWarning(barSeconds));
  if (days.filled > 0) warnings.push(carriedWarning(days.filled));
  const spacing = daily ? DAY_SECONDS : barSeconds;
  const weekends = tradesAtWeekends(days.rows.instants);
  const gaps = missingBars(days.rows, spacing, weekends);
  const empty = emptyCells(days.rows);
  const columns = returnsOf(days.rows, warnings);
  const filled = { instants: days.rows.instants, columns };
  const returns =
    days.rows.kind === "returns" && gaps.count > 0 && daily && weekends
      ? withMissingDays(filled)
      : filled;
  const instants = days.rows.kind === "equity" ? returns.instants.subarray(1) : returns.instants;
  if (instants.length < barsMin) throw tooShort(instants.length, barsMin);
  const filledBars = days.filled + empty.most + (returns === filled ? 0 : gaps.count);
  warnOfGaps(
    { ...gaps, filledCells: empty.all, bars: instants.length, zeros: returns !== filled },
    warnings,
  );
  const variants = returns.columns.slice(0, observations.names.length);
  const distinct = (options.isLive === true ? allColumns : distinctColumns)(
    observations.names,
    variants,
  );
  const year = periodsPerYear(spacing, weekends);
  return {
    instants,
    names: distinct.names,
    columns: distinct.columns,
    market: returns.columns[observations.names.length],
    keptNameOf: distinct.keptNameOf,
    barSeconds: ordered.events === true ? DAY_SECONDS : barSeconds,
    periodsPerYear: options.periodsPerYear ?? year.periods,
    periodsReason: options.periodsPerYear === undefined ? year.reason : "given",
    filledBars,
    droppedVariants: distinct.dropped,
    duplicateVariants: distinct.duplicates,
    warnings,
  };
}

/** Adds the market as the last column, so that it is treated as the variants are. */
function withMarketColumn(rows: Observations): Observations {
  if (rows.market === undefined) return rows;
  const { market, ...others } = rows;
  return { ...others, columns: [...rows.columns, market], names: [...rows.names, "the market"] };
}

function tooShort(bars: number, barsMin: number): PanelRefused {
  return new PanelRefused(`a check needs at least ${barsMin} bars, the file has ${bars}`);
}

/** Rows without any value: pandas leaves the first row of `pct_change` empty. */
function withoutEmptyRows(rows: Observations): Observations {
  const kept: number[] = [];
  for (let row = 0; row < rows.instants.length; row++) {
    if (rows.columns.some((column) => !Number.isNaN(column[row]))) kept.push(row);
  }
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

/** Steps between bars may be off a multiple of the usual one by this share of it: months differ by a tenth. */
const UNEVEN = 0.25;
const UNEVEN_MAX = 0.2;

/** Refuses rows that are no bars, such as the returns of single trades on the days of their exit. */
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
    `the rows are no bars of one length: from ${days(least)} to ${days(most)} days lie between them. If they are the ` +
      "returns of single trades, send the daily equity or returns of the account",
  );
}

/**
 * How many cells of the variants are empty, and how many of the one with most. Those before a variant's first value are
 * no gap: it had not begun. Refuses one with too many others.
 */
function emptyCells({ columns, names }: Observations): { all: number; most: number } {
  let [all, most] = [0, 0];
  for (const [place, column] of columns.entries()) {
    const first = column.findIndex((value) => !Number.isNaN(value));
    if (first < 0) continue; // it never moves
    const later = column.subarray(first).filter(Number.isNaN).length;
    if (later > FILLED_MAX * column.length) {
      throw new PanelRefused(
        `${later} of ${column.length} cells of "${names[place]!}" are empty after its first value, more than 20 %`,
      );
    }
    [all, most] = [all + first + later, Math.max(most, first + later)];
  }
  return { all, most };
}

interface Gaps {
  readonly count: number;
  /** Instant before the longest gap. */
  readonly longestAfter: number;
  readonly longest: number;
}

function missingBars({ instants }: Observations, spacing: number, weekends: boolean): Gaps {
  let gaps: Gaps = { count: 0, longestAfter: NaN, longest: 0 };
  if (spacing > 7 * DAY_SECONDS) return gaps; // months have different lengths
  for (let row = 1; row < instants.length; row++) {
    const before = instants[row - 1]!;
    const steps = Math.round((instants[row]! - before) / spacing);
    const missing = weekends || spacing > DAY_SECONDS ? steps - 1 : weekdaysIn(before, steps);
    if (!(missing > 0)) continue;
    const longer = missing > gaps.longest;
    gaps = {
      count: gaps.count + missing,
      longestAfter: longer ? before : gaps.longestAfter,
      longest: longer ? missing : gaps.longest,
    };
  }
  return gaps;
}

/** Weekdays strictly inside a step of that many days; a single one is a holiday. */
function weekdaysIn(before: number, steps: number): number {
  let count = 0;
  for (let step = 1; step < steps; step++) {
    if (!isWeekend(before / DAY_SECONDS + step)) count++;
  }
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
  of: Gaps & { filledCells: number; bars: number; zeros: boolean },
  warnings: CheckWarning[],
): void {
  const { count, longest, longestAfter, filledCells, bars, zeros } = of;
  const share = count / (zeros ? bars : bars + count);
  if (share > FILLED_MAX) {
    throw new PanelRefused(
      `${count} of ${zeros ? bars : bars + count} bars are missing, more than 20 %; the longest gap, of ` +
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
