import type { Bars, CoinHistory } from "../../quant/bars.ts";
import { coins, date, flag, listed, text, usd } from "./columns.ts";
import { constantText, doubles, integers, type Table, type TableBlock } from "./table.ts";

export const PRICES: Table = {
  name: "prices",
  description: "Daily bars of every coin, one row for each coin and UTC day, no day missing.",
  key: ["coin", "day"],
  arrow: true,
  hasPrices: true,
  columns: listed({
    coin: text("lower-case ticker"),
    day: date("UTC day, 00:00 to 24:00"),
    open: usd("first price of the day"),
    high: usd("highest price of the day"),
    low: usd("lowest price of the day"),
    close: usd("last price of the day"),
    volume: coins("traded, in the base coin"),
    filled: flag(
      "the source had no row of this day: all four prices are the last close, volume is 0",
    ),
  }),
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
