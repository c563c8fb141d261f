import type { DcaColumns } from "../../quant/outcomes/dca.ts";
import type { StoredFrequency } from "../../quant/outcomes/purchase-track.ts";
import type { Table, TableBlock, TableColumn } from "./table.ts";
import { column, doubles, integers } from "./table.ts";

/** The column of each field. */
const COLUMNS: Readonly<Record<keyof DcaColumns, TableColumn>> = {
  startDay: column(["start_date", "date"], "day of the first purchase"),
  purchases: column(
    ["purchases", "integer"],
    "purchases up to the coin's last day; also the dollars invested",
  ),
  units: column(["units", "double", "coins"], "bought in all"),
  value: column(["value_usd", "double", "usd"], "worth of it at the last close"),
  irr: column(
    ["irr", "double", "fraction"],
    "annualised money-weighted return: XIRR, actual days over 365; NULL where undefined",
  ),
  worstReturn: column(
    ["worst_return", "double", "fraction"],
    "lowest value against what was invested by then, over all closes; 0 or negative",
  ),
  worstDay: column(["worst_date", "date"], "first day of that return"),
  daysUnderWater: column(
    ["under_water_days", "integer", "days"],
    "days that close below what was invested by then",
  ),
  daysInProfitShare: column(
    ["in_profit_share", "double", "fraction"],
    "share of the plan's days that close above what was invested by then",
  ),
  lumpSumUnits: column(
    ["lump_sum_units", "double", "coins"],
    "bought by the same total at the first purchase's close",
  ),
  lumpSumValue: column(["lump_sum_value_usd", "double", "usd"], "worth of those at the last close"),
  lumpSumCagr: column(
    ["lump_sum_cagr", "double", "fraction"],
    "compound annual growth of the lump sum; NULL for 0 days",
  ),
  lumpSumMaxDrawdown: column(
    ["lump_sum_max_drawdown", "double", "fraction"],
    "deepest fall of a close below the highest close since the start; 0 or negative",
  ),
};

const FIELDS = Object.keys(COLUMNS) as readonly (keyof DcaColumns)[];

export const DCA: Table = {
  name: "dca",
  description:
    "Dollar-cost averaging against a lump sum, one row for each coin, frequency and start date, held to the coin's last day. All amounts are for purchases of one dollar: any other amount is a scaling.",
  key: ["coin", "frequency", "start_date"],
  arrow: true,
  columns: [
    column(["coin", "text"], "lower-case ticker"),
    column(["frequency", "text"], "weekly or monthly"),
    ...Object.values(COLUMNS),
  ],
};

/** One coin's schedules of one frequency as rows of the table; the columns are not copied. */
export function dcaBlock(
  coin: string,
  frequency: StoredFrequency,
  schedules: DcaColumns,
): TableBlock {
  const columns = FIELDS.map((field) => [COLUMNS[field].name, schedules[field]] as const);
  return {
    rows: schedules.startDay.length,
    columns: { coin, frequency, ...Object.fromEntries(columns) },
  };
}

/** The schedules of a block, as views. */
export function dcaColumnsOf(block: TableBlock): DcaColumns {
  const columns = FIELDS.map((field) => {
    const { name, type } = COLUMNS[field];
    return [field, (type === "double" ? doubles : integers)(block, name)] as const;
  });
  return Object.fromEntries(columns) as unknown as DcaColumns;
}
