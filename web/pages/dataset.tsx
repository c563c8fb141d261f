import { deviation, group, mean } from "d3-array";
import type { VNode } from "preact";
import { Figure } from "../charts/chart.tsx";
import { heatMap, type HeatCell } from "../charts/heat-map.tsx";
import { overall, type DatasetData, type RobustnessCheck } from "../dataset-data.ts";
import { decimal, share, signedDecimal } from "../format.ts";
import { Page, type PageSource } from "../layout.tsx";
import { Table, Tiles } from "../table.tsx";
import { findingTitle, FindingFigure, keptSentence, mediansOf, yearsSentence } from "./finding.tsx";
import { PicksFigure } from "./picks.tsx";

/** A Sharpe ratio of this size has the strongest colour of the map. */
const STRONGEST_SHARPE = 1.5;

/** `/dataset`: what became of the best backtests, over all rules and coins. */
export function DatasetPage({
  data,
  about,
}: {
  readonly data: DatasetData;
  readonly about: PageSource;
}): VNode {
  const { dataset } = data;
  const medians = mediansOf(data);
  const title = medians === undefined ? "The dataset" : findingTitle(medians);
  const lossShare = overall(data, "share_out_of_sample_loss");
  const beatsHolding = overall(data, "share_beating_buy_hold_sharpe");
  return (
    <Page
      title="The dataset: what became of the best backtests"
      description={`${decimal(dataset.runs_total, 0)} backtests, ${decimal(data.picks_total, 0)} picks, and what became of them.`}
      path="/dataset"
      about={about}
    >
      <h1>{title}</h1>
      <p class="lead">
        {decimal(dataset.runs_total, 0)} backtests: {dataset.templates} rules on {dataset.coins}{" "}
        coins with {dataset.variants} settings each. Of each {dataset.variants} the best of the
        first {share(dataset.in_sample.share)} of days is the pick. {keptSentence(data)}{" "}
        {yearsSentence(data)}
      </p>
      <Tiles
        figures={[
          ["picks that lost money afterwards", share(lossShare.value)],
          ["of all runs", share(lossShare.coin_flip)],
          ["picks that beat holding the coin", share(beatsHolding.value)],
          ["of all runs", share(beatsHolding.coin_flip)],
        ]}
      />
      <section aria-label="The main finding">
        <FindingFigure data={data} isSynthetic={about.isSynthetic} />
      </section>
      <section aria-label="Every pick">
        <PicksFigure picks={data.picks} by="both" isSynthetic={about.isSynthetic} />
      </section>
      <section aria-label="Rules and coins">
        <HeatFigure data={data} isSynthetic={about.isSynthetic} />
      </section>
      <RobustnessSection checks={data.headline.robustness} />
    </Page>
  );
}

function HeatFigure({
  data,
  isSynthetic,
}: {
  readonly data: DatasetData;
  readonly isSynthetic: boolean;
}): VNode {
  const cells = data.picks.map((pick) => ({
    row: pick.template,
    column: pick.coin.toUpperCase(),
    value: pick.out_of_sample.sharpe,
  }));
  const drawing = heatMap(cells, {
    title: spreadTitle(cells),
    subtitle: "Out-of-sample Sharpe ratio of each pick; teal above zero, amber below",
    strongest: STRONGEST_SHARPE,
    isSynthetic,
  });
  return (
    <>
      <Figure drawing={drawing} />
      <details>
        <summary>Rules, with the median of their picks</summary>
        <Table
          label="Median Sharpe ratio of the picks of each rule"
          columns={[
            {
              name: "rule",
              isText: true,
              cell: ([name]) => <a href={`/strategies/${name}`}>{name}</a>,
            },
            {
              name: "while choosing",
              cell: ([, figures]) => decimal(figures["median_in_sample_sharpe"]?.value, 2),
            },
            {
              name: "afterwards",
              cell: ([, figures]) => decimal(figures["median_out_of_sample_sharpe"]?.value, 2),
            },
          ]}
          rows={Object.entries(data.headline.by_template)}
        />
      </details>
    </>
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

function RobustnessSection({
  checks,
}: {
  readonly checks: Readonly<Record<string, RobustnessCheck>> | null;
}): VNode | null {
  if (checks === null) return null;
  return (
    <section aria-label="The same question asked in other ways">
      <h2>The same question, asked in other ways</h2>
      <p>
        The premium is the Sharpe ratio of the pick less the mean of its rule’s settings on that
        coin. The interval comes from drawing coins with replacement; they share one market, so it
        is too narrow rather than too wide.
      </p>
      <Table
        label="Robustness checks"
        columns={[
          { name: "check", isText: true, cell: ([name]) => name.replaceAll("_", " ") },
          {
            name: "premium while choosing",
            cell: ([, check]) => signedDecimal(check.premium_in_sample, 3),
          },
          {
            name: "afterwards",
            cell: ([, check]) => signedDecimal(check.premium_out_of_sample, 3),
          },
          { name: "95 % from", cell: ([, check]) => signedDecimal(check.low, 3) },
          { name: "to", cell: ([, check]) => signedDecimal(check.high, 3) },
          { name: "kept", cell: ([, check]) => share(check.share_kept) },
          { name: "picks", cell: ([, check]) => decimal(check.picks, 0) },
        ]}
        rows={Object.entries(checks)}
      />
    </section>
  );
}
