import { STUDIED } from "../strategies/studied.ts";
import type { Premium } from "./cell-premium.ts";
import type { CoinPremiums } from "./coin-premiums.ts";
import { DATASET_SPLIT } from "./definition.ts";

/** A coin's part in a check: sums over its picks. */
export interface CoinTally {
  readonly inSample: number;
  readonly outOfSample: number;
  readonly picks: number;
}

/** One way to ask what choosing was worth. */
export interface Check {
  readonly name: string;
  /** Coins that have a pick. */
  readonly coins: readonly CoinTally[];
}

/** Mean premiums over all picks; NaN without any. */
export function pooled(coins: readonly CoinTally[]): CoinTally {
  const total = { inSample: 0, outOfSample: 0, picks: 0 };
  for (const coin of coins) {
    total.inSample += coin.inSample;
    total.outOfSample += coin.outOfSample;
    total.picks += coin.picks;
  }
  const { picks } = total;
  return { inSample: total.inSample / picks, outOfSample: total.outOfSample / picks, picks };
}

/**
 * Every check over the coins; `isLarge` says which are the largest. Years are those in which a coin is tested,
 * oldest first.
 */
export function checksOf(coins: readonly CoinPremiums[], isLarge: readonly boolean[]): Check[] {
  const of = (choice: string) => coins.map(({ choices }) => choices.get(choice) ?? []);
  const own = of(DATASET_SPLIT);
  const check = (name: string, premiums: readonly (readonly Premium[])[]): Check => ({
    name,
    coins: premiums.map(tallyOf).filter(({ picks }) => picks > 0),
  });
  const named = (prefix: string) =>
    [...new Set(coins.flatMap(({ choices }) => [...choices.keys()]))]
      .filter((name) => name.startsWith(prefix))
      .sort();
  const years = named("year_");
  const allYears = coins.map(({ choices }) => years.flatMap((name) => choices.get(name) ?? []));
  const others = ["double_costs", ...named("pick_")];
  const families = [...new Set(STUDIED.map(({ family }) => family))];
  const checks = [
    ...named("split_").map((name) => check(name, of(name))),
    ...years.map((name) => check(name, of(name))),
    check("years", allYears),
    ...others.map((name) => check(name, of(name))),
    ...extremes(own).map(([name, left]) => check(name, left)),
    ...families.map((family) =>
      check(
        `without_${family}`,
        own.map((all) => without(all, family)),
      ),
    ),
    check(
      "largest_coins",
      own.filter((_, coin) => isLarge[coin]),
    ),
    check(
      "other_coins",
      own.filter((_, coin) => !isLarge[coin]),
    ),
    check(
      "walk_forward",
      coins.map(({ walks }) => walks.map(({ premium }) => premium)),
    ),
  ];
  return checks.filter((each) => each.coins.length > 0);
}

export function tallyOf(premiums: readonly Premium[]): CoinTally {
  const known = premiums.filter(({ outOfSample }) => !Number.isNaN(outOfSample));
  const sum = (of: keyof Premium) => known.reduce((total, premium) => total + premium[of], 0);
  return { inSample: sum("inSample"), outOfSample: sum("outOfSample"), picks: known.length };
}

function without(premiums: readonly Premium[], family: string): Premium[] {
  return premiums.filter((_, template) => STUDIED[template]!.family !== family); // one per template
}

/** The coins without the one whose picks had the highest mean premium out-of-sample, and without the lowest. */
function extremes(own: readonly (readonly Premium[])[]) {
  const means = own.map((premiums) => pooled([tallyOf(premiums)]).outOfSample);
  const known = means.filter((mean) => !Number.isNaN(mean));
  const [best, worst] = [means.indexOf(Math.max(...known)), means.indexOf(Math.min(...known))];
  return [
    ["without_best_coin", own.filter((_, coin) => coin !== best)],
    ["without_worst_coin", own.filter((_, coin) => coin !== worst)],
  ] as const;
}
