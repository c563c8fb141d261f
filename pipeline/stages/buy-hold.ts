import { buyHoldYears } from "../../quant/outcomes/buy-hold.ts";
import { BUY_HOLD, buyHoldBlock } from "../../snapshots/tables/buy-hold.ts";
import { barsOf } from "../../snapshots/tables/prices.ts";
import { constantText, type TableBlock } from "../../snapshots/tables/table.ts";
import { priceBlocks, type Stage } from "./stage.ts";

/** Buy-and-hold from the first close of every year. */
export const buyHold: Stage = {
  name: "buy_hold",
  async run(input) {
    const blocks: TableBlock[] = [];
    for await (const block of priceBlocks(input)) {
      blocks.push(buyHoldBlock(constantText(block, "coin"), buyHoldYears(barsOf(block))));
    }
    return new Map([[BUY_HOLD, blocks]]);
  },
};
