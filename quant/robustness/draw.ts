import { permutedDays, rebuiltBars, type Panel } from "../overfitting/index-panel.ts";
import { seededRandom } from "../overfitting/seeded-random.ts";
import { WARM_UP_DAYS } from "../strategies/catalogue.ts";
import { checksOf, pooled } from "./checks.ts";
import { coinPremiums } from "./coin-premiums.ts";
import { STREAMS, type BlockDays } from "./definition.ts";

/** A coin of the dataset with the effects of its days. */
export interface DrawCoin {
  readonly firstDay: number;
  /** The coin alone, its whole history. */
  readonly panel: Panel;
  readonly isLarge: boolean;
}

export interface RobustnessDrawJob {
  readonly coins: readonly DrawCoin[];
  readonly seed: number;
  readonly draw: number;
  readonly blockDays: BlockDays;
}

/** The out-of-sample premium of each check, by name. */
export type RobustnessDraw = ReadonlyMap<string, number>;

/**
 * Every check but the walk forward, in a market whose order of days teaches nothing. The days from the first to the
 * last of any coin are put in random order, in blocks. Each coin goes through its own days in that order and keeps its
 * dates.
 */
export function robustnessDraw(job: RobustnessDrawJob): RobustnessDraw {
  const { coins, seed, draw, blockDays } = job;
  const first = Math.min(...coins.map(({ firstDay }) => firstDay));
  const last = Math.max(...coins.map(({ firstDay, panel }) => firstDay + panel.days));
  const random = seededRandom(seed, STREAMS.permutation[blockDays] + draw);
  const order = permutedDays(last - first, random, blockDays);
  const premiums = coins.map(({ firstDay, panel }) => {
    const from = firstDay - first;
    const own = order.map((day) => day - from).filter((day) => day >= 0 && day < panel.days);
    const bars = rebuiltBars(panel.coins[0]!, own); // a panel of one coin
    return coinPremiums({ bars, firstDay: firstDay + WARM_UP_DAYS, walks: false });
  });
  const checks = checksOf(
    premiums,
    coins.map(({ isLarge }) => isLarge),
  );
  return new Map(checks.map((check) => [check.name, pooled(check.coins).outOfSample]));
}
