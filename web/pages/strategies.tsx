import type { Dataset } from "../../api/dataset.ts";
import type { StrategyTemplate } from "../../api/strategies.ts";
import { median } from "d3-array";
import type { VNode } from "preact";
import { figureAt, type ChartParts } from "../charts/chart.tsx";
import { rowChart } from "../charts/row-chart.tsx";
import { plain } from "../claim.ts";
import { decimal, rangeText, share, templateWords } from "../format.ts";
import { Page } from "../layout.tsx";
import type { SiteData } from "../site-data.ts";
import { Table } from "../table.tsx";
import { luckSentence } from "../browser/luck-calculator.tsx";
import { studyPath, type StudyPoint } from "../luck-point.ts";
import { StudyForm } from "../browser/study-form.tsx";
import { firstInputs } from "../browser/study-asked.ts";
import { MISSING_COINS } from "./finding.tsx";
import { fixedWords, picksRows } from "./picks.tsx";
import { terms } from "./terms.tsx";

type Templates = readonly StrategyTemplate[];

/** `/strategies`: every rule with what its picks came to. */
export function strategiesPage(site: SiteData): VNode {
  const { about } = site;
  const [templates, dataset] = [site.templates(), site.dataset()];
  return (
    <Page
      title="Strategies"
      description={`${templates.length} well-known trading rules, their settings, and what became of the best of them.`}
      path="/strategies"
      card="/strategies/rules.png"
      about={about}
      scripts={["values", "sort-table"]}
    >
      <h1>
        {templates.length} well-known rules, tried on {dataset.dataset.coins} coins
      </h1>
      <p class="lead">
        Each buys the whole account or nothing, pays fees and slippage, and is tried with 13
        settings.
      </p>
      <section aria-label="Rules">
        <h2>{holdingTitle(templates, dataset)}</h2>
        <p>
          Of the coins, the share on which the setting picked in the first 70&nbsp;% of days beat
          holding the coin in the rest. {fixedShares(dataset)}
        </p>
        {rulesTable(templates, dataset)}
        {terms("sharpe")}
      </section>
      <section aria-label="Before and after">
        {figureAt("/strategies/rules", rulesChart(templates, dataset), about)}
      </section>
    </Page>
  );
}

function figureOf({ headline }: Dataset, template: string, name: string): number | null {
  return headline.by_template[template]?.[name]?.value ?? null;
}

/** How many rules did better than holding on most coins, by both measures. */
function holdingTitle(templates: Templates, dataset: Dataset): string {
  const most = (by: string) =>
    templates.filter(
      ({ name }) => (figureOf(dataset, name, `share_beating_buy_hold_${by}`) ?? 0) > 0.5,
    ).length;
  return plain(
    `${most("sharpe")} of ${templates.length} rules beat holding on most coins by Sharpe ratio, ${most("return")} by return`,
  );
}

/** What settings that are fixed blindly come to, over all rules; nothing where the figure has no range. */
function fixedShares({ headline: { overall } }: Dataset): string {
  const [bySharpe, byReturn] = ["sharpe", "return"].map((by) => {
    const [low, high] = overall[`share_beating_buy_hold_${by}`]?.range ?? [];
    return low === undefined || high === undefined ? undefined : rangeText([low, high], share);
  });
  if (bySharpe === undefined || byReturn === undefined) return "";
  return `Over all rules, a setting fixed blindly beats holding on ${bySharpe} of coins by Sharpe ratio, on ${byReturn} by return.`;
}

/** Median over all coins of the mean Sharpe ratio that a rule's 13 settings had after the choice. */
function settingsOf({ picks }: Dataset, template: string): number | null {
  const known = picks
    .filter((pick) => pick.template === template)
    .map(({ variants }) => variants.mean_out_of_sample_sharpe);
  return median(known) ?? null;
}

/** The picks of each rule beside the settings that they were chosen among, afterwards. */
export function rulesChart(templates: Templates, dataset: Dataset): ChartParts | null {
  const rows = templates
    .map(({ name }) => {
      const before = settingsOf(dataset, name);
      const after = figureOf(dataset, name, "median_out_of_sample_sharpe");
      const isGood = (after ?? 0) > (before ?? 0);
      return { name: templateWords(name), href: `/strategies/${name}`, before, after, isGood };
    })
    .filter(({ after }) => after !== null)
    .toSorted((a, b) => b.after! - a.after!); // rules without one are gone
  if (rows.length === 0) return null;
  const better = rows.filter(({ isGood }) => isGood).length;
  const drawing = rowChart(rows, {
    title: plain(
      `The picks of ${better} of ${rows.length} rules did better than the mean of their settings; ${fixedWords(dataset.headline.overall["rules_above_settings"], (value) => decimal(value, 0))}`,
    ),
    subtitle: `Median annual Sharpe ratio over all coins, after the choice; teal where the pick was better, amber where it was worse; ${MISSING_COINS}`,
    before: "mean of the 13",
    after: "pick",
    digits: 2,
  });
  return { drawing: { ...drawing, width: 1040 }, rows: rulesTable(templates, dataset) };
}

function rulesTable(templates: Templates, dataset: Dataset): VNode {
  const sharpe = (part: string) => (of: StrategyTemplate) =>
    decimal(figureOf(dataset, of.name, `median_${part}_sharpe`), 2);
  const beat = (by: string) => (of: StrategyTemplate) =>
    share(figureOf(dataset, of.name, `share_beating_buy_hold_${by}`));
  const linked = ({ name, title }: StrategyTemplate) => <a href={`/strategies/${name}`}>{title}</a>;
  return (
    <Table
      label="Rules with the median Sharpe ratio of their picks"
      sorts="rules"
      columns={[
        { name: "rule", isText: true, cell: linked },
        {
          name: "family",
          isText: true,
          isExtra: true,
          cell: ({ family }) => family.replace("_", " "),
        },
        { name: "beat holding by Sharpe ratio", cell: beat("sharpe") },
        { name: "by return", cell: beat("return") },
        { name: "Sharpe ratio while choosing", isExtra: true, cell: sharpe("in_sample") },
        { name: "afterwards", cell: sharpe("out_of_sample") },
        {
          name: "mean of the 13",
          isExtra: true,
          cell: ({ name }) => decimal(settingsOf(dataset, name), 2),
        },
      ]}
      rows={templates}
    />
  );
}

/** `/strategies/<template>`, and the page of a study that was sent, which previews show as its own. */
export function strategyPage(site: SiteData, name: string, sent?: StudyPoint): VNode {
  const { about, priced: coins } = site;
  const template = site.templates().find((each) => each.name === name)!; // the path names one
  const data = site.dataset({ template: name });
  const { picks } = data;
  const { title, description, references } = template;
  return (
    <Page
      title={sent === undefined ? title : studyWords(sent)}
      description={sent === undefined ? description : luckSentence(sent)}
      path={sent === undefined ? `/strategies/${name}` : studyPath(sent)}
      card={sent === undefined ? `/strategies/${name}/picks.png` : `${studyPath(sent)}.png`}
      about={about}
      scripts={coins.length === 0 ? ["values"] : ["values", "rule-study"]}
    >
      <h1>{title}</h1>
      <p class="lead">{description}</p>
      <section aria-label="The rule">
        <div class="card">
          <h2>The rule</h2>
          <p>
            <b>Buys:</b> {inWords(template.entry_rule, template)}
          </p>
          <p>
            <b>Sells:</b> {inWords(template.exit_rule, template)}
          </p>
          <p class="source">With the default setting. {references.join("; ")}</p>
        </div>
      </section>
      <section aria-label="Your own settings">{study(site, template, sent?.coin)}</section>
      <section aria-label="The settings of the dataset">
        <h2>The 13 settings of the dataset</h2>
        {settingsTable(template)}
      </section>
      {picks.length > 0 && (
        <section aria-label="Coin by coin" class="two">
          <div>
            <h2>How it did on {picks.length} coins</h2>
            <p>
              On each coin, the setting that was best in the first 70&nbsp;% of days, and what
              became of it in the rest. The dot is its Sharpe ratio, the circle the mean of the 13
              settings that it was chosen among.
            </p>
            <p>
              <a href={`/dataset/strategies/${name}`}>Every coin, with the setting picked</a>
            </p>
          </div>
          {figureAt(`/strategies/${name}/picks`, rulePicks(data, name), about)}
        </section>
      )}
    </Page>
  );
}

/** The picks of a rule, beside its settings when each is fixed blindly for all coins. */
export function rulePicks(data: Dataset, name: string): ChartParts | null {
  return picksRows(data.picks, "coin", {
    own: data.headline.by_template[name]?.["picks_above_settings"],
  });
}

/** What a study was of. */
export function studyWords({ template, coin, trials }: StudyPoint): string {
  const best = trials === 1 ? "one setting" : `the best of ${decimal(trials, 0)} tries`;
  return `${templateWords(template)} on ${coin.toUpperCase()}: ${best}`;
}

function study(
  { about, priced: coins }: SiteData,
  template: StrategyTemplate,
  coin = coins[0] ?? "",
): VNode {
  if (coins.length === 0) {
    return (
      <>
        <h2>Your own settings</h2>
        <p>
          Daily prices are not shown here, so no study runs in your browser;{" "}
          <a href="/docs/studies">the command and the API</a> run them.
        </p>
      </>
    );
  }
  const { isSynthetic } = about;
  const first = firstInputs(template, coin);
  const place = { worker: about.script("study-worker"), coins, isSynthetic, template, first };
  return (
    <>
      <h2>Try every setting, and see how much is luck</h2>
      <p>
        Pick a coin and values. You get the best setting, and first of all how often luck would have
        found one as good. It runs in your browser; the address keeps the form.{" "}
        <a href="/docs/studies">How to search honestly</a>
      </p>
      <div id="study" data-place={JSON.stringify(place)}>
        <StudyForm {...place} />
      </div>
    </>
  );
}

/** A rule with the default values in place of its parameters' names. */
function inWords(rule: string, { parameters }: StrategyTemplate): string {
  const values = new Map(parameters.map(({ name, default: value }) => [name, String(value)]));
  return rule.replace(/`(\w+)`/g, (_, name: string) => values.get(name) ?? name);
}

function settingsTable({ parameters, variants }: StrategyTemplate): VNode {
  type Variant = StrategyTemplate["variants"][number];
  const number = ({ variant }: Variant) => (variant === 1 ? "1 (default)" : String(variant));
  return (
    <Table
      label="The 13 settings"
      columns={[
        { name: "setting", isText: true, cell: number },
        ...parameters.map(({ name, title, unit }) => ({
          name: `${title}${unit === "" ? "" : `, ${unit}`}`,
          cell: ({ params }: Variant) => String(params[name]),
        })),
      ]}
      rows={variants}
    />
  );
}
