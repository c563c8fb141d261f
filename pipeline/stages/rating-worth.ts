import { historyUpTo } from "../../quant/bars.ts";
import { lastDayOfMonth } from "../../quant/month.ts";
import { ratingScores } from "../../quant/signals/rating.ts";
import { ratingWorth, returnsAfter, type RatedCoin } from "../../quant/signals/rating-worth.ts";
import { PRICES, barsOf } from "../../snapshots/tables/prices.ts";
import {
  RATING_RETURNS,
  RATING_WORTH,
  isRatingWorth,
  ratingReturnsBlock,
  ratingWorthBlock,
} from "../../snapshots/tables/rating-worth.ts";
import type { TableBlock } from "../../snapshots/tables/table.ts";
import { constantText } from "../../snapshots/tables/table.ts";
import { priceBlocks, type Stage, type StageInput, type WholeTables } from "./stage.ts";

/** What the technical rating was worth. Like the dataset it is made once for a month, and then kept. */
export const ratingWorthStage: Stage<WholeTables> = {
  name: "rating_worth",
  reads: [PRICES],
  writes: [RATING_WORTH, RATING_RETURNS],
  keeps: [RATING_WORTH, RATING_RETURNS],
  async run(input) {
    const { worth, returns } = (await carried(input)) ?? (await made(input));
    return new Map([
      [RATING_WORTH, worth],
      [RATING_RETURNS, returns],
    ]);
  },
};

interface Worth {
  readonly worth: readonly TableBlock[];
  readonly returns: readonly TableBlock[];
}

async function carried(input: StageInput): Promise<Worth | undefined> {
  for await (const tables of input.published()) {
    const worth = tables.get(RATING_WORTH) ?? [];
    const returns = tables.get(RATING_RETURNS) ?? [];
    if (returns.length > 0 && worth.some((block) => isRatingWorth(block, input.month)))
      return { worth, returns };
  }
  return undefined;
}

async function made(input: StageInput): Promise<Worth> {
  const lastDay = lastDayOfMonth(input.month);
  const coins: RatedCoin[] = [];
  const returns: TableBlock[] = [];
  for await (const block of priceBlocks(input)) {
    const bars = historyUpTo(barsOf(block), lastDay);
    const [firstDay] = bars.day;
    if (firstDay === undefined) continue;
    const rated = { firstDay, scores: ratingScores(bars), returns: returnsAfter(bars.close) };
    coins.push(rated);
    returns.push(ratingReturnsBlock(constantText(block, "coin"), rated));
  }
  const worth = ratingWorth(coins);
  return worth === undefined
    ? { worth: [], returns: [] }
    : { worth: [ratingWorthBlock(input.month, worth)], returns };
}
