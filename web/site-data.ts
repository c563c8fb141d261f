import type { Dataset } from "../api/dataset.ts";
import type { OverfittingIndex } from "../api/overfitting-index.ts";
import type { RatingWorth } from "../api/rating-worth.ts";
import type { Reading } from "../api/reading.ts";
import type { StrategyTemplate } from "../api/strategies.ts";
import type { BarsJson } from "./bars-data.ts";
import type { PageSource } from "./layout.tsx";
import type { CoinData } from "./pages/coin.tsx";
import type { CoinRuns } from "./runs-data.ts";

/** What the pages show: the API's own answers, made when a page needs them. */
export interface SiteData {
  readonly about: PageSource;
  index(): OverfittingIndex;
  /** With the picks of one template or coin only, if one is given. */
  dataset(filter?: { readonly template?: string; readonly coin?: string }): Dataset;
  board(): readonly Reading[];
  worth(): RatingWorth;
  /** The last closes of a coin, for its line on the board. */
  trend(ticker: string): ArrayLike<number>;
  coin(ticker: string): Omit<CoinData, "picks">;
  templates(): readonly StrategyTemplate[];
  /** Tickers of the board whose daily prices may be shown. */
  readonly priced: readonly string[];
  bars(ticker: string): BarsJson;
  runs(): readonly CoinRuns[];
}
