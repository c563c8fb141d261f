import type { HoldingYear } from "../../api/buy-hold.ts";
import type { DatasetPick } from "../../api/dataset-pick.ts";
import type { DcaPlan } from "../../api/dca.ts";
import type { Reading } from "../../api/reading.ts";
import { dcaPlans, type CoinCloses, type DcaSchedule } from "../dca-plans.ts";
import type { VNode } from "preact";
import { FigureAt, type ChartParts } from "../charts/chart.tsx";
import type { PriceSeries } from "../charts/price-chart.tsx";
import { PriceTools } from "../browser/price-tools.tsx";
import { DcaCalculator } from "../browser/dca-calculator.tsx";
import { dollars, ratingWords, signedPercent } from "../format.ts";
import { Page, type PageData, type PageSource } from "../layout.tsx";
import { priceDrawing } from "../price-view.ts";
import { HoldingSection, type Holding } from "./holding.tsx";
import { Table } from "../table.tsx";
import { picksRows } from "./picks.tsx";
import { RatingSection } from "./rating.tsx";

export interface CoinData {
  readonly reading: Reading;
  /** Null where the operator withholds prices; so are `closes`. */
  readonly prices: PriceSeries | null;
  readonly closes: CoinCloses | null;
  readonly firstDate: string;
  readonly years: readonly HoldingYear[];
  /** The outcome of the API's own defaults. */
  readonly dca: DcaPlan;
  /** The picks on this coin; empty for one whose history is too short for the dataset. */
  readonly picks: readonly DatasetPick[];
}

/** `/coins/<ticker>` */
export function CoinPage({ data, about }: PageData<CoinData>): VNode {
  const { reading, picks } = data;
  const { coin, name, date, summary, indicators } = reading;
  const ticker = coin.toUpperCase();
  return (
    <Page
      title={`${name} (${ticker})`}
      description={`${name}: signals, what buying and holding returned, and what 22 rules did on it.`}
      path={`/coins/${coin}`}
      about={about}
      scripts={data.closes === null ? ["values"] : ["values", "prices", "dca"]}
    >
      <h1>
        {name} <span class="ticker">{ticker}</span>
      </h1>
      <p class="lead">
        {ratingSentence(summary)} {ticker} closed{" "}
        {data.closes !== null && `at ${dollars(reading.close_usd)} `}on {date},{" "}
        {reading.change_30d_pct !== null &&
          `${signedPercent(reading.change_30d_pct)} in 30 days and `}
        {signedPercent(indicators.drawdown_from_high_pct?.value)} from its highest close.
      </p>
      {reading.stale && (
        <p class="notice" role="note">
          {ticker} has no prices after {date}: everything on this page is as of that day.
        </p>
      )}
      <Prices data={data} about={about} />
      <RatingSection reading={reading} />
      <HoldingSection data={holdingOf(data)} about={about} />
      <Savings data={data} ticker={ticker} isSynthetic={about.isSynthetic} />
      <Rules coin={coin} picks={picks} about={about} />
    </Page>
  );
}

function ratingSentence(summary: Reading["summary"]): string {
  if (summary === null || summary.rating === null) return "Not rated yet.";
  const { buy, neutral, sell, rating } = summary;
  const words = ratingWords(rating);
  return `Rated ${words}: of ${buy + neutral + sell} signals, ${buy} say buy and ${sell} sell.`;
}

interface Part {
  readonly data: CoinData;
  readonly ticker: string;
  readonly isSynthetic: boolean;
}

type OfCoin = Omit<CoinData, "picks">;

export function holdingOf({ reading, years, closes }: OfCoin): Holding {
  const { coin, date } = reading;
  return { ticker: coin.toUpperCase(), until: date, years, hasPrices: closes !== null };
}

/** The days that are shown first. */
export function coinPrices({ prices, reading }: OfCoin): ChartParts | null {
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

/** Other periods are drawn in the browser, from what `/coins/<ticker>/bars.json` has. */
function Prices({ data, about }: PageData<CoinData>): VNode {
  const { coin } = data.reading;
  const parts = coinPrices(data);
  if (parts === null) return <NotShown title="Price" what="Daily prices" />;
  return (
    <section aria-label="Price">
      <div id="price-tools">
        <PriceTools />
      </div>
      <div id="price-picture" data-coin={coin} data-synthetic={about.isSynthetic ? "" : undefined}>
        <FigureAt file={`/coins/${coin}/price`} parts={parts} about={about} />
      </div>
    </section>
  );
}

function NotShown({ title, what }: { readonly title: string; readonly what: string }): VNode {
  return (
    <section>
      <h2>{title}</h2>
      <p>{what} are not shown here.</p>
    </section>
  );
}

/** The calculator's data are attributes of its element, because the page's policy allows no inline script. */
function Savings({ data: { closes, dca, firstDate }, ticker, isSynthetic }: Part): VNode {
  if (closes === null) return <NotShown title="Bit by bit or all at once" what="Schedules" />;
  const first: DcaSchedule = {
    amount: dca.amount_usd ?? 0,
    frequency: dca.frequency,
    startDate: dca.start_date,
    endDate: dca.end_date,
    feePct: 0,
  };
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

function Rules({
  coin,
  picks,
  about,
}: {
  readonly coin: string;
  readonly picks: readonly DatasetPick[];
  readonly about: PageSource;
}): VNode {
  const ticker = coin.toUpperCase();
  if (picks.length === 0) {
    return (
      <section>
        <h2>No backtests yet</h2>
        <p>{ticker} has too short a history for the dataset.</p>
      </section>
    );
  }
  const beat = (of: (pick: DatasetPick) => readonly [number | null, number | null]) =>
    picks.filter((pick) => (of(pick)[0] ?? -Infinity) > (of(pick)[1] ?? Infinity)).length;
  const bySharpe = beat(({ out_of_sample: part, buy_hold: hold }) => [
    part.sharpe,
    hold.out_of_sample_sharpe,
  ]);
  const byReturn = beat(({ out_of_sample: part, buy_hold: hold }) => [
    part.return_pct,
    hold.out_of_sample_return_pct,
  ]);
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
      <FigureAt
        file={`/coins/${coin}/picks`}
        parts={picksRows({ picks, by: "template" })}
        about={about}
      />
    </section>
  );
}
