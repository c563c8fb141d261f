import { median } from "../sample-statistics.ts";
import { civilOfDay } from "../calendar.ts";
import { dayOf } from "../check/ordered-rows.ts";
import { grouped, sideOf, type Position } from "./positions.ts";

const MINUTE = 60;
const HOUR = 3600;
const BARS = [1, 3, 5, 15, 30, 60, 120, 240, 360, 480, 720, 1440, 4320, 10_080].map(
  (minutes) => minutes * MINUTE,
);

/** The longest bar of which nine in ten entries, at least eight, have one remainder; undefined where there is none. */
export function barOf(entries: readonly number[]): number | undefined {
  return BARS.findLast((bar) => {
    const counts = new Map<number, number>();
    for (const entry of entries) counts.set(entry % bar, (counts.get(entry % bar) ?? 0) + 1);
    return Math.max(0, ...counts.values()) >= Math.max(8, 0.9 * entries.length);
  });
}

const SHIFT_MAX = 14 * HOUR;
const SHIFT_STEP = 15 * MINUTE;
const NEAR = SHIFT_STEP / 2;
/** With fewer positions there is no shift. */
const POSITIONS_MIN = 10;
const LABEL_PAIRS_MIN = 5;

/** Entries of the backtest that have one of the live record a shift later, as pairs of positions. */
type Shifted = readonly (readonly [Position, Position])[];

/** What two lists of trades say about their clocks. */
export type Clock =
  /** Times of the live record are to be read `seconds` earlier; `centre` is where partners are looked for. */
  | { readonly seconds: number; readonly centre: number }
  /** Two shifts an hour apart, as a zone with summer time makes them. */
  | { readonly changes: readonly [lower: number, upper: number]; readonly upperMonth: number };

const SAME: Clock = { seconds: 0, centre: 0 };

/**
 * Whether live times are shifted against those of the backtest. A shift of labels leaves prices as they are; a strategy that
 * really enters later gets another price. Shifts of two kinds an hour apart are a zone with summer time.
 */
export function clockOf(backtest: readonly Position[], live: readonly Position[]): Clock {
  const entries = live.map(({ entry }) => entry);
  const [first, last] = [entries[0]! - SHIFT_MAX - HOUR, entries.at(-1)! + SHIFT_MAX + HOUR];
  const among = backtest.filter(({ entry }) => entry >= first && entry <= last);
  const size = Math.min(among.length, live.length);
  if (size < POSITIONS_MIN) return SAME;
  const shiftedBy = shifter(among, live);
  const holding = median(among.map(({ entry, exit }) => exit - entry));
  const isOfLabels = (shift: number) => shift === 0 || labels(shiftedBy(shift), shift, holding);
  let best = 0;
  for (let shift = SHIFT_STEP; shift <= SHIFT_MAX; shift += SHIFT_STEP) {
    for (const one of [shift, -shift])
      if (shiftedBy(one).length > shiftedBy(best).length) best = one;
  }
  const [earlier, later] = [shiftedBy(best - HOUR), shiftedBy(best + HOUR)];
  const other = later.length > earlier.length ? best + HOUR : best - HOUR;
  const [most, second] = [shiftedBy(best).length, shiftedBy(other).length];
  if (most + second >= 0.8 * size && second >= 0.15 * size && [best, other].every(isOfLabels)) {
    const upper = Math.max(best, other);
    const upperMonth = median(
      shiftedBy(upper).map(([, { entry }]) => civilOfDay(dayOf(entry)).month),
    );
    return { changes: [Math.min(best, other), upper], upperMonth };
  }
  if (best === 0 || most < 0.6 * size || most - shiftedBy(0).length <= 0.3 * size) return SAME;
  return { seconds: isOfLabels(best) ? best : 0, centre: best };
}

function shifter(backtest: readonly Position[], live: readonly Position[]) {
  const others = grouped(live, sideOf);
  const sides = [...grouped(backtest, sideOf)].map(
    ([side, positions]) => [positions, others.get(side) ?? []] as const,
  );
  const known = new Map<number, Shifted>();
  return (shift: number): Shifted => {
    const pairs = known.get(shift) ?? sides.flatMap(([ones, twos]) => pairsAt(ones, twos, shift));
    known.set(shift, pairs);
    return pairs;
  };
}

function pairsAt(backtest: readonly Position[], live: readonly Position[], shift: number): Shifted {
  const pairs: (readonly [Position, Position])[] = [];
  let index = 0;
  for (const position of backtest) {
    const due = position.entry + shift;
    while (index < live.length && live[index]!.entry < due - NEAR) index++;
    const other = live[index];
    if (other !== undefined && other.entry <= due + NEAR) pairs.push([position, other]);
  }
  return pairs;
}

/** Whether the entries of pairs have the same prices, as far as prices move within a shift. */
function labels(pairs: Shifted, shift: number, holding: number): boolean {
  const priced = pairs.filter(([one, other]) => one.isPriced && other.isPriced);
  if (priced.length < LABEL_PAIRS_MIN) return false;
  const apart = (a: number, b: number) => Math.abs(Math.log(a / b));
  const between = median(priced.map(([one, other]) => apart(other.entryPrice, one.entryPrice)));
  const within = median(priced.map(([one]) => apart(one.exitPrice, one.entryPrice)));
  return between <= 0.3 * within * Math.sqrt(Math.min(1, Math.abs(shift) / holding));
}
