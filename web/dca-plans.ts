import { DcaPlan } from "../api/dca.ts";
import { sliceBars, type Bars } from "../quant/bars.ts";
import { dateOfDay, dayOfDate } from "../quant/calendar.ts";
import { dcaOutcome } from "../quant/outcomes/dca-outcome.ts";
import { dcaTrack } from "../quant/outcomes/dca-track.ts";
import { dcaOfWindow } from "../quant/outcomes/dca.ts";
import { lumpSumWinShare, lumpSumWinsOver } from "../quant/outcomes/lump-sum.ts";
import type { DcaFrequency } from "../quant/outcomes/purchase-track.ts";

const FEE_MAX_PCT = 10;
/** Fewer schedules of a length than these are too alike to count. */
const STARTS_MIN = 365;
const YEARS = [365, 1096];
/** Points of a curve: more than a wide screen can tell apart. */
const POINTS_MAX = 240;

export interface DcaSchedule {
  readonly amount: number;
  readonly frequency: DcaFrequency;
  readonly startDate: string;
  readonly endDate: string;
  readonly feePct: number;
}

/** What a browser needs to compute any schedule of a coin: a close for every day. */
export interface CoinCloses {
  readonly coin: string;
  readonly firstDay: number;
  readonly close: readonly number[];
}

/** A schedule's outcome, and its curves in dollars. */
export type DcaFound = NonNullable<ReturnType<ReturnType<typeof dcaPlans>>>;

/** Computes the outcome of any schedule of a coin, as `GET /dca` does; undefined for a schedule that is not allowed. */
export function dcaPlans({ coin, firstDay, close }: CoinCloses) {
  const closes = Float64Array.from(close);
  const day = Int32Array.from(close, (_, row) => firstDay + row);
  const prices = { open: closes, high: closes, low: closes, close: closes };
  const bars: Bars = { day, ...prices, volume: closes };
  const rowOf = (date: string) => (dayOfDate(date) ?? Number.NaN) - firstDay;
  return ({ amount, frequency, startDate, endDate, feePct }: DcaSchedule) => {
    const [from, last] = [rowOf(startDate), rowOf(endDate)];
    const isWithin = from >= 0 && last >= from && last < close.length;
    const isFee = feePct >= 0 && feePct <= FEE_MAX_PCT;
    if (!(isWithin && isFee && amount > 0 && Number.isFinite(amount))) return undefined;
    const window = { frequency, from, to: last + 1, feeRate: feePct / 100 };
    const wins = lumpSumWinShare(sliceBars(bars, 0, last + 1), frequency);
    const own = lumpSumWinsOver(bars, frequency, last + 1 - from);
    const lengths = own.starts < STARTS_MIN ? YEARS : [last + 1 - from];
    const outcome = dcaOutcome(dcaOfWindow(bars, window), from, amount, wins);
    const track = dcaTrack(bars, window, POINTS_MAX);
    const dollars = (values: readonly number[]) => values.map((value) => amount * value);
    return {
      /** How often all at once ended higher, over spans of the schedule's own length, or of years where few are as long. */
      spans: lengths
        .map((days) => ({ days, ...lumpSumWinsOver(bars, frequency, days) }))
        .filter(({ starts }) => starts >= STARTS_MIN),
      plan: DcaPlan.from({ coin, frequency, ...outcome }),
      dates: track.rows.map((row) => dateOfDay(firstDay + row)),
      paid: dollars(track.paid),
      value: dollars(track.value),
      lumpSum: dollars(track.lumpSum),
    };
  };
}
