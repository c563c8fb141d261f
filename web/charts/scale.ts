import { extent, ticks } from "d3-array";

export type Span = readonly [low: number, high: number];
/** From values to places on a chart. */
export type Scale = (value: number) => number;

/** A scale from a span to places. A logarithmic one has places for values above 0 only. */
export function scaleOf([low, high]: Span, [from, to]: Span, isLog = false): Scale {
  const size = isLog ? Math.log : Number;
  const step = (to - from) / (size(high) - size(low) || 1);
  return (value) => from + (size(value) - size(low)) * step;
}

/** The smallest and the largest value, moved apart if equal. Only values that the scale can show count. */
export function spanOf(values: Iterable<number>, isLog = false): Span {
  const [low = 1, high = 2] = extent([...values].filter((value) => !isLog || value > 0));
  if (low < high) return [low, high];
  return isLog ? [low / 2, high * 2] : [low - 1, high + 1];
}

/** A logarithmic scale whose ends differ by a smaller factor has the round values of a linear one. */
const LINEAR_BELOW = 8;

/** About `count` round values; on a logarithmic scale 1, 2 and 5 times powers of ten. */
export function roundValues([low, high]: Span, count: number, isLog = false): readonly number[] {
  if (!isLog || high / low < LINEAR_BELOW)
    return ticks(low, high, count).filter((value) => !isLog || value > 0);
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const powers = Array.from({ length: last - first + 1 }, (_, at) => 10 ** (first + at));
  const within = (values: readonly number[]) =>
    values.filter((value) => value >= low && value <= high);
  const all = within(powers.flatMap((power) => [power, 2 * power, 5 * power]));
  const shown = all.length > count + 1 ? within(powers) : all;
  const step = Math.ceil(shown.length / (count + 1));
  return shown.filter((_, at) => at % step === 0);
}

export interface Tick {
  readonly at: number;
  readonly text: string;
}

const MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");
/** Months from one tick to the next. */
const MONTH_STEPS = [1, 3, 6, 12, 24, 48, 120];
/** The width of a tick with the space beside it, in a chart's units. */
const TICK_WIDTH = 54;

/** The first days of months at even steps, with the year for January. A short record has its first and last day. */
export function dateTicks(dates: readonly string[], width: number): readonly Tick[] {
  const starts = dates.flatMap((date, at) => {
    const isFirst =
      at === 0 ? /^\d{4}-01(-01)?$/.test(date) : monthOf(date) !== monthOf(dates[at - 1]!);
    return isFirst ? [{ at, month: monthOf(date) }] : [];
  });
  const every = (step: number) => starts.filter(({ month }) => month % step === 0);
  const fits = (step: number) => every(step).length <= width / TICK_WIDTH;
  const shown = every(MONTH_STEPS.find(fits) ?? MONTH_STEPS.at(-1)!); // there are steps
  if (shown.length > 1)
    return shown.map(({ at, month }) => {
      const text = month % 12 === 0 ? String(month / 12) : MONTHS[month % 12]!;
      return { at, text };
    });
  const ends = dates.length > 1 ? [0, dates.length - 1] : [0];
  return ends.map((at) => ({ at, text: dates[at] ?? "" }));
}

function monthOf(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}
