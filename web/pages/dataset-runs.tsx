import type { DatasetFigures } from "../../api/dataset.ts";
import type { VNode } from "preact";
import { figureAt, type ChartParts } from "../charts/chart.tsx";
import { decimal, share, templateWords } from "../format.ts";
import { Page } from "../layout.tsx";
import type { SiteData } from "../site-data.ts";
import { Tiles } from "../table.tsx";
import { fixedWords, picksScatter, runsTable } from "./picks.tsx";

/** What the picks have in common: their rule or their coin. */
interface RunsSubject {
  readonly kind: "strategies" | "coins";
  readonly name: string;
}

/** The dataset with the picks of the subject alone, its headline figures, and what its picks are named after. */
function runsOf(site: SiteData, { kind, name }: RunsSubject) {
  const isRule = kind === "strategies";
  const data = site.dataset(isRule ? { template: name } : { coin: name });
  const { by_template: templates, by_coin: coins } = data.headline;
  const by: "coin" | "template" = isRule ? "coin" : "template";
  return { isRule, data, figures: (isRule ? templates : coins)[name], by };
}

/** `/dataset/strategies/<template>` and `/dataset/coins/<ticker>`: each pick of a rule or on a coin. */
export function datasetRunsPage(site: SiteData, subject: RunsSubject): VNode {
  const { kind, name } = subject;
  const { about } = site;
  const runs = runsOf(site, subject);
  const { isRule, figures, by } = runs;
  const { picks, dataset } = runs.data;
  const shown = isRule ? templateWords(name) : name.toUpperCase();
  const noun = isRule ? "coins" : "rules";
  return (
    <Page
      title={`${shown}: what became of its best backtests`}
      description={`The best of ${dataset.variants} settings on ${picks.length} ${noun}, in-sample and out-of-sample.`}
      path={`/dataset/${kind}/${name}`}
      card={`/dataset/${kind}/${name}/picks.png`}
      about={about}
      scripts={["values"]}
    >
      <h1>What became of the best backtests {isRule ? `of ${shown}` : `on ${shown}`}</h1>
      <p class="lead">
        {picks.length === 0
          ? `${shown} is not in the dataset: it has too short a history.`
          : `On each of ${picks.length} ${noun}, the setting out of ${dataset.variants} that was best in the first ${share(dataset.in_sample.share)} of days, and the rest of its days.`}{" "}
        <a href={`/${kind}/${name}`}>{isRule ? "The rule and its settings" : `More on ${shown}`}</a>
        {" · "}
        <a href="/dataset">The whole dataset</a>
      </p>
      {figures !== undefined && figureTiles(figures)}
      {picks.length > 0 && (
        <>
          <section aria-label="Before and after">
            {figureAt(`/dataset/${kind}/${name}/picks`, scatterOf(runs), about)}
          </section>
          <section aria-label="Runs">
            <h2>{isRule ? "Coin by coin" : "Rule by rule"}</h2>
            <p>
              “Default setting” and “holding” are Sharpe ratios of the same later days. “Chance of
              overfitting” is how often the best setting of half the days falls below the median in
              the other half; a coin flip is 50&nbsp;%.
            </p>
            {runsTable(picks, by)}
          </section>
        </>
      )}
    </Page>
  );
}

/** The picks of a rule or on a coin before and after the choice. */
export function runsChart(site: SiteData, subject: RunsSubject): ChartParts | null {
  return scatterOf(runsOf(site, subject));
}

const scatterOf = ({ data, by, figures }: ReturnType<typeof runsOf>) =>
  picksScatter(data.picks, by, figures?.["share_doing_worse"]);

function figureTiles(figures: DatasetFigures): VNode {
  const tile = (label: string, name: string, text: (value: number | null | undefined) => string) =>
    [label, text(figures[name]?.value), fixedWords(figures[name], text)] as const;
  const sharpe = (value: number | null | undefined) => decimal(value, 2);
  return (
    <Tiles
      figures={[
        tile("median Sharpe ratio while choosing", "median_in_sample_sharpe", sharpe),
        tile("median afterwards", "median_out_of_sample_sharpe", sharpe),
        tile("lost money afterwards", "share_out_of_sample_loss", share),
        tile("beat holding by Sharpe ratio", "share_beating_buy_hold_sharpe", share),
        tile("beat holding by return", "share_beating_buy_hold_return", share),
      ]}
    />
  );
}
