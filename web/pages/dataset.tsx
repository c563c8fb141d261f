import type { Dataset, DatasetFigures } from "../../api/dataset.ts";
import { hrefOfRun } from "../paths.ts";
import type { VNode } from "preact";
import { figureAt, type ChartParts } from "../charts/chart.tsx";
import { heatMap } from "../charts/heat-map.tsx";
import { plain } from "../claim.ts";
import { decimal, share, signedDecimal, templateWords } from "../format.ts";
import { Page } from "../layout.tsx";
import type { SiteData } from "../site-data.ts";
import { Table, Tiles } from "../table.tsx";
import { chosenSentence, findingChart, varianceSentence, yearsSentence } from "./finding.tsx";
import { fixedTile, picksScatter, picksTable } from "./picks.tsx";
import { leadBand, robustnessSection } from "./robustness.tsx";
import { terms } from "./terms.tsx";

const NOTHING_YET =
  "No coin has a history that is long enough to choose on one part and look at the rest.";

/** A Sharpe ratio of this size has the strongest colour of the map. */
const STRONGEST_SHARPE = 1.5;

/** `/dataset`: what became of the best backtests, over all rules and coins. */
export function datasetPage(site: SiteData): VNode {
  const { about } = site;
  const data = site.dataset();
  const { dataset } = data;
  if (data.picks_total === 0) {
    return (
      <Page title="The dataset" description={NOTHING_YET} path="/dataset" about={about}>
        <h1>The dataset has no backtests yet</h1>
        <p class="lead">{NOTHING_YET}</p>
      </Page>
    );
  }
  return (
    <Page
      title="The dataset: what became of the best backtests"
      description={`${decimal(dataset.runs_total, 0)} backtests, ${decimal(data.picks_total, 0)} picks, and what became of them.`}
      path="/dataset"
      card="/dataset/finding.png"
      about={about}
      scripts={["values"]}
    >
      <h1>{varianceSentence(data)}</h1>
      <p class="lead">
        {dataset.templates} rules on {dataset.coins} coins with {dataset.variants} settings each:{" "}
        {decimal(dataset.runs_total, 0)} backtests. Of each {dataset.variants}, the best of the
        first {share(dataset.in_sample.share)} of days is the pick; the rest of the days is what
        came after.
      </p>
      <section aria-label="The main finding" class="two">
        <div>
          <p>
            {chosenSentence(data)} {yearsSentence(data)}
          </p>
          {figureTiles(data.headline)}
          {terms("sharpe", "rank", "pbo")}
        </div>
        {figureAt("/dataset/finding", findingChart(data), about)}
      </section>
      <section aria-label="Every pick">
        {figureAt("/dataset/picks", datasetPicks(data), about)}
      </section>
      <section aria-label="Rules and coins">
        {figureAt("/dataset/map", mapChart(data), about)}
        <div class="two">
          {mediansTable("strategies", "rule", data.headline.by_template)}
          {mediansTable("coins", "coin", data.headline.by_coin)}
        </div>
      </section>
      {robustnessSection(data.headline.robustness, about)}
    </Page>
  );
}

function figureTiles({ overall, robustness }: Dataset["headline"]): VNode {
  const lead = robustness?.["split_70"]?.premium_out_of_sample;
  return (
    <Tiles
      figures={[
        fixedTile("of the picks lost money afterwards", overall["share_out_of_sample_loss"]),
        fixedTile(
          "of the picks beat holding the coin by Sharpe ratio",
          overall["share_beating_buy_hold_sharpe"],
        ),
        fixedTile("beat it by return", overall["share_beating_buy_hold_return"]),
        [
          "lead of the picks over their settings afterwards, in Sharpe ratio",
          signedDecimal(lead, 3),
          leadBand(robustness) ?? "days not shuffled yet",
        ],
        [
          "agreement of a rule’s settings before and after (rank correlation)",
          signedDecimal(overall["mean_rank_correlation"]?.value, 2),
          "1: the same ranking; by luck: 0",
        ],
      ]}
    />
  );
}

/** Every pick before and after the choice. */
export function datasetPicks({ picks, headline }: Dataset): ChartParts | null {
  return picksScatter(picks, "both", headline.overall["share_doing_worse"]);
}

/** What each rule's pick on each coin came to. */
export function mapChart({ picks }: Dataset): ChartParts {
  const cells = picks.map((pick) => ({
    row: templateWords(pick.template),
    column: pick.coin.toUpperCase(),
    value: pick.out_of_sample.sharpe,
    href: hrefOfRun(pick),
  }));
  const drawing = heatMap(cells, {
    title: plain("What each rule’s pick came to, coin by coin"),
    subtitle:
      "Sharpe ratio of each pick afterwards; teal above zero, smaller and amber below. A cell leads to its run",
    strongest: STRONGEST_SHARPE,
    isTurned: true,
  });
  return { drawing, rows: picksTable(picks, "both") };
}

/** The rules or the coins, with the median of their picks. Keyboards reach each of them here, not on the map. */
function mediansTable(
  kind: "strategies" | "coins",
  name: string,
  figures: Readonly<Record<string, DatasetFigures>>,
): VNode {
  const median = (stored: DatasetFigures, part: string) =>
    decimal(stored[`median_${part}_sharpe`]?.value, 2);
  const words = (subject: string) =>
    kind === "coins" ? subject.toUpperCase() : templateWords(subject);
  return (
    <details>
      <summary>{`By ${name}, with the median of their picks`}</summary>
      <Table
        label={`Median Sharpe ratio of the picks by ${name}`}
        columns={[
          {
            name,
            isText: true,
            cell: ([subject]) => <a href={`/dataset/${kind}/${subject}`}>{words(subject)}</a>,
          },
          { name: "while choosing", cell: ([, subject]) => median(subject, "in_sample") },
          { name: "afterwards", cell: ([, subject]) => median(subject, "out_of_sample") },
        ]}
        rows={Object.entries(figures)}
      />
    </details>
  );
}
