import type { Dataset, DatasetFigures } from "../../api/dataset.ts";
import { overall } from "../dataset-figures.ts";
import { hrefOfRun } from "../paths.ts";
import { deviation, group, mean } from "d3-array";
import type { VNode } from "preact";
import { FigureAt, type ChartParts } from "../charts/chart.tsx";
import { heatMap, type HeatCell } from "../charts/heat-map.tsx";
import { decimal, share, signedDecimal, templateWords } from "../format.ts";
import { Page, type PageData, type PageSource } from "../layout.tsx";
import { Table, Tiles } from "../table.tsx";
import { chosenSentence, findingChart, yearsSentence } from "./finding.tsx";
import { picksScatter, PicksTable } from "./picks.tsx";
import { RobustnessSection } from "./robustness.tsx";

const NOTHING_YET =
  "No coin has a history that is long enough to choose on one part and look at the rest.";

/** A Sharpe ratio of this size has the strongest colour of the map. */
const STRONGEST_SHARPE = 1.5;

/** `/dataset`: what became of the best backtests, over all rules and coins. */
export function DatasetPage({ data, about }: PageData<Dataset>): VNode {
  const { dataset } = data;
  if (data.picks_total === 0) return <EmptyDataset about={about} />;
  const lossShare = overall(data, "share_out_of_sample_loss");
  const beats = (by: string) => overall(data, `share_beating_buy_hold_${by}`);
  return (
    <Page
      title="The dataset: what became of the best backtests"
      description={`${decimal(dataset.runs_total, 0)} backtests, ${decimal(data.picks_total, 0)} picks, and what became of them.`}
      path="/dataset"
      about={about}
      scripts={["values"]}
    >
      <h1>What became of {decimal(data.picks_total, 0)} best backtests</h1>
      <p class="lead">
        {dataset.templates} rules on {dataset.coins} coins with {dataset.variants} settings each:{" "}
        {decimal(dataset.runs_total, 0)} backtests. Of each {dataset.variants}, the best of the
        first {share(dataset.in_sample.share)} of days is the pick.
      </p>
      <section aria-label="The main finding" class="two">
        <div>
          <p>
            {chosenSentence(data)} {yearsSentence(data)}
          </p>
          <Tiles
            figures={[
              [
                "of the picks lost money afterwards",
                share(lossShare.value),
                `of all runs: ${share(lossShare.coin_flip)}`,
              ],
              [
                "of the picks beat holding the coin by Sharpe ratio",
                share(beats("sharpe").value),
                `by return: ${share(beats("return").value)}; of all runs: ${share(beats("sharpe").coin_flip)} and ${share(beats("return").coin_flip)}`,
              ],
              [
                "rank correlation of a rule’s settings, before and after",
                signedDecimal(overall(data, "mean_rank_correlation").value, 2),
                "no relation: 0, the same order: 1",
              ],
              [
                "of what picks did afterwards follows from before",
                share(overall(data, "r_squared").value),
                "R² of their Sharpe ratios",
              ],
            ]}
          />
        </div>
        <FigureAt file="/dataset/finding" parts={findingChart(data)} about={about} />
      </section>
      <section aria-label="Every pick">
        <FigureAt file="/dataset/picks" parts={datasetPicks(data)} about={about} />
      </section>
      <section aria-label="Rules and coins">
        <FigureAt file="/dataset/map" parts={mapChart(data)} about={about} />
        <Subjects data={data} />
      </section>
      <RobustnessSection data={data.headline.robustness} about={about} />
    </Page>
  );
}

/** Every pick before and after the choice. */
export function datasetPicks(data: Dataset): ChartParts | null {
  const worse = overall(data, "share_doing_worse");
  return picksScatter({ picks: data.picks, by: "both" }, worse);
}

/** What each rule's pick on each coin came to. */
export function mapChart(data: Dataset): ChartParts {
  const cells = data.picks.map((pick) => ({
    row: templateWords(pick.template),
    column: pick.coin.toUpperCase(),
    value: pick.out_of_sample.sharpe,
    href: hrefOfRun(pick),
  }));
  const drawing = heatMap(cells, {
    title: spreadTitle(cells),
    subtitle:
      "Sharpe ratio of each pick afterwards; teal above zero, smaller and amber below. A cell leads to its run",
    strongest: STRONGEST_SHARPE,
  });
  return { drawing, rows: <PicksTable picks={data.picks} by="both" /> };
}

/** The rules and the coins, with the median of their picks: the way to each without a pointer. */
function Subjects({ data }: { readonly data: Dataset }): VNode {
  const { by_template: templates, by_coin: coins } = data.headline;
  return (
    <div class="two">
      <Medians kind="strategies" name="rule" figures={templates} />
      <Medians kind="coins" name="coin" figures={coins} />
    </div>
  );
}

function Medians({
  kind,
  name,
  figures,
}: {
  readonly kind: "strategies" | "coins";
  readonly name: string;
  readonly figures: Readonly<Record<string, DatasetFigures>>;
}): VNode {
  const median = (of: DatasetFigures, part: string) =>
    decimal(of[`median_${part}_sharpe`]?.value, 2);
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
          { name: "while choosing", cell: ([, of]) => median(of, "in_sample") },
          { name: "afterwards", cell: ([, of]) => median(of, "out_of_sample") },
        ]}
        rows={Object.entries(figures)}
      />
    </details>
  );
}

function EmptyDataset({ about }: { readonly about: PageSource }): VNode {
  return (
    <Page title="The dataset" description={NOTHING_YET} path="/dataset" about={about}>
      <h1>The dataset has no backtests yet</h1>
      <p class="lead">{NOTHING_YET}</p>
    </Page>
  );
}

/** Whether coins or rules differ more in what became of their picks. */
function spreadTitle(cells: readonly HeatCell[]): string {
  const spread = (name: "row" | "column") => {
    const groups = group(cells, (cell) => cell[name]).values();
    return deviation([...groups], (each) => mean(each, ({ value }) => value)) ?? 0;
  };
  return spread("column") > spread("row")
    ? "Afterwards the coin decided more than the rule"
    : "Afterwards the rule decided more than the coin";
}
