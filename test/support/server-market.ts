import type { Bars } from "../../quant/bars.ts";
import { computeIndicators } from "../../quant/indicators/columns.ts";
import { buyHoldYears } from "../../quant/outcomes/buy-hold.ts";
import { dcaColumns } from "../../quant/outcomes/dca.ts";
import { oncePerObject, type SnapshotData } from "../../server/routes/snapshot-data.ts";
import { madeUpBars } from "./made-up-bars.ts";
import {
  madeUpDataset,
  madeUpIndex,
  madeUpIndexDraws,
  madeUpRatingWorth,
  madeUpRuns,
} from "./made-up-dataset.ts";

/** 2020-01-01, the first day of made-up bars. */
export const FIRST_DAY = 18_262;
/** 2022-06-18. */
export const AS_OF = FIRST_DAY + 899;

/** A made-up coin of the test market. */
export interface MarketCoin {
  readonly ticker: string;
  readonly name: string;
  readonly firstDay: number;
  readonly days: number;
}

/** Two full histories, one that began later, one that ended 10 days early, and one of five days. */
export const MARKET: readonly MarketCoin[] = [
  { ticker: "btc", name: "Bitcoin", firstDay: FIRST_DAY, days: 900 },
  { ticker: "eth", name: "Ethereum", firstDay: FIRST_DAY, days: 900 },
  { ticker: "sol", name: "Solana", firstDay: FIRST_DAY + 500, days: 400 },
  { ticker: "old", name: "Old Coin", firstDay: FIRST_DAY, days: 890 },
  { ticker: "new", name: "New Coin", firstDay: FIRST_DAY + 895, days: 5 },
];

const indicatorsOf = oncePerObject(computeIndicators);
const DCA = {
  weekly: oncePerObject((bars: Bars) => dcaColumns(bars, "weekly")),
  monthly: oncePerObject((bars: Bars) => dcaColumns(bars, "monthly")),
};

/** The data that routes read from a snapshot, computed by the functions of the pipeline. */
export function marketSnapshot(
  id = "2022-06-18T20220619T001000000Z-0123456789ab",
  market: readonly MarketCoin[] = MARKET,
  { synthetic = true, source = "demo" } = {},
): SnapshotData {
  const coins = market.map(({ ticker, name, firstDay, days }) => {
    const lastDay = firstDay + days - 1;
    return { ticker, name, firstDay, lastDay, stale: AS_OF - lastDay > 2 };
  });
  const bars = new Map(market.map((coin, index) => [coin.ticker, barsOf(coin, index + 1)]));
  const of =
    <T>(make: (bars: Bars) => T) =>
    (ticker: string): T | undefined => {
      const found = bars.get(ticker);
      return found === undefined ? undefined : make(found);
    };
  return {
    id,
    manifest: { asOf: AS_OF, source, synthetic },
    coins,
    bars: (ticker) => bars.get(ticker),
    indicators: of(indicatorsOf),
    dca: (ticker, frequency) => of(DCA[frequency])(ticker),
    buyHold: of(buyHoldYears),
    dataset: madeUpDataset(),
    runs: madeUpRuns,
    ratingWorth: madeUpRatingWorth(),
    overfittingIndex: madeUpIndex(),
    overfittingIndexDraws: madeUpIndexDraws(),
  };
}

function barsOf({ firstDay, days }: MarketCoin, seed: number): Bars {
  const bars = madeUpBars({ seed, days });
  return { ...bars, day: Int32Array.from({ length: days }, (_, row) => firstDay + row) };
}
