import { dateOfDay, dayOfDate } from "../quant/calendar.ts";
import type { Bars } from "../quant/bars.ts";
import { dcaColumns, type DcaColumns } from "../quant/outcomes/dca.ts";
import { dcaWinner, lumpSumWins } from "../quant/outcomes/lump-sum.ts";
import type { DcaFrequency } from "../quant/outcomes/purchase-track.ts";
import { percent, significant } from "../quant/significant-digits.ts";

export interface DcaSchedule {
  readonly amount: number;
  readonly frequency: DcaFrequency;
  readonly startDate: string;
}

/** What pages show of `GET /dca`, in its own words. */
export interface DcaOutcome {
  readonly amount_usd: number | null;
  readonly frequency: DcaFrequency;
  readonly start_date: string;
  readonly end_date: string;
  readonly purchases: number;
  readonly invested_usd: number | null;
  readonly average_cost_usd: number | null;
  readonly value_usd: number | null;
  readonly return_pct: number | null;
  readonly irr_pct: number | null;
  readonly worst_return_pct: number | null;
  readonly days_in_profit_pct: number | null;
  readonly lump_sum: {
    readonly value_usd: number | null;
    readonly return_pct: number | null;
    readonly max_drawdown_pct: number | null;
  };
  readonly comparison: {
    readonly winner: "dca" | "lump_sum" | "tie";
    readonly lump_sum_wins_pct: number | null;
  };
}

/** All a browser needs to compute any schedule of a coin: its closes, one a day. */
export interface CoinCloses {
  readonly firstDay: number;
  readonly close: readonly number[];
}

/** The outcomes of a coin's schedules, computed here as the nightly run and `GET /dca` do. */
export function dcaOutcomes({
  firstDay,
  close,
}: CoinCloses): (schedule: DcaSchedule) => DcaOutcome | undefined {
  const closes = Float64Array.from(close);
  const day = Int32Array.from(close, (_, row) => firstDay + row);
  const bars: Bars = {
    day,
    open: closes,
    high: closes,
    low: closes,
    close: closes,
    volume: closes,
  };
  const known = new Map<DcaFrequency, DcaColumns>();
  return ({ amount, frequency, startDate }) => {
    const row = (dayOfDate(startDate) ?? Number.NaN) - firstDay;
    if (!(row >= 0 && row < close.length && amount > 0 && Number.isFinite(amount)))
      return undefined;
    const columns = known.get(frequency) ?? dcaColumns(bars, frequency);
    known.set(frequency, columns);
    return outcomeAt(columns, row, { amount, frequency, startDate });
  };
}

function outcomeAt(
  columns: DcaColumns,
  row: number,
  { amount, frequency, startDate }: DcaSchedule,
): DcaOutcome {
  const purchases = columns.purchases[row]!; // the row of a day of the coin's history, here and below
  const value = columns.value[row]!;
  const lumpSum = columns.lumpSumValue[row]!;
  return {
    amount_usd: significant(amount),
    frequency,
    start_date: startDate,
    end_date: dateOfDay(columns.startDay.at(-1)!),
    purchases,
    invested_usd: significant(purchases * amount),
    average_cost_usd: significant(purchases / columns.units[row]!),
    value_usd: significant(value * amount),
    return_pct: percent(value / purchases - 1),
    irr_pct: percent(columns.irr[row]!),
    worst_return_pct: percent(columns.worstReturn[row]!),
    days_in_profit_pct: percent(columns.daysInProfitShare[row]!),
    lump_sum: {
      value_usd: significant(lumpSum * amount),
      return_pct: percent(lumpSum / purchases - 1),
      max_drawdown_pct: percent(columns.lumpSumMaxDrawdown[row]!),
    },
    comparison: {
      winner: dcaWinner(value, lumpSum),
      lump_sum_wins_pct: percent(lumpSumWins(columns)),
    },
  };
}
