import { DcaPlan } from "../api/dca.ts";
import type { Bars } from "../quant/bars.ts";
import { dayOfDate } from "../quant/calendar.ts";
import { dcaOutcome } from "../quant/outcomes/dca-outcome.ts";
import { dcaColumns, type DcaColumns } from "../quant/outcomes/dca.ts";
import type { DcaFrequency } from "../quant/outcomes/purchase-track.ts";

export interface DcaSchedule {
  readonly amount: number;
  readonly frequency: DcaFrequency;
  readonly startDate: string;
}

/** All a browser needs to compute any schedule of a coin: its closes, one a day. */
export interface CoinCloses {
  readonly coin: string;
  readonly firstDay: number;
  readonly close: readonly number[];
}

/** What became of a coin's schedules, computed here as the nightly run and `GET /dca` do. */
export function dcaPlans({
  coin,
  firstDay,
  close,
}: CoinCloses): (schedule: DcaSchedule) => DcaPlan | undefined {
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
    return DcaPlan.of({ coin, frequency, ...dcaOutcome(columns, row, amount) });
  };
}
