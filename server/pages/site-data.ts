import { dateOfDay } from "../../quant/calendar.ts";
import { jsonOfBars } from "../../web/bars-data.ts";
import type { SiteData } from "../../web/site.tsx";
import { attributionOf } from "../routes/attribution.ts";
import { buyHold } from "../routes/buy-hold.ts";
import { dca } from "../routes/dca.ts";
import { dataset } from "../routes/dataset.ts";
import type { ReadEndpoint } from "../routes/endpoint.ts";
import { overfittingIndex } from "../routes/overfitting-index.ts";
import { signals } from "../routes/signals.ts";
import type { SnapshotData } from "../routes/snapshot-data.ts";
import { strategies } from "../routes/strategies.ts";
import { plainSource } from "./assets.ts";

/** What the calculator buys for at first, in dollars a week. */
const DCA_AMOUNT = 100;
/** How many days a coin's picture shows: two years. */
const PRICE_DAYS = 730;
/** How many days its line on the board shows. */
const TREND_DAYS = 90;

/** What the pages of a snapshot show: the answers of the API, so that both have the same figures. */
export function siteDataOf(snapshot: SnapshotData, priced: ReadonlySet<string>): SiteData {
  const { source, synthetic } = attributionOf(snapshot);
  const about = { ...plainSource(), snapshot: snapshot.id, source, isSynthetic: synthetic };
  // Pages name the members that they show; `test/server/pages` holds them against the API's answers.
  const answer = (
    endpoint: ReadEndpoint,
    parameters: Readonly<Record<string, unknown>> = {},
  ): unknown => endpoint.answer(snapshot, endpoint.resolve(snapshot, parameters));
  type Part<Name extends keyof SiteData> = ReturnType<Extract<SiteData[Name], () => unknown>>;
  type Coin = ReturnType<SiteData["coin"]>;
  return {
    about,
    index: () => answer(overfittingIndex) as Part<"index">,
    dataset: (filter) => answer(dataset, filter) as Part<"dataset">,
    board: () => (answer(signals) as { board: Part<"board"> }).board,
    trend: (ticker) => (priced.has(ticker) ? snapshot.bars(ticker)!.close.slice(-TREND_DAYS) : []), // a ticker of the board
    templates: () => (answer(strategies) as { templates: Part<"templates"> }).templates,
    coin: (ticker) => ({
      reading: (answer(signals, { coin: ticker }) as { signal: Coin["reading"] }).signal,
      years: (answer(buyHold, { coin: ticker }) as Coin).years,
      dca: answer(dca, { coin: ticker, amount: DCA_AMOUNT, frequency: "weekly" }) as Coin["dca"],
      ...pricesOf(snapshot, ticker, priced.has(ticker)),
    }),
    bars: (ticker) => jsonOfBars(snapshot.bars(ticker)!), // the ticker is one of the snapshot's
    priced: [...priced],
    runs: () => snapshot.runs(),
  };
}

function pricesOf(
  snapshot: SnapshotData,
  ticker: string,
  isPriced: boolean,
): Pick<ReturnType<SiteData["coin"]>, "prices" | "closes" | "firstDate"> {
  const bars = snapshot.bars(ticker)!; // the ticker is one of the snapshot's
  const columns = snapshot.indicators(ticker)!;
  const firstDay = bars.day[0]!;
  const firstDate = dateOfDay(firstDay);
  if (!isPriced) return { prices: null, closes: null, firstDate };
  const prices = {
    dates: Array.from(bars.day.slice(-PRICE_DAYS), dateOfDay),
    close: bars.close.slice(-PRICE_DAYS),
    upper: columns.bollinger_upper.slice(-PRICE_DAYS),
    lower: columns.bollinger_lower.slice(-PRICE_DAYS),
    trend: columns.supertrend.slice(-PRICE_DAYS),
    direction: columns.supertrend_direction.slice(-PRICE_DAYS),
  };
  const closes = { firstDay, close: Array.from(bars.close) };
  return { prices, closes, firstDate };
}
