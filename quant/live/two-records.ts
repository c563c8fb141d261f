import { correlation } from "../check/coin-returns.ts";
import { DAY_SECONDS, dayOf } from "../check/ordered-rows.ts";
import { PanelRefused, type Panel } from "../check/panel.ts";
import { distinctColumns } from "../check/distinct-columns.ts";
import { firstNames } from "../check/selected-variant.ts";
import { dateOfDay } from "../calendar.ts";
import { mean, variance } from "../sample-statistics.ts";

/** Days before the cut that a claim needs. */
const BACKTEST_MIN = 10;
/** A backtest without enough days before the live ones: it can be compared with them, and no verdict be given. */
export class NoDaysBefore extends PanelRefused {}

const DAILY_MAX = 1.5 * DAY_SECONDS;

/** Daily returns of one strategy. */
export interface DailyRecord {
  /** Days since 1970, ascending. */
  readonly day: readonly number[];
  readonly returns: Float64Array;
}

/** The bars of a panel from one day up to, but not including, another. Variants that don't move in them are left out. */
export function barsWithin(panel: Panel, from: number, to: number): Panel {
  const days = Array.from(panel.instants, dayOf);
  const first = days.findIndex((day) => day >= from);
  const end = days.findLastIndex((day) => day < to) + 1;
  const [begin, length] = first < 0 ? [0, 0] : [first, Math.max(0, end - first)];
  const cut = (column: Float64Array) => column.slice(begin, begin + length);
  const { names, columns, keptNameOf, dropped, duplicates } = distinctColumns(
    panel.names,
    panel.columns.map(cut),
  );
  const kept = [...panel.keptNameOf].flatMap(([name, first]) => {
    const now = keptNameOf.get(first);
    return now === undefined ? [] : [[name, now] as const];
  });
  return {
    ...panel,
    instants: cut(panel.instants),
    names,
    columns,
    market: panel.market && cut(panel.market),
    keptNameOf: new Map(kept),
    droppedVariants: panel.droppedVariants + dropped,
    duplicateVariants: panel.duplicateVariants + duplicates,
  };
}

/** Refuses bars that are longer than a day: the evidence is looked at every day. */
export function checkDaily({ barSeconds }: Panel, what: "backtest" | "live record"): void {
  if (!(barSeconds >= DAILY_MAX)) return;
  const days = Number((barSeconds / DAY_SECONDS).toFixed(1));
  throw new PanelRefused(
    `the ${what} has a bar every ${days} days: to hold live days to it, send daily values`,
  );
}

/** A live file's one series: the named variant, the one that the backtest claims, or the only one. */
export function liveRecord(
  panel: Panel,
  selected: string | undefined,
  claimed: string,
): DailyRecord {
  const day = Array.from(panel.instants, dayOf);
  const name = selected ?? (panel.names.length === 1 ? panel.names[0] : claimed);
  const kept = panel.keptNameOf.get(name!);
  if (kept !== undefined) return { day, returns: panel.columns[panel.names.indexOf(kept)]! };
  const asked = selected === undefined ? "say which one is the strategy" : `none is "${selected}"`;
  throw new PanelRefused(
    `the live record has ${panel.names.length} series, ${firstNames(panel.names)}: ${asked} (live_selected)`,
  );
}

/** The backtest before the cut and the live record from it on. The cut is the given day, or the first live one. */
export function cutRecords(backtest: DailyRecord, live: DailyRecord, since: number | undefined) {
  const cut = since ?? live.day[0]!;
  const before = backtest.day.filter((day) => day < cut).length;
  const dropped = live.day.filter((day) => day < cut).length;
  const date = dateOfDay(cut);
  if (before < BACKTEST_MIN) {
    const words = before === 1 ? "1 day" : `${before} days`;
    throw new NoDaysBefore(
      `the backtest has ${words} before ${date}, from which live counts; ${BACKTEST_MIN} are needed. ` +
        "If the strategy was chosen later, say from when it is live (live_since)",
    );
  }
  if (dropped === live.day.length)
    throw new PanelRefused(`the live record has no day from ${date} on (live_since)`);
  const last = backtest.day[before - 1]!;
  return {
    cut,
    backtest: { day: backtest.day.slice(0, before), returns: backtest.returns.slice(0, before) },
    live: { day: live.day.slice(dropped), returns: live.returns.slice(dropped) },
    droppedBacktestDays: backtest.day.length - before,
    droppedLiveDays: dropped,
    gapDays: Math.max(0, live.day[dropped]! - last - 1),
  };
}

/**
 * How alike the records are on the days from the cut on that both have, and on how many of those days either moved. The
 * difference is live less backtest, as an annual fraction.
 */
export function overlapOf(
  backtest: DailyRecord,
  live: DailyRecord,
  { cut, periodsPerYear }: { readonly cut: number; readonly periodsPerYear: number },
) {
  const { days, promised, shown } = sharedDays(backtest, live, cut);
  if (days.length === 0) return null;
  const gaps = shown.map((value, row) => value - promised[row]!);
  const difference = mean(gaps);
  const figures = {
    days: days.length,
    correlation: correlation(promised, shown),
    difference: difference * periodsPerYear,
    differenceT: difference / Math.sqrt(variance(gaps) / days.length),
  };
  const active = days.filter((_, row) => promised[row] !== 0 || shown[row] !== 0).length;
  return { figures, active };
}

/** The days from the cut on that both records have, and their returns. */
export function sharedDays(backtest: DailyRecord, live: DailyRecord, cut: number) {
  const places = new Map(backtest.day.map((day, index) => [day, index]));
  const both = live.day.flatMap((day, index) => {
    const other = places.get(day);
    return day < cut || other === undefined ? [] : [[other, index] as const];
  });
  return {
    days: both.map(([, index]) => live.day[index]!),
    promised: Float64Array.from(both, ([index]) => backtest.returns[index]!),
    shown: Float64Array.from(both, ([, index]) => live.returns[index]!),
  };
}
