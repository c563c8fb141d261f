import { PRICES, priceBlock } from "../../snapshots/tables/prices.ts";
import { REJECTS, rejectBlock } from "../../snapshots/tables/rejects.ts";
import type { Stage } from "./stage.ts";

/** The ingested histories and refusals as tables. A coin without an accepted row has no prices. */
export const prices: Stage = {
  name: "prices",
  reads: [],
  writes: [PRICES, REJECTS],
  async run({ coins }) {
    const kept = coins.filter(({ clean }) => clean.bars.day.length > 0);
    const refused = coins.filter(({ clean }) => clean.rejects.length > 0);
    return new Map([
      [PRICES, kept.map(({ clean }) => priceBlock(clean.ticker, clean.bars, clean.filled))],
      [REJECTS, refused.map(({ clean }) => rejectBlock(clean.ticker, clean.rejects))],
    ]);
  },
};
