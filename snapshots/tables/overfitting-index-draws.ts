import { monthText, type Month } from "../../quant/month.ts";
import type { IndexDraw } from "../../quant/overfitting/index-band.ts";
import { INDEX_VERSION } from "../../quant/overfitting/index-definition.ts";
import { columnOf } from "../../quant/sample-statistics.ts";
import { integer, listed, points, text } from "./columns.ts";
import { doubles, type Table, type TableBlock } from "./table.ts";

export const OVERFITTING_INDEX_DRAWS: Table = {
  name: "overfitting_index_draws",
  description:
    "The index of each month's own coins with their days in random order, draw by draw: what the month's band is made of. A night adds the draws of one month, the newest without; then they stay.",
  key: ["month", "draw"],
  arrow: true,
  columns: listed({
    month: text("YYYY-MM"),
    version: integer("version of the method"),
    draw: integer("number of the permutation, from 0; with the month it is the seed"),
    value: points("the index of the permuted days"),
    tuning: points("its tuning layer"),
    shopping: points("its shopping layer"),
  }),
};

/** The draws of one month as a block. */
export function indexDrawsBlock(month: Month, draws: readonly IndexDraw[]): TableBlock {
  const columns = {
    month: monthText(month),
    version: new Int32Array(draws.length).fill(INDEX_VERSION),
    draw: Int32Array.from(draws.keys()),
    value: columnOf(draws, ({ value }) => value),
    tuning: columnOf(draws, ({ tuning }) => tuning),
    shopping: columnOf(draws, ({ shopping }) => shopping),
  };
  return { rows: draws.length, columns };
}

/** The draws of a block, in their order. */
export function indexDrawsOf(block: TableBlock): IndexDraw[] {
  const [tuning, shopping] = [doubles(block, "tuning"), doubles(block, "shopping")];
  return Array.from(doubles(block, "value"), (value, draw) => ({
    value,
    tuning: tuning[draw]!, // columns are of equal length
    shopping: shopping[draw]!,
  }));
}
