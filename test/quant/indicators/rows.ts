import type { IndicatorColumn } from "../../../quant/indicators/columns.ts";
import { AVERAGE_ROWS } from "./average-rows.ts";
import { OSCILLATOR_ROWS } from "./oscillator-rows.ts";
import type { IndicatorRow, Output } from "./row.ts";
import { UNRATED_ROWS } from "./unrated-rows.ts";

/** Every indicator of a reading. */
export const INDICATORS: Readonly<Record<string, IndicatorRow>> = {
  ...OSCILLATOR_ROWS,
  ...AVERAGE_ROWS,
  ...UNRATED_ROWS,
};

/** Every column. */
export const COLUMNS = Object.fromEntries(
  Object.values(INDICATORS).flatMap(({ columns }) => Object.entries(columns)),
) as Readonly<Record<IndicatorColumn, Output>>;
