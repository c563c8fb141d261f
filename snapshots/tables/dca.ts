import type { DcaColumns } from "../../quant/outcomes/dca.ts";
import type { StoredFrequency } from "../../quant/outcomes/purchase-track.ts";
import type { Table, TableBlock } from "./table.ts";
import { column, doubles, integers } from "./table.ts";

export const DCA: Table = {
  name: "dca",
  description:
    "Dollar-cost averaging against a lump sum, one row for each coin, frequency and start date, held to the coin's last day. All amounts are for purchases of one dollar: any other amount is a scaling.",
  key: ["coin", "frequency", "start_date"],
  arrow: true,
  columns: [
    column(["coin", "text"], "lower-case ticker"),
    column(["frequency", "text"], "weekly or monthly"),
    column(["start_date", "date"], "day of the first purchase"),
    column(
      ["purchases", "integer"],
      "purchases up to the coin's last day; also the dollars invested",
    ),
    column(["units", "double", "coins"], "bought in all"),
    column(["value_usd", "double", "usd"], "worth of it at the last close"),
    column(
      ["irr", "double", "fraction"],
      "annualised money-weighted return: XIRR, actual days over 365; NULL where undefined",
    ),
    column(
      ["worst_return", "double", "fraction"],
      "lowest value against what was invested by then, over all closes; 0 or negative",
    ),
    column(["worst_date", "date"], "first day of that return"),
    column(
      ["under_water_days", "integer", "days"],
      "days that close below what was invested by then",
    ),
    column(
      ["in_profit_share", "double", "fraction"],
      "share of the plan's days that close above what was invested by then",
    ),
    column(
      ["lump_sum_units", "double", "coins"],
      "bought by the same total at the first purchase's close",
    ),
    column(["lump_sum_value_usd", "double", "usd"], "worth of those at the last close"),
    column(
      ["lump_sum_cagr", "double", "fraction"],
      "compound annual growth of the lump sum; NULL for 0 days",
    ),
    column(
      ["lump_sum_max_drawdown", "double", "fraction"],
      "deepest fall of a close below the highest close since the start; 0 or negative",
    ),
  ],
};

/** One coin's schedules of one frequency as rows of the table; the columns are not copied. */
export function dcaBlock(
  coin: string,
  frequency: StoredFrequency,
  schedules: DcaColumns,
): TableBlock {
  return {
    rows: schedules.startDay.length,
    columns: {
      coin,
      frequency,
      start_date: schedules.startDay,
      purchases: schedules.purchases,
      units: schedules.units,
      value_usd: schedules.value,
      irr: schedules.irr,
      worst_return: schedules.worstReturn,
      worst_date: schedules.worstDay,
      under_water_days: schedules.daysUnderWater,
      in_profit_share: schedules.daysInProfitShare,
      lump_sum_units: schedules.lumpSumUnits,
      lump_sum_value_usd: schedules.lumpSumValue,
      lump_sum_cagr: schedules.lumpSumCagr,
      lump_sum_max_drawdown: schedules.lumpSumMaxDrawdown,
    },
  };
}

/** The schedules of a block, as views. */
export function dcaColumnsOf(block: TableBlock): DcaColumns {
  return {
    startDay: integers(block, "start_date"),
    purchases: integers(block, "purchases"),
    units: doubles(block, "units"),
    value: doubles(block, "value_usd"),
    irr: doubles(block, "irr"),
    worstReturn: doubles(block, "worst_return"),
    worstDay: integers(block, "worst_date"),
    daysUnderWater: integers(block, "under_water_days"),
    daysInProfitShare: doubles(block, "in_profit_share"),
    lumpSumUnits: doubles(block, "lump_sum_units"),
    lumpSumValue: doubles(block, "lump_sum_value_usd"),
    lumpSumCagr: doubles(block, "lump_sum_cagr"),
    lumpSumMaxDrawdown: doubles(block, "lump_sum_max_drawdown"),
  };
}
