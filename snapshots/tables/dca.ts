import type { DcaColumns } from "../../quant/outcomes/dca.ts";
import type { StoredFrequency } from "../../quant/outcomes/purchase-track.ts";
import { arraysIn, arraysOf, coins, columnsOf, date, days, fraction } from "./columns.ts";
import { integer, listed, text, usd } from "./columns.ts";
import type { Table, TableBlock } from "./table.ts";

const COLUMNS = columnsOf<DcaColumns>()({
  start_date: date("day of the first purchase", "startDay"),
  purchases: integer("purchases up to the coin's last day; also the dollars invested"),
  units: coins("bought in all"),
  value_usd: usd("worth of it at the last close", "value"),
  irr: fraction(
    "annualised money-weighted return: XIRR, actual days over 365; NULL where undefined",
  ),
  worst_return: fraction(
    "lowest value against what was invested by then, over all closes; 0 or negative",
  ),
  worst_date: date("first day of that return", "worstDay"),
  under_water_days: days("days that close below what was invested by then", "daysUnderWater"),
  in_profit_share: fraction(
    "share of the plan's days that close above what was invested by then",
    "daysInProfitShare",
  ),
  lump_sum_units: coins("bought by the same total at the first purchase's close"),
  lump_sum_value_usd: usd("worth of those at the last close", "lumpSumValue"),
  lump_sum_cagr: fraction("compound annual growth of the lump sum; NULL for 0 days"),
  lump_sum_max_drawdown: fraction(
    "deepest fall of a close below the highest close since the start; 0 or negative",
  ),
});

export const DCA: Table = {
  name: "dca",
  description:
    "Dollar-cost averaging against a lump sum, one row for each coin, frequency and start date, held to the coin's last day. All amounts are for purchases of one dollar: any other amount is a scaling.",
  key: ["coin", "frequency", "start_date"],
  arrow: true,
  hasPrices: true,
  columns: listed({
    coin: text("lower-case ticker"),
    frequency: text("weekly or monthly"),
    ...COLUMNS,
  }),
};

/** One coin's schedules of one frequency as rows of the table; the columns are not copied. */
export function dcaBlock(
  coin: string,
  frequency: StoredFrequency,
  schedules: DcaColumns,
): TableBlock {
  const columns = { coin, frequency, ...arraysIn(COLUMNS, schedules) };
  return { rows: schedules.startDay.length, columns };
}

/** The schedules of a block, as views. */
export function dcaColumnsOf(block: TableBlock): DcaColumns {
  return arraysOf(COLUMNS, block);
}
