import { dcaColumns } from "../../quant/outcomes/dca.ts";
import type { DcaFrequency } from "../../quant/outcomes/purchase-track.ts";
import { DCA, dcaBlock } from "../../snapshots/tables/dca.ts";
import { PRICES, barsOf } from "../../snapshots/tables/prices.ts";
import { constantText, inSharedMemory } from "../../snapshots/tables/table.ts";
import { mapBlocks } from "./stage.ts";
import type { Stage } from "./stage.ts";

const FREQUENCIES: readonly DcaFrequency[] = ["weekly", "monthly"];

/** Dollar-cost averaging from every start day, for both frequencies. */
export const dca: Stage = {
  name: "dca",
  reads: [PRICES],
  writes: [DCA],
  async run(input) {
    const blocks = await mapBlocks(input, PRICES, (block) => {
      const coin = constantText(block, "coin");
      const bars = barsOf(block);
      return FREQUENCIES.map((frequency) =>
        inSharedMemory(dcaBlock(coin, frequency, dcaColumns(bars, frequency))),
      );
    });
    return new Map([[DCA, blocks.flat()]]);
  },
};
