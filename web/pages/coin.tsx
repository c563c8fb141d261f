import type { VNode } from "preact";
import { Figure } from "../charts/chart.tsx";
import { priceChart, type PriceSeries } from "../charts/price-chart.tsx";
import type { DatasetPick } from "../dataset-data.ts";
import { decimal, dollars, share, signedPercent } from "../format.ts";
import { Page, type PageSource } from "../layout.tsx";
import {
  ratingWords,
  type CoinReading,
  type HoldingYear,
  type RatingCount,
} from "../market-data.ts";
import { Table } from "../table.tsx";
import { PicksFigure, PicksTable } from "./picks.tsx";

const DAYS_A_YEAR = 365;

export interface CoinData {
  readonly reading: CoinReading;
  readonly prices: PriceSeries;
  readonly years: readonly HoldingYear[];
  /** The picks on this coin; empty for one whose history is too short for the dataset. */
  readonly picks: readonly DatasetPick[];
}

/** `/coins/<ticker>` */
export function CoinPage({
  data,
  about,
}: {
  readonly data: CoinData;
  readonly about: PageSource;
}): VNode {
  const { reading, prices, years, picks } = data;
  const { coin, name, date, summary, indicators } = reading;
  const ticker = coin.toUpperCase();
  return (
    <Page
      title={`${name} (${ticker})`}
      description={`${name}: signals, what buying and holding returned, and what 22 rules did on it.`}
      path={`/coins/${coin}`}
      about={about}
    >
      <h1>
        {name}: {ratingWords(summary?.rating)}
      </h1>
      <p class="lead">
        {ticker} closed at {dollars(reading.close_usd)} on {date},{" "}
        {signedPercent(reading.change_30d_pct)} in 30 days and{" "}
        {signedPercent(indicators.drawdown_from_high_pct?.value)} from its highest close.
      </p>
      <section aria-label="Price">
        <Figure
          drawing={priceChart(prices, {
            title: trendTitle(ticker, indicators.supertrend?.direction),
            subtitle:
              "Daily closes in US dollars, logarithmic; shaded: Bollinger bands of 20 days; SuperTrend teal below the price, amber above",
            isSynthetic: about.isSynthetic,
          })}
        />
      </section>
      {summary !== null && (
        <section class="two">
          <div>
            <h2>What the rating is made of</h2>
            <p>Each signal counts the same; the rating is the mean of both halves.</p>
          </div>
          <RatingTable
            rows={[
              ["moving averages", summary.moving_averages],
              ["oscillators", summary.oscillators],
              ["all", summary],
            ]}
          />
        </section>
      )}
      <Holding ticker={ticker} years={years} />
      <Rules ticker={ticker} picks={picks} isSynthetic={about.isSynthetic} />
    </Page>
  );
}

function trendTitle(ticker: string, direction: "up" | "down" | undefined): string {
  if (direction === undefined) return `${ticker}, day by day`;
  return direction === "up"
    ? `${ticker} is above its SuperTrend line`
    : `${ticker} is below its SuperTrend line`;
}

function RatingTable({
  rows,
}: {
  readonly rows: readonly (readonly [string, RatingCount])[];
}): VNode {
  return (
    <Table
      label="Signals by kind"
      columns={[
        { name: "signals", isText: true, cell: ([name]) => name },
        { name: "buy", cell: ([, count]) => String(count.buy) },
        { name: "neutral", cell: ([, count]) => String(count.neutral) },
        { name: "sell", cell: ([, count]) => String(count.sell) },
        { name: "score", cell: ([, count]) => decimal(count.score, 2) },
        { name: "rating", isText: true, cell: ([, count]) => ratingWords(count.rating) },
      ]}
      rows={rows}
    />
  );
}

function Holding({
  ticker,
  years,
}: {
  readonly ticker: string;
  readonly years: readonly HoldingYear[];
}): VNode {
  const known = years.filter(({ return_pct: gain }) => gain !== null);
  const gains = known.filter(({ return_pct: gain }) => gain! > 0).length; // known
  return (
    <section aria-label="Buying and holding">
      <h2>
        Bought at the start of a year and held, {ticker} gained from {gains} of {known.length} years
      </h2>
      <Table
        label={`Buying and holding ${ticker}, by year of purchase`}
        columns={[
          { name: "bought", isText: true, cell: ({ entry_date: entry }) => entry },
          { name: "at", cell: ({ entry_price_usd: price }) => dollars(price) },
          { name: "$1,000 became", cell: ({ value_of_1000_usd: value }) => dollars(value) },
          { name: "return", cell: ({ return_pct: gain }) => signedPercent(gain) },
          {
            name: "a year",
            // A rate of some weeks, compounded to a year, is no figure to read.
            cell: ({ cagr_pct: rate, days_held: days }) =>
              signedPercent(days < DAYS_A_YEAR ? null : rate),
          },
          { name: "at its best", cell: ({ peak_return_pct: peak }) => signedPercent(peak) },
          { name: "worst fall", cell: ({ max_drawdown_pct: fall }) => signedPercent(fall) },
        ]}
        rows={years.toReversed()}
      />
    </section>
  );
}

function Rules({
  ticker,
  picks,
  isSynthetic,
}: {
  readonly ticker: string;
  readonly picks: readonly DatasetPick[];
  readonly isSynthetic: boolean;
}): VNode {
  if (picks.length === 0) {
    return (
      <section>
        <h2>No backtests yet</h2>
        <p>{ticker} has too short a history for the dataset.</p>
      </section>
    );
  }
  const beat = picks.filter(({ out_of_sample: part, buy_hold: hold }) => {
    return (part.sharpe ?? -Infinity) > (hold.out_of_sample_sharpe ?? Infinity);
  });
  return (
    <section aria-label="Backtests">
      <h2>
        {share(beat.length / picks.length)} of {picks.length} rules beat holding {ticker} afterwards
      </h2>
      <p>
        For each rule, the setting that was best in the first 70&nbsp;% of days, and its Sharpe
        ratio in the rest beside that of holding the coin.
      </p>
      <PicksFigure picks={picks} by="template" isSynthetic={isSynthetic} />
      <h3>Rule by rule</h3>
      <PicksTable picks={picks} by="template" isSynthetic={isSynthetic} />
    </section>
  );
}
