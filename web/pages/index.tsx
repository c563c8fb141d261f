import type { OverfittingIndex } from "../../api/overfitting-index.ts";
import {
  bandOf,
  indexMeaning,
  knownMonths,
  luckSentence,
  newestMonth,
  type KnownMonth,
} from "../index-months.ts";
import type { VNode } from "preact";
import { FigureAt } from "../charts/chart.tsx";
import { decimal, monthName, share, signedDecimal } from "../format.ts";
import { Page, type PageData } from "../layout.tsx";
import { Tiles } from "../table.tsx";
import { indexChart, layerChart } from "./index-figure.tsx";

/** `/index`: the Crypto Overfitting Index by month, its parts, and what it means. */
export function IndexPage({ data, about }: PageData<OverfittingIndex>): VNode {
  const newest = newestMonth(data);
  const drawn = knownMonths(data).findLast((month) => bandOf(month) !== null);
  return (
    <Page
      title="Crypto Overfitting Index"
      description="Does the ranking of strategies persist, month by month? 50 means picking the best backtest is a coin flip."
      path="/index"
      about={about}
      scripts={["values"]}
    >
      <h1>
        {newest === undefined
          ? "Crypto Overfitting Index"
          : `Overfitting index: ${decimal(newest.value, 1)}, ${indexMeaning(newest)}`}
      </h1>
      <p class="lead">
        Every month we rank 286 settings of 22 rules on each coin over two years, and again over the
        year after. The index says how much of the ranking is left.
      </p>
      {newest !== undefined && (
        <Tiles
          figures={[
            [`index, ${monthName(newest.month)}`, decimal(newest.value, 1)],
            ["among 13 settings of a rule", decimal(newest.components.tuning, 1)],
            ["among all 286 runs of a coin", decimal(newest.components.shopping, 1)],
            ["chance that the best falls below the median", share(newest.components.pbo)],
            [
              "rank correlation of both periods",
              signedDecimal(newest.components.rank_correlation, 2),
            ],
          ]}
        />
      )}
      <section aria-label="The index by month">
        <FigureAt file="/index" parts={indexChart(data)} about={about} />
        {about.isSynthetic && <DemoNote data={data} />}
      </section>
      <section aria-label="Both layers">
        <h2>Two ways to pick too well</h2>
        <p>
          The index is the mean of two layers: tuning one rule, and shopping among all of them. Each
          weighs how often the best falls below the median, how much of its lead is left, and how
          far the two rankings agree.
        </p>
        <div class="two even">
          {(["tuning", "shopping"] as const).map((name) => (
            <FigureAt
              key={name}
              file={`/index/${name}`}
              parts={layerChart(data, name)}
              about={about}
            />
          ))}
        </div>
      </section>
      <section class="two">
        <div>
          <h2>How to read it</h2>
          <p>
            <b>0</b>: the best strategies of one period were the best of the next. <b>50</b>:
            picking the best backtest was a coin flip. <b>Above 50</b>: it misled, the best did
            worse than the rest.
          </p>
          {drawn !== undefined && <LuckWords month={drawn} />}
          <p>{luckSentence(data)}</p>
        </div>
        <Limits />
      </section>
    </Page>
  );
}

function LuckWords({ month }: { readonly month: KnownMonth }): VNode {
  const { low, high, draws } = bandOf(month)!; // only called with one
  return (
    <p>
      When the same days are put in random order, nothing can persist, and the index still moves: in{" "}
      {monthName(month.month)}, 9 of 10 of the {decimal(draws, 0)} orders that we drew gave{" "}
      {decimal(low, 1)} to {decimal(high, 1)}. Each month has a band of its own coins, and a month
      inside can’t be told from luck.
    </p>
  );
}

function Limits(): VNode {
  return (
    <div>
      <h2>What it does not say</h2>
      <p>
        Nothing about profit: in a rising market all strategies can gain while their ranking is
        noise. Neighbouring months share 35 of their 36 months of data, so compare months at least a
        year apart. Today’s board of coins favours those that survived.
      </p>
    </div>
  );
}

/** What `make run` publishes is less than a whole run. */
function DemoNote({ data }: { readonly data: OverfittingIndex }): VNode {
  const draws = newestMonth(data)?.null_band?.draws ?? 0;
  return (
    <p class="notice" role="note">
      A demo market: {decimal(data.history.length, 0)} months, and{" "}
      {draws === 0 ? "no band of luck" : `a band of ${decimal(draws, 0)} random orders`}. A run on
      real prices has every month, and bands of 200 random orders.
    </p>
  );
}
