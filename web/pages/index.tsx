import type { OverfittingIndex } from "../../api/overfitting-index.ts";
import {
  bandOf,
  indexWords,
  knownMonths,
  luckSentence,
  newestMonth,
  type KnownMonth,
} from "../index-months.ts";
import type { VNode } from "preact";
import { figureAt } from "../charts/chart.tsx";
import { plain } from "../claim.ts";
import { decimal, monthName } from "../format.ts";
import { Page } from "../layout.tsx";
import type { SiteData } from "../site-data.ts";
import { Tiles } from "../table.tsx";
import { indexChart, layerChart } from "./index-figure.tsx";
import { terms } from "./terms.tsx";

/** `/index`: the Crypto Overfitting Index by month, its parts, and what it means. */
export function indexPage(site: SiteData): VNode {
  const { about } = site;
  const data = site.index();
  const newest = newestMonth(data);
  const drawn = knownMonths(data).findLast((month) => bandOf(month) !== null);
  return (
    <Page
      title="Crypto Overfitting Index"
      description="Does the ranking of strategies persist, month by month? 50 means picking the best backtest is a coin flip."
      path="/index"
      card="/index.png"
      about={about}
      scripts={["values"]}
    >
      <h1>
        {newest === undefined
          ? "Crypto Overfitting Index"
          : plain(`Overfitting index: ${indexWords(newest, data.luck)}`)}
      </h1>
      <p class="lead">
        Every month we rank 286 settings of 22 rules on each coin over two years, and again over the
        year after. The index says how much of the ranking is left.
      </p>
      {newest !== undefined && newestTiles(newest, data.luck)}
      <section aria-label="The index by month">
        {figureAt("/index", indexChart(data), about)}
        {about.isSynthetic && demoNote(data)}
      </section>
      <section aria-label="Both layers">
        <h2>Two ways to pick too well</h2>
        <p>
          The index is the mean of two layers: tuning one rule, and shopping among all of them. Each
          weighs how often the best falls below the median, how much of its lead is left, and how
          far the two rankings agree.
        </p>
        {terms("rank", "sharpe")}
        <div class="two even">
          {figureAt("/index/tuning", layerChart(data, "tuning"), about)}
          {figureAt("/index/shopping", layerChart(data, "shopping"), about)}
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
          {drawn !== undefined && luckWords(drawn)}
          <p>{luckSentence(data)}</p>
          <p>
            It would move where settings that did well went on doing well, on most coins at once:
            then below the band, for a year or more, since neighbouring months share their data.
            Then choosing by backtest would pay, and one could choose; inside the band a default
            setting does as well. Planting a lasting difference of 0.10 in Sharpe ratio between
            settings is enough to see it in <a href="/dataset#robustness">the dataset</a>.
          </p>
        </div>
        <div>
          <h2>What it does not say</h2>
          <p>
            Nothing about profit: in a rising market all strategies can gain while their ranking is
            noise. Neighbouring months share 35 of their 36 months of data, so compare months at
            least a year apart. The snapshot’s board of coins favours those that survived.
          </p>
        </div>
      </section>
    </Page>
  );
}

/** The index beside the band of all months, as its chart has it; its layers beside that of their own month. */
function newestTiles(
  { month, value, components, null_band: band }: KnownMonth,
  all: OverfittingIndex["luck"],
): VNode {
  const beside = (low: number | null | undefined, high: number | null | undefined, of: string) =>
    typeof low === "number" && typeof high === "number"
      ? `luck alone${of}: ${decimal(low, 0)} to ${decimal(high, 0)}`
      : "luck not drawn";
  const own = `, ${decimal(band?.draws, 0)} draws`;
  return (
    <Tiles
      figures={[
        [`index, ${monthName(month)}`, decimal(value, 1), beside(all.low, all.high, "")],
        [
          "among 13 settings of a rule",
          decimal(components.tuning, 1),
          beside(band?.tuning_low, band?.tuning_high, own),
        ],
        [
          "among all 286 settings on a coin",
          decimal(components.shopping, 1),
          beside(band?.shopping_low, band?.shopping_high, own),
        ],
      ]}
    />
  );
}

function luckWords(month: KnownMonth): VNode {
  const { low, high, draws } = bandOf(month)!; // the caller has looked for one
  return (
    <p>
      When the same days are put in random order, nothing can persist, and the index still moves: in{" "}
      {monthName(month.month)}, 9 of 10 of the {decimal(draws, 0)} orders that we drew gave{" "}
      {decimal(low, 1)} to {decimal(high, 1)}. Each month has a band of its own coins, and a month
      inside can’t be told from luck.
    </p>
  );
}

/** Says that the demo of `make run` is less than a whole run. */
function demoNote(data: OverfittingIndex): VNode {
  const draws = newestMonth(data)?.null_band?.draws ?? 0;
  return (
    <p class="notice" role="note">
      A demo market: {decimal(data.history.length, 0)} months, and{" "}
      {draws === 0 ? "no band of luck" : `a band of ${decimal(draws, 0)} random orders`}. A run on
      real prices has every month, and bands of 200 random orders.
    </p>
  );
}
