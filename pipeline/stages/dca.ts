import { dcaColumns } from "../../quant/outcomes/dca.ts";
import type { StoredFrequency } from "../../quant/outcomes/purchase-track.ts";
import { DCA, dcaBlock } from "../../snapshots/tables/dca.ts";
import { barsOf } from "../../snapshots/tables/prices.ts";
import { constantText, inSharedMemory, type TableBlock } from "../../snapshots/tables/table.ts";
import { priceBlocks, type Stage, type StageInput } from "./stage.ts";

const FREQUENCIES: readonly StoredFrequency[] = ["weekly", "monthly"];

/** Dollar-cost averaging from every start day, for both frequencies. */
export const dca: Stage = {
  name: "dca",
  async run(input) {
    const coin = input.prices.map((block) => constantText(block, "coin"));
    return new Map([[DCA, { texts: { coin, frequency: FREQUENCIES }, blocks: schedules(input) }]]);
  },
};

async function* schedules(input: StageInput): AsyncGenerator<TableBlock> {
  for await (const block of priceBlocks(input)) {
    const bars = barsOf(block);
    for (const frequency of FREQUENCIES) {
      const columns = dcaColumns(bars, frequency);
      yield inSharedMemory(dcaBlock(constantText(block, "coin"), frequency, columns));
    }
  }
}
