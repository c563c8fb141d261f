import { readingAt } from "../../quant/signals/reading.ts";
import { INDICATORS, indicatorColumnsOf } from "../../snapshots/tables/indicators.ts";
import { PRICES, barsOf } from "../../snapshots/tables/prices.ts";
import { SIGNALS, signalsBlock } from "../../snapshots/tables/signals.ts";
import { constantText } from "../../snapshots/tables/table.ts";
import type { Stage } from "./stage.ts";

/** The latest reading of every coin and its rating. */
export const signals: Stage = {
  name: "signals",
  reads: [PRICES, INDICATORS],
  writes: [SIGNALS],
  async run({ coins, read }) {
    const ingested = new Map(coins.map((coin) => [coin.clean.ticker, coin]));
    const indicatorsOf = new Map(
      read(INDICATORS).map((block) => [constantText(block, "coin"), indicatorColumnsOf(block)]),
    );
    const rows = read(PRICES).map((block) => {
      const coin = constantText(block, "coin");
      const indicators = indicatorsOf.get(coin);
      const from = ingested.get(coin);
      if (indicators === undefined || from === undefined) {
        throw new Error(`coin "${coin}" has prices but no indicators`);
      }
      const row = block.rows - 1;
      const reading = readingAt(barsOf(block), indicators, row);
      const { stale } = from.clean.quality;
      return { coin, name: from.board.name, stale, reading, indicators, row };
    });
    return new Map([[SIGNALS, [signalsBlock(rows)]]]);
  },
};
