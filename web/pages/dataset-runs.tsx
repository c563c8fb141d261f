import type { Dataset, DatasetFigures } from "../../api/dataset.ts";
import type { VNode } from "preact";
import { FigureAt, type ChartParts } from "../charts/chart.tsx";
import { decimal, share, templateWords } from "../format.ts";
import { Page, type PageSource } from "../layout.tsx";
import { Tiles } from "../table.tsx";
import { picksScatter, RunsTable } from "./picks.tsx";

/** What the picks have in common. */
interface RunsSubject {
  readonly kind: "strategies" | "coins";
  readonly name: string;
}

/** `/dataset/strategies/<template>` and `/dataset/coins/<ticker>`: each pick of a rule or on a coin. */
export function DatasetRunsPage({
  data,
  subject,
  about,
}: {
  /** The dataset with the picks of the subject alone. */
  readonly data: Dataset;
  readonly subject: RunsSubject;
  readonly about: PageSource;
}): VNode {
  const { kind, name } = subject;
  const { picks, headline, dataset } = data;
  const isRule = kind === "strategies";
  const shown = isRule ? templateWords(name) : name.toUpperCase();
  const figures = (isRule ? headline.by_template : headline.by_coin)[name];
  const by = isRule ? "coin" : "template";
  const noun = isRule ? "coins" : "rules";
  return (
    <Page
      title={`${shown}: what became of its best backtests`}
      description={`The best of ${dataset.variants} settings on ${picks.length} ${noun}, in-sample and out-of-sample.`}
      path={`/dataset/${kind}/${name}`}
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
      {figures !== undefined && <FigureTiles figures={figures} />}
      {picks.length > 0 && (
        <>
          <section aria-label="Before and after">
            <FigureAt
              file={`/dataset/${kind}/${name}/picks`}
              parts={runsChart(data, subject)}
              about={about}
            />
          </section>
          <section aria-label="Runs">
            <h2>{isRule ? "Coin by coin" : "Rule by rule"}</h2>
            <p>
              “Default setting” and “holding” are Sharpe ratios of the same later days. “Chance of
              overfitting” is how often the best setting of half the days falls below the median in
              the other half; a coin flip is 50&nbsp;%.
            </p>
            <RunsTable picks={picks} by={by} />
          </section>
        </>
      )}
    </Page>
  );
}

/** The picks of a rule or on a coin before and after the choice. */
export function runsChart(
  { picks, headline }: Dataset,
  { kind, name }: RunsSubject,
): ChartParts | null {
  const isRule = kind === "strategies";
  const figures = (isRule ? headline.by_template : headline.by_coin)[name];
  const by = isRule ? "coin" : "template";
  return picksScatter({ picks, by }, figures?.["share_doing_worse"]);
}

function FigureTiles({ figures }: { readonly figures: DatasetFigures }): VNode {
  const tile = (
    label: string,
    name: string,
    text: (value: number | null | undefined) => string,
  ) => {
    const figure = figures[name];
    return [label, text(figure?.value), `all settings: ${text(figure?.coin_flip)}`] as const;
  };
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
