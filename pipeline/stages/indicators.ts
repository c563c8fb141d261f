import { computeIndicators } from "../../quant/indicators/columns.ts";
import { INDICATORS, indicatorBlock } from "../../snapshots/tables/indicators.ts";
import { PRICES, barsOf } from "../../snapshots/tables/prices.ts";
import { constantText, inSharedMemory } from "../../snapshots/tables/table.ts";
import { mapBlocks } from "./stage.ts";
import type { Stage } from "./stage.ts";

/** Every indicator of every coin and day. */
export const indicators: Stage = {
  name: "indicators",
  reads: [PRICES],
  writes: [INDICATORS],
  async run(input) {
    const blocks = await mapBlocks(input, PRICES, (block) => {
      const bars = barsOf(block);
      const coin = constantText(block, "coin");
      return inSharedMemory(indicatorBlock(coin, bars.day, computeIndicators(bars)));
    });
    return new Map([[INDICATORS, blocks]]);
  },
};
