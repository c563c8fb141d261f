import { lastDayOfMonth } from "../../quant/month.ts";
import { ratedCoin, ratingWorth, type RatedCoin } from "../../quant/signals/rating-worth.ts";
import { barsOf } from "../../snapshots/tables/prices.ts";
import {
  RATING_RETURNS,
  RATING_WORTH,
  isRatingWorth,
  ratingReturnsBlock,
  ratingWorthBlock,
} from "../../snapshots/tables/rating-worth.ts";
import { constantText, type TableBlock } from "../../snapshots/tables/table.ts";
import { firstPublished, priceBlocks } from "./stage.ts";
import type { Stage, StageInput, WholeTables } from "./stage.ts";

/** What the technical rating was worth. Like the dataset it is made once for a month, and then kept. */
export const ratingWorthStage: Stage<WholeTables> = {
  name: "rating_worth",
  keeps: [RATING_WORTH, RATING_RETURNS],
  async run(input) {
    const kept = await firstPublished(input, (tables) => {
      const hasReturns = (tables.get(RATING_RETURNS) ?? []).length > 0;
      const worth = tables.get(RATING_WORTH) ?? [];
      return hasReturns && worth.some((block) => isRatingWorth(block, input.month));
    });
    return kept ?? (await made(input));
  },
};

async function made(input: StageInput): Promise<WholeTables> {
  const lastDay = lastDayOfMonth(input.month);
  const coins: RatedCoin[] = [];
  const returns: TableBlock[] = [];
  for await (const block of priceBlocks(input)) {
    const rated = ratedCoin(constantText(block, "coin"), barsOf(block), lastDay);
    if (rated === undefined) continue;
    coins.push(rated);
    returns.push(ratingReturnsBlock(rated));
  }
  const worth = ratingWorth(coins);
  return new Map([
    [RATING_WORTH, worth === undefined ? [] : [ratingWorthBlock(input.month, worth)]],
    [RATING_RETURNS, worth === undefined ? [] : returns],
  ]);
}
