import type { HoldingYear } from "../api/buy-hold.ts";
import type { Dataset } from "../api/dataset.ts";
import type { DcaPlan } from "../api/dca.ts";
import type { OverfittingIndex } from "../api/overfitting-index.ts";
import type { RatingWorth } from "../api/rating-worth.ts";
import type { Reading } from "../api/reading.ts";
import type { StrategyTemplate } from "../api/strategies.ts";
import type { BarsJson } from "./bars-data.ts";
import type { PriceSeries } from "./charts/price-chart.tsx";
import type { CoinCloses } from "./dca-plans.ts";
import type { PageSource } from "./layout.tsx";
import type { CoinRuns } from "./runs-data.ts";

/** What the pages show: the API's own answers, made when a page needs them. */
export interface SiteData {
  readonly about: PageSource;
  index(): OverfittingIndex;
  /** The whole dataset, or with the picks of one template or coin alone. */
  dataset(filter?: { readonly template?: string; readonly coin?: string }): Dataset;
  board(): readonly Reading[];
  worth(): RatingWorth;
  /** The same as of the month before the newest, as far as a snapshot has what they are computed from. */
  monthBefore(): { readonly index: OverfittingIndex; readonly worth: RatingWorth };
  /** The last closes of a coin, for its line on the board; empty where the operator withholds prices. */
  trend(ticker: string): ArrayLike<number>;
  coin(ticker: string): CoinData;
  /** Changes of ratings in the last 30 days, of one coin or of all. */
  ratingChanges(coin?: string): readonly RatingChange[];
  templates(): readonly StrategyTemplate[];
  /** Tickers of the coins whose daily prices may be shown. */
  readonly priced: readonly string[];
  bars(ticker: string): BarsJson;
  runs(): readonly CoinRuns[];
}

export interface RatingChange {
  readonly coin: string;
  /** ISO date of the close. */
  readonly date: string;
  readonly from: string;
  readonly to: string;
}

/** What the page of a coin shows, besides its picks. */
export interface CoinData {
  readonly reading: Reading;
  /** Null, as are `closes`, where the operator withholds prices. */
  readonly prices: PriceSeries | null;
  readonly closes: CoinCloses | null;
  readonly firstDate: string;
  readonly years: readonly HoldingYear[];
  /** The outcome of the API's own defaults. */
  readonly dca: DcaPlan;
}
