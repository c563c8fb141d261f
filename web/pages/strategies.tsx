import type { VNode } from "preact";
import type { DatasetData, DatasetPick } from "../dataset-data.ts";
import { decimal, share } from "../format.ts";
import { Page, type PageSource } from "../layout.tsx";
import type { StrategyTemplate } from "../market-data.ts";
import { Table } from "../table.tsx";
import { PicksFigure, PicksTable } from "./picks.tsx";

/** `/strategies`: every rule with what its picks came to. */
export function StrategiesPage({
  templates,
  dataset,
  about,
}: {
  readonly templates: readonly StrategyTemplate[];
  readonly dataset: DatasetData;
  readonly about: PageSource;
}): VNode {
  const figure = (name: string, template: string) =>
    dataset.headline.by_template[template]?.[name]?.value;
  return (
    <Page
      title="Strategies"
      description={`${templates.length} well-known trading rules, their settings, and what became of the best of them.`}
      path="/strategies"
      about={about}
    >
      <h1>{templates.length} well-known rules, tried on every coin</h1>
      <p class="lead">
        Each buys the whole account or nothing, pays fees and slippage, and is tried with 13
        settings.
      </p>
      <section aria-label="Rules">
        <Table
          label="Rules with the median Sharpe ratio of their picks"
          columns={[
            {
              name: "rule",
              isText: true,
              cell: ({ name, title }) => <a href={`/strategies/${name}`}>{title}</a>,
            },
            { name: "family", isText: true, cell: ({ family }) => family.replace("_", " ") },
            {
              name: "Sharpe while choosing",
              cell: ({ name }) => decimal(figure("median_in_sample_sharpe", name), 2),
            },
            {
              name: "afterwards",
              cell: ({ name }) => decimal(figure("median_out_of_sample_sharpe", name), 2),
            },
            {
              name: "beat holding",
              cell: ({ name }) => share(figure("share_beating_buy_hold_sharpe", name)),
            },
          ]}
          rows={templates}
        />
      </section>
    </Page>
  );
}

/** `/strategies/<template>` */
export function StrategyPage({
  template,
  picks,
  about,
}: {
  readonly template: StrategyTemplate;
  readonly picks: readonly DatasetPick[];
  readonly about: PageSource;
}): VNode {
  const { title, name, description, parameters, variants, references } = template;
  return (
    <Page title={title} description={description} path={`/strategies/${name}`} about={about}>
      <h1>{title}</h1>
      <p class="lead">{description}</p>
      <section class="two" aria-label="The rule">
        <div class="card">
          <h2>The rule</h2>
          <p>
            <b>Buys</b> {template.entry_rule}
          </p>
          <p>
            <b>Sells</b> {template.exit_rule}
          </p>
          {references.length > 0 && <p class="source">{references.join("; ")}</p>}
        </div>
        <Table
          label="The 13 settings"
          columns={[
            {
              name: "setting",
              isText: true,
              cell: ({ variant }) => (variant === 1 ? "1 (default)" : String(variant)),
            },
            ...parameters.map((parameter) => ({
              name: `${parameter.title}${parameter.unit === "" ? "" : `, ${parameter.unit}`}`,
              cell: ({ params }: StrategyTemplate["variants"][number]) =>
                String(params[parameter.name]),
            })),
          ]}
          rows={variants}
        />
      </section>
      {picks.length > 0 && (
        <section aria-label="Coin by coin">
          <PicksFigure picks={picks} by="coin" isSynthetic={about.isSynthetic} />
          <h3>Coin by coin</h3>
          <PicksTable picks={picks} by="coin" isSynthetic={about.isSynthetic} />
        </section>
      )}
    </Page>
  );
}
