import { STUDIED } from "../strategies/studied.ts";
import type { Premium } from "./cell-premium.ts";
import type { CoinPremiums } from "./coin-premiums.ts";
import { DATASET_SPLIT } from "./definition.ts";

/** A coin's part in a check: the sums of the premiums of its picks, and their number. */
export interface CoinTally {
  readonly inSample: number;
  readonly outOfSample: number;
  readonly picks: number;
}

/** One way to measure what choosing was worth. */
export interface Check {
  readonly name: string;
  /** Coins that have a pick. */
  readonly coins: readonly CoinTally[];
}

/** Mean premiums over all picks; NaN without any. */
export function pooled(coins: readonly CoinTally[]): CoinTally {
  const sum = (name: keyof CoinTally) => coins.reduce((total, coin) => total + coin[name], 0);
  const picks = sum("picks");
  return { inSample: sum("inSample") / picks, outOfSample: sum("outOfSample") / picks, picks };
}

/** Every check over the coins; `isLarge` says which are the largest. Years are those in which a coin is tested. */
export function checksOf(coins: readonly CoinPremiums[], isLarge: readonly boolean[]): Check[] {
  const premiumsOf = (choice: string) => coins.map(({ choices }) => choices.get(choice) ?? []);
  const own = premiumsOf(DATASET_SPLIT);
  const named = (prefix: string) =>
    [...new Set(coins.flatMap(({ choices }) => [...choices.keys()]))]
      .filter((name) => name.startsWith(prefix))
      .sort();
  const years = named("year_");
  const allYears = coins.map(({ choices }) => years.flatMap((name) => choices.get(name) ?? []));
  const choicesOf = (names: readonly string[]) =>
    names.map((name) => [name, premiumsOf(name)] as const);
  const families = [...new Set(STUDIED.map(({ family }) => family))];
  const checks: (readonly [name: string, premiums: readonly (readonly Premium[])[]])[] = [
    ...choicesOf([...named("split_"), ...years]),
    ["years", allYears],
    ...choicesOf(["double_costs", ...named("pick_")]),
    ...extremes(own),
    ...families.map((family) => [`without_${family}`, without(own, family)] as const),
    ["largest_coins", own.filter((_, coin) => isLarge[coin])],
    ["other_coins", own.filter((_, coin) => !isLarge[coin])],
    ["walk_forward", coins.map(({ walks }) => walks.map(({ premium }) => premium))],
  ];
  return checks
    .map(([name, premiums]) => ({
      name,
      coins: premiums.map(tallyOf).filter(({ picks }) => picks > 0),
    }))
    .filter((check) => check.coins.length > 0);
}

export function tallyOf(premiums: readonly Premium[]): CoinTally {
  const known = premiums.filter(({ outOfSample }) => !Number.isNaN(outOfSample));
  const sum = (name: keyof Premium) => known.reduce((total, premium) => total + premium[name], 0);
  return { inSample: sum("inSample"), outOfSample: sum("outOfSample"), picks: known.length };
}

function without(own: readonly (readonly Premium[])[], family: string) {
  const isOther = (_: Premium, template: number) => STUDIED[template]!.family !== family; // one per template
  return own.map((premiums) => premiums.filter(isOther));
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
