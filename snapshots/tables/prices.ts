import type { Bars, CoinHistory } from "../../quant/bars.ts";
import type { Table, TableBlock } from "./table.ts";
import { column, constantText, doubles, integers } from "./table.ts";

export const PRICES: Table = {
  name: "prices",
  description: "Daily bars of every coin, one row for each coin and UTC day, no day missing.",
  key: ["coin", "day"],
  arrow: true,
  columns: [
    column(["coin", "text"], "lower-case ticker"),
    column(["day", "date"], "UTC day, 00:00 to 24:00"),
    column(["open", "double", "usd"], "first price of the day"),
    column(["high", "double", "usd"], "highest price of the day"),
    column(["low", "double", "usd"], "lowest price of the day"),
    column(["close", "double", "usd"], "last price of the day"),
    column(["volume", "double", "coins"], "traded, in the base coin"),
    column(
      ["filled", "boolean"],
      "the source had no row of this day: all four prices are the last close, volume is 0",
    ),
  ],
};

export function priceBlock(coin: string, bars: Bars, filled: Uint8Array): TableBlock {
  return { rows: bars.day.length, columns: { coin, ...bars, filled } };
}

/** The coins of the table, in its order, with their bars as views. */
export function historiesOf(blocks: readonly TableBlock[]): CoinHistory[] {
  return blocks.map((block) => ({ coin: constantText(block, "coin"), bars: barsOf(block) }));
}

/** The bars of a block, as views. */
export function barsOf(block: TableBlock): Bars {
  return {
    day: integers(block, "day"),
    open: doubles(block, "open"),
    high: doubles(block, "high"),
    low: doubles(block, "low"),
    close: doubles(block, "close"),
    volume: doubles(block, "volume"),
  };
}
