import type { z } from "zod";
import { Attribution } from "../../api/attribution.ts";
import type { History } from "../../api/history.ts";
import type { AnyRecord, Json } from "../../api/record.ts";
import { dateOfDay } from "../../quant/calendar.ts";
import { lastDayOfMonth, monthOfText } from "../../quant/month.ts";
import { ratedCoin, ratingWorth as ratingWorthOf } from "../../quant/signals/rating-worth.ts";
import { rowsOfBlocks, type Row } from "../../snapshots/dataset-tables.ts";
import { ratingWorthBlock } from "../../snapshots/tables/rating-worth.ts";
import { jsonOfBars } from "../../web/bars-data.ts";
import type { OperatorLinks } from "../../web/layout.tsx";
import { FIRST_RANGE, PRICE_RANGES } from "../../web/price-view.ts";
import type { RatingChange, SiteData } from "../../web/site-data.ts";
import { buyHold } from "../routes/buy-hold.ts";
import { history } from "../routes/history.ts";
import { dca } from "../routes/dca.ts";
import { dataset } from "../routes/dataset.ts";
import { dataOf, type ReadEndpoint } from "../routes/endpoint.ts";
import { originOf, type SnapshotData } from "../routes/snapshot-data.ts";
import { overfittingIndex } from "../routes/overfitting-index.ts";
import { ratingWorth } from "../routes/rating-worth.ts";
import { signals } from "../routes/signals.ts";
import { strategies } from "../routes/strategies.ts";
import { plainSource } from "./site.ts";
import { pageTypeOf } from "../../web/paths.ts";
import { sitemap } from "../../web/feed.ts";
import { renderPath } from "../../web/site.tsx";
import { subjectsOf, type SnapshotTexts } from "./snapshot-pages.ts";

/** The calculator's first amount, in dollars a week. */
const DCA_AMOUNT = 100;
/** How many days the chart of a coin shows at first. */
const PRICE_DAYS = PRICE_RANGES[FIRST_RANGE];
type HistoryData = Json<typeof History>;
/** How many days back a feed goes. */
const CHANGE_DAYS = 31;
/** How many days a coin's line on the board shows. */
const TREND_DAYS = 90;

/** The data of a snapshot's pages: the answers of the API, so that both have the same figures. */
export function siteDataOf(
  snapshot: SnapshotData,
  priced: ReadonlySet<string>,
  operator: OperatorLinks = {},
): SiteData {
  const { source, synthetic } = Attribution.from(originOf(snapshot));
  const about = {
    ...plainSource(operator, snapshot.publicUrl),
    snapshot: snapshot.id,
    source,
    isSynthetic: synthetic,
    asOf: dateOfDay(snapshot.manifest.asOf),
  };
  const answer = answersOf(snapshot);
  return {
    about,
    index: () => answer(overfittingIndex),
    dataset: (filter) => answer(dataset, filter),
    worth: () => answer(ratingWorth),
    monthBefore: () => {
      const before = answersOf({
        ...snapshot,
        overfittingIndex: snapshot.overfittingIndex.slice(0, -1),
        ratingWorth: worthBefore(snapshot),
      });
      return { index: before(overfittingIndex), worth: before(ratingWorth) };
    },
    board: () => answer(signals).board!, // there is one without a coin
    trend: (ticker) => (priced.has(ticker) ? snapshot.bars(ticker)!.close.slice(-TREND_DAYS) : []), // a ticker of the board
    ratingChanges: (coin) => {
      const from = snapshot.manifest.asOf - CHANGE_DAYS;
      return snapshot.coins
        .filter(({ ticker, lastDay }) => lastDay > from && (coin ?? ticker) === ticker)
        .flatMap(({ ticker }) => {
          const asked = { coin: ticker, columns: ["rating"], step: "day", from: dateOfDay(from) };
          return changesOf(ticker, answer(history, asked));
        });
    },
    templates: () => answer(strategies).templates,
    coin: (ticker) => ({
      reading: answer(signals, { coin: ticker }).signal!, // there is one with a coin
      years: answer(buyHold, { coin: ticker }).years,
      dca: answer(dca, { coin: ticker, amount: DCA_AMOUNT, frequency: "weekly" }),
      ...pricesOf(snapshot, ticker, priced.has(ticker)),
    }),
    bars: (ticker) => jsonOfBars(snapshot.bars(ticker)!), // the ticker is one of the snapshot's
    priced: [...priced],
    runs: () => snapshot.runs(),
  };
}

/** Answers of the API over a snapshot. */
function answersOf(snapshot: SnapshotData) {
  return <Data extends AnyRecord>(
    endpoint: ReadEndpoint<z.ZodObject, Data>,
    parameters: Readonly<Record<string, unknown>> = {},
  ) => dataOf(endpoint, snapshot, endpoint.resolve(snapshot, parameters));
}

/**
 * The rows of the rating's worth as of the month before the snapshot's, computed as the pipeline did then. It takes a second,
 * once for a feed, in the thread that makes pages.
 */
export function worthBefore({ ratingWorth: rows, coins, bars }: SnapshotData): readonly Row[] {
  const newest = monthOfText(String(rows[0]?.["month"]));
  if (newest === undefined) return [];
  const lastDay = lastDayOfMonth(newest - 1);
  const rated = coins.flatMap(({ ticker }) => ratedCoin(ticker, bars(ticker)!, lastDay) ?? []); // a coin of the snapshot
  const worth = ratingWorthOf(rated);
  return worth === undefined ? [] : rowsOfBlocks([ratingWorthBlock(newest - 1, worth)]);
}

/** Days on which the rating is another than on the day before. */
function changesOf(
  coin: string,
  { dates, ratings = [] }: Pick<HistoryData, "dates" | "ratings">,
): readonly RatingChange[] {
  return dates.flatMap((date, day) => {
    const [from, to] = [ratings[day - 1] ?? null, ratings[day] ?? null];
    return from === null || to === null || from === to ? [] : [{ coin, date, from, to }];
  });
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
    upper: columns.bollingerUpper.slice(-PRICE_DAYS),
    lower: columns.bollingerLower.slice(-PRICE_DAYS),
    trend: columns.supertrend.slice(-PRICE_DAYS),
    direction: columns.supertrendDirection.slice(-PRICE_DAYS),
  };
  const closes = { coin: ticker, firstDay, close: Array.from(bars.close) };
  return { prices, closes, firstDate };
}

/** A function that makes the text of each page of a snapshot, by path. */
export function snapshotTexts(
  snapshot: SnapshotData,
  { publicUrl, withholdsPrices, operator, staleDays }: SnapshotTexts,
): (path: string) => string {
  const subjects = subjectsOf(snapshot, withholdsPrices);
  const site = siteDataOf({ ...snapshot, publicUrl }, subjects.priced, operator);
  const data = { ...site, about: { ...site.about, staleDays } };
  return (path) => {
    const type = pageTypeOf(path, subjects)!; // it is one of them
    if (path === "/sitemap.xml") return sitemap(publicUrl, subjects);
    return renderPath(path, type, data);
  };
}
