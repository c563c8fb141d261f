import { normalQuantile } from "../overfitting/normal-quantile.ts";
import { seededRandom } from "../overfitting/seeded-random.ts";
import { VARIANTS_PER_TEMPLATE } from "../strategies/catalogue.ts";
import { STUDIED } from "../strategies/studied.ts";
import { pickOf, premiumOf } from "./cell-premium.ts";
import { tallyOf, type Check } from "./checks.ts";
import type { CoinPremiums } from "./coin-premiums.ts";
import { PLANTED_DRAWS, PLANTED_SPREADS, STREAMS } from "./definition.ts";

/**
 * What the dataset's own split would show if variants differed for good. Each variant of each template gets a
 * normal number with the planted deviation, and its Sharpe ratio is higher by that in both periods and on every
 * coin. A coin's tally is the mean over the draws.
 */
export function plantedChecks(coins: readonly CoinPremiums[], seed: number): Check[] {
  return PLANTED_SPREADS.map((spread) => {
    const totals = coins.map(() => ({ inSample: 0, outOfSample: 0, picks: 0 }));
    for (let draw = 0; draw < PLANTED_DRAWS; draw++) {
      const offsets = plantedOffsets(spread, seed, draw);
      for (const [coin, { sharpes }] of coins.entries()) {
        const { inSample, outOfSample, picks } = tallyWith(sharpes, offsets);
        const total = totals[coin]!; // one per coin
        total.inSample += inSample / PLANTED_DRAWS;
        total.outOfSample += outOfSample / PLANTED_DRAWS;
        total.picks += picks / PLANTED_DRAWS;
      }
    }
    const name = `planted_0_${spread.toFixed(2).slice(2)}`;
    return { name, coins: totals.filter(({ picks }) => picks > 0) };
  });
}

/** One number for each variant of each template, in catalogue order. */
function plantedOffsets(spread: number, seed: number, draw: number): number[][] {
  const random = seededRandom(seed, STREAMS.planted + draw);
  const normal = () => normalQuantile(random() + 2 ** -33); // random() may be 0
  return STUDIED.map(() => Array.from({ length: VARIANTS_PER_TEMPLATE }, () => spread * normal()));
}

function tallyWith(sharpes: CoinPremiums["sharpes"], offsets: readonly (readonly number[])[]) {
  const premiums = sharpes.map((cell, template) => {
    const raised = (values: readonly number[]) =>
      values.map((sharpe, variant) => sharpe + offsets[template]![variant]!); // one per variant
    const planted = { inSample: raised(cell.inSample), outOfSample: raised(cell.outOfSample) };
    return premiumOf(pickOf(planted.inSample), planted);
  });
  return tallyOf(premiums);
}
