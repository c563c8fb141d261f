import type { VNode } from "preact";
import { LuckCalculator } from "../browser/luck-calculator.tsx";
import { mediansOf, FindingFigure, keptSentence, yearsSentence } from "./finding.tsx";
import { IndexFigure } from "./index-figure.tsx";
import type { DatasetData } from "../dataset-data.ts";
import { decimal, share } from "../format.ts";
import { indexMeaning, newestMonth, type IndexData } from "../index-data.ts";
import { Page, type PageSource } from "../layout.tsx";

export interface HomeData {
  readonly dataset: DatasetData;
  readonly index: IndexData;
}

const PURPOSE = "How crypto strategies really did, and how much of a good backtest is luck.";

/** `/`: what this is, the main finding as a picture, the index now, and the ways in. */
export function Home({
  data,
  about,
}: {
  readonly data: HomeData;
  readonly about: PageSource;
}): VNode {
  const { dataset, index } = data;
  return (
    <Page
      title="Hindsight: how much of a good backtest is luck?"
      description={PURPOSE}
      path="/"
      about={about}
      scripts={["luck"]}
    >
      <h1>How much of a good backtest is luck?</h1>
      <p class="lead">
        Try enough settings and one will look brilliant. Move the sliders to yours, or check the
        file your tool wrote.
      </p>
      <section aria-label="Luck calculator">
        <div id="luck">
          <LuckCalculator />
        </div>
      </section>
      <section class="two" aria-label="The main finding">
        <Finding data={dataset} />
        <FindingFigure data={dataset} isSynthetic={about.isSynthetic} />
      </section>
      <IndexNow index={index} about={about} />
      <section aria-label="Where to go on">
        <div class="doors">
          <a class="card" href="/check">
            <b>Check my backtest</b>
            <span>
              How much of your Sharpe ratio luck would show, by how many settings you tried
            </span>
          </a>
          <a class="card" href="/coins">
            <b>Coins</b>
            <span>Signals, buying and holding, and what 286 settings of 22 rules did on each</span>
          </a>
          <a class="card" href="/docs">
            <b>The API</b>
            <span>Everything here as JSON over HTTP, and as Parquet files to recompute</span>
          </a>
        </div>
      </section>
    </Page>
  );
}

function Finding({ data }: { readonly data: DatasetData }): VNode {
  const { templates, coins, variants, runs_total: runs, in_sample: part } = data.dataset;
  const medians = mediansOf(data);
  return (
    <div>
      <h2>
        We picked the best setting {decimal(data.picks_total, 0)} times and looked at what came of
        it
      </h2>
      <p>
        {templates} well-known rules on {coins} coins, {variants} settings each: {decimal(runs, 0)}{" "}
        backtests. Each time we kept the setting that was best in the first {share(part.share)} of
        days and followed it through the rest.
      </p>
      {medians !== undefined && (
        <p>
          While choosing, the median pick had a Sharpe ratio of {decimal(medians.picks[0], 2)}{" "}
          against {decimal(medians.all[0], 2)} of all settings; afterwards{" "}
          {decimal(medians.picks[1], 2)} against {decimal(medians.all[1], 2)}. {keptSentence(data)}{" "}
          {yearsSentence(data)}
        </p>
      )}
      <p>
        <a href="/dataset">The dataset, rule by rule and coin by coin</a>
      </p>
    </div>
  );
}

function IndexNow({
  index,
  about,
}: {
  readonly index: IndexData;
  readonly about: PageSource;
}): VNode | null {
  const newest = newestMonth(index);
  if (newest === undefined) return null;
  return (
    <section aria-label="The Crypto Overfitting Index">
      <h2>
        The Crypto Overfitting Index: {decimal(newest.value, 1)}, {indexMeaning(newest)}
      </h2>
      <p>
        Each month: does the ranking of strategies over two years persist in the year after? 0 means
        that it persists, 50 that picking the best is a coin flip, more that it misleads.{" "}
        <a href="/index">How it moved, and why</a>
      </p>
      <IndexFigure index={index} isSynthetic={about.isSynthetic} />
    </section>
  );
}
