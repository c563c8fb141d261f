import type { Dataset } from "../../api/dataset.ts";
import type { Reading } from "../../api/reading.ts";
import { dcaPlans, type DcaSchedule } from "../dca-plans.ts";
import type { VNode } from "preact";
import { figureAt, type ChartParts } from "../charts/chart.tsx";
import { PriceTools } from "../browser/price-tools.tsx";
import { DcaCalculator } from "../browser/dca-calculator.tsx";
import { dollars, ratingWords, signedPercent } from "../format.ts";
import { Page, type PageSource } from "../layout.tsx";
import { priceDrawing } from "../price-view.ts";
import type { CoinData, SiteData } from "../site-data.ts";
import { holdingSection } from "./holding.tsx";
import { Table } from "../table.tsx";
import { picksRows } from "./picks.tsx";
import { ratingSection } from "./rating.tsx";
import { terms } from "./terms.tsx";
import { worthTitle } from "./worth.tsx";

/** `/coins/<ticker>` */
export function coinPage(site: SiteData, coin: string): VNode {
  const { about } = site;
  const data = site.coin(coin);
  const { reading, closes } = data;
  const { name, date, summary, indicators } = reading;
  const ticker = coin.toUpperCase();
  return (
    <Page
      title={`${name} (${ticker})`}
      description={`${name}: signals, what buying and holding returned, and what 22 rules did on it.`}
      path={`/coins/${coin}`}
      card={`/coins/${coin}/${closes === null ? "holding" : "price"}.png`}
      about={about}
      scripts={closes === null ? ["values"] : ["values", "prices", "dca"]}
    >
      <h1>
        {name} <span class="ticker">{ticker}</span>
      </h1>
      <p class="lead">
        {ratingSentence(summary)} {ticker} closed{" "}
        {closes !== null && `at ${dollars(reading.close_usd)} `}on {date},{" "}
        {reading.change_30d_pct !== null &&
          `${signedPercent(reading.change_30d_pct)} in 30 days and `}
        {signedPercent(indicators.drawdown_from_high_pct?.value)} from its highest close.
      </p>
      {reading.stale && (
        <p class="notice" role="note">
          {ticker} has no prices after {date}: everything on this page is as of that day.
        </p>
      )}
      {pricesSection(data, about)}
      {ratingSection(reading, worthTitle(site.worth()))}
      {holdingSection(data, about)}
      {savingsSection(data, about.isSynthetic)}
      {rulesSection(coin, site.dataset({ coin }), about)}
    </Page>
  );
}

function ratingSentence(summary: Reading["summary"]): string {
  if (summary === null || summary.rating === null) return "Not rated yet.";
  const { buy, neutral, sell, rating } = summary;
  const words = ratingWords(rating);
  return `Rated ${words}: of ${buy + neutral + sell} signals, ${buy} say buy and ${sell} sell.`;
}

/** The prices that the page shows first. */
export function coinPrices({ prices, reading }: CoinData): ChartParts | null {
  if (prices === null) return null;
  const ticker = reading.coin.toUpperCase();
  const column = (name: string, values: ArrayLike<number>) => {
    return { name, cell: (day: number) => (values[day]! > 0 ? String(values[day]) : "") };
  };
  const rows = (
    <Table
      label={`Daily closes of ${ticker}`}
      columns={[
        { name: "date", isText: true, cell: (day) => prices.dates[day] },
        column("close_usd", prices.close),
        column("bollinger_lower", prices.lower),
        column("bollinger_upper", prices.upper),
        column("supertrend", prices.trend),
      ]}
      rows={prices.dates.map((_, day) => day)}
    />
  );
  return { drawing: priceDrawing(prices, { ticker, isLinear: false }), rows };
}

/** The newest period. A script draws the others, from `/coins/<ticker>/bars.json`. */
function pricesSection(data: CoinData, about: PageSource): VNode {
  const { coin } = data.reading;
  const parts = coinPrices(data);
  if (parts === null) return notShown("Price", "Daily prices");
  return (
    <section aria-label="Price">
      <div id="price-tools">
        <PriceTools />
      </div>
      <div id="price-picture" data-coin={coin} data-synthetic={about.isSynthetic ? "" : undefined}>
        {figureAt(`/coins/${coin}/price`, parts, about)}
      </div>
      {terms("supertrend", "bollinger", "sharpe")}
    </section>
  );
}

function notShown(title: string, what: string): VNode {
  return (
    <section>
      <h2>{title}</h2>
      <p>{what} are not shown here.</p>
    </section>
  );
}

/** The calculator's data are attributes of its element, because the page's policy allows no inline script. */
function savingsSection({ closes, dca, firstDate }: CoinData, isSynthetic: boolean): VNode {
  if (closes === null) return notShown("Bit by bit or all at once", "Schedules");
  const first: DcaSchedule = {
    amount: dca.amount_usd ?? 0,
    frequency: dca.frequency,
    startDate: dca.start_date,
    endDate: dca.end_date,
    feePct: 0,
  };
  const ticker = dca.coin.toUpperCase();
  const props = { ticker, firstDate, lastDate: dca.end_date, isSynthetic, first };
  return (
    <section aria-label="Buying bit by bit">
      <h2>All at once, or a little each week?</h2>
      <p>
        The same amount at intervals (dollar-cost averaging, DCA), against the same money on the
        first day. The address keeps your numbers, so you can send it.
      </p>
      <div id="dca" data-props={JSON.stringify(props)} data-closes={JSON.stringify(closes)}>
        <DcaCalculator {...props} outcomeOf={dcaPlans(closes)} />
      </div>
    </section>
  );
}

/** In how many pairs the first figure is above the second; a pair with a missing figure does not count. */
const countAbove = (pairs: readonly (readonly [number | null, number | null])[]) =>
  pairs.filter(([own, other]) => (own ?? -Infinity) > (other ?? Infinity)).length;

/** The picks of a coin, and where they come among those of all coins. */
export function coinPicks(data: Dataset, coin: string): ChartParts | null {
  const { by_coin: coins, overall } = data.headline;
  const above = "picks_above_settings";
  const all = overall[above];
  const own = coins[coin]?.[above]?.value ?? NaN;
  const others = Object.values(coins).map((each) => each[above]?.value ?? NaN);
  const higher = others.filter((each) => each > own).length;
  const rank = higher === 0 ? "the highest" : `${higher} are higher`;
  const among = `of ${others.length} coins ${rank}; over all, ${all?.value ?? 0} of ${all?.n ?? 0}`;
  return picksRows(data.picks, "template", { own: coins[coin]?.[above], among });
}

function rulesSection(coin: string, data: Dataset, about: PageSource): VNode {
  const { picks } = data;
  const ticker = coin.toUpperCase();
  if (picks.length === 0) {
    return (
      <section>
        <h2>No backtests yet</h2>
        <p>{ticker} has too short a history for the dataset.</p>
      </section>
    );
  }
  const bySharpe = countAbove(
    picks.map(({ out_of_sample: own, buy_hold: hold }) => [own.sharpe, hold.out_of_sample_sharpe]),
  );
  const byReturn = countAbove(
    picks.map((pick) => [pick.out_of_sample.return_pct, pick.buy_hold.out_of_sample_return_pct]),
  );
  return (
    <section aria-label="Backtests" class="two">
      <div>
        <h2>
          {byReturn} of {picks.length} rules returned more than holding {ticker}, {bySharpe} had a
          better Sharpe ratio
        </h2>
        <p>
          For each rule, the setting that was best in the first 70&nbsp;% of days, and what became
          of it in the rest. The dot is its Sharpe ratio, the circle the mean of the 13 settings
          that it was chosen among. If choosing worked, dots would lie to the right of circles.
        </p>
        <p>
          <a href={`/dataset/coins/${coin}`}>Every rule on {ticker}, with its parameters</a>
        </p>
      </div>
      {figureAt(`/coins/${coin}/picks`, coinPicks(data, coin), about)}
    </section>
  );
}
