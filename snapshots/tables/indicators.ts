import type { IndicatorColumns } from "../../quant/indicators/columns.ts";
import { INDICATOR_COLUMNS } from "../../quant/indicators/columns.ts";
import type { Table, TableBlock } from "./table.ts";
import { column, doubles } from "./table.ts";

export const INDICATORS: Table = {
  name: "indicators",
  description:
    "Every indicator of every coin and UTC day, as of the day's close; NULL in the warm-up, where the lookback is not filled.",
  key: ["coin", "day"],
  arrow: true,
  columns: [
    column(["coin", "text"], "lower-case ticker"),
    column(["day", "date"], "UTC day, 00:00 to 24:00"),
    ...INDICATOR_COLUMNS.map(({ name, unit, description }) =>
      column([name, "double", unit], description),
    ),
  ],
};

/** One coin's indicators as rows of the table; the columns are not copied. */
export function indicatorBlock(
  coin: string,
  day: Int32Array,
  indicators: IndicatorColumns,
): TableBlock {
  return { rows: day.length, columns: { coin, day, ...indicators } };
}

/** The indicators of one day. */
export function indicatorValuesAt(
  indicators: IndicatorColumns,
  row: number,
): Record<keyof IndicatorColumns, number> {
  const values = INDICATOR_COLUMNS.map(({ name }) => [name, indicators[name][row]!] as const); // one of the days
  return Object.fromEntries(values) as Record<keyof IndicatorColumns, number>;
}

/** The indicators of a block, as views. */
export function indicatorColumnsOf(block: TableBlock): IndicatorColumns {
  const columns = INDICATOR_COLUMNS.map(({ name }) => [name, doubles(block, name)] as const);
  return Object.fromEntries(columns) as unknown as IndicatorColumns;
}
