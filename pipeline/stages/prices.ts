import { PRICES } from "../../snapshots/tables/prices.ts";
import { REJECTS, rejectBlock } from "../../snapshots/tables/rejects.ts";
import type { Stage } from "./stage.ts";

/** The ingested histories and refusals as tables. */
export const prices: Stage = {
  name: "prices",
  async run(input) {
    const refused = input.coins.filter(({ clean }) => clean.rejects.length > 0);
    return new Map([
      [PRICES, input.prices],
      [REJECTS, refused.map(({ clean }) => rejectBlock(clean.ticker, clean.rejects))],
    ]);
  },
};
