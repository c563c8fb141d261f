import type { Dataset } from "../../api/dataset.ts";
import type { DatasetPick } from "../../api/dataset-pick.ts";
import type { RobustnessCheck } from "../../api/dataset-robustness.ts";
import { group, mean, sum } from "d3-array";
import type { ChartParts } from "../charts/chart.tsx";
import { claim } from "../claim.ts";
import { slopeChart } from "../charts/slope-chart.tsx";
import { decimal, rangeText, share } from "../format.ts";
import { Table } from "../table.tsx";

/**
 * Mean Sharpe ratios before and after the choice: of the picks, of the settings that each was chosen among, and how far
 * the first lead the second. They are taken over the picks that moved afterwards, so that the leads are those of the
 * check `split_70`. Undefined where the dataset has no picks.
 */
function meansOf({ picks }: Pick<Dataset, "picks">) {
  const known = picks.filter(({ out_of_sample: part }) => part.sharpe !== null);
  if (known.length === 0) return undefined;
  const over = (figureOf: (pick: DatasetPick) => number | null) =>
    mean(known, (pick) => figureOf(pick)) ?? NaN;
  const before = over((pick) => pick.in_sample.sharpe);
  const after = over((pick) => pick.out_of_sample.sharpe);
  const allBefore = over(({ variants }) => variants.mean_in_sample_sharpe);
  const allAfter = over(({ variants }) => variants.mean_out_of_sample_sharpe);
  return {
    known: known.length,
    picks: [before, after],
    settings: [allBefore, allAfter],
    leads: [before - allBefore, after - allAfter],
  } as const;
}

/** The picture of the main finding. */
export function findingChart(data: Dataset): ChartParts | null {
  const means = meansOf(data);
  if (means === undefined) return null;
  const { picks, settings, leads, known } = means;
  const { variants, coins, templates, as_of: asOf } = data.dataset;
  const drawing = slopeChart(
    [
      { name: `best of ${variants}`, before: picks[0], after: picks[1], tone: "accent" },
      { name: `all ${variants}`, before: settings[0], after: settings[1], tone: "context" },
    ],
    {
      title: findingTitle(data),
      subtitle: `Mean annual Sharpe ratio of the ${decimal(known, 0)} of ${decimal(data.picks_total, 0)} choices that traded afterwards, and of all settings that each was chosen among. Drawn: the first 70 % of days; ${MISSING_COINS}`,
      before: "while choosing",
      after: "afterwards",
    },
  );
  const source = (
    <a href="/docs/dataset">
      {decimal(coins, 0)} coins, {decimal(templates, 0)} rules, {decimal(variants, 0)} settings
      each, to {asOf}
    </a>
  );
  const table = (
    <Table
      label="Mean Sharpe ratio while choosing and afterwards"
      columns={[
        { name: "runs", isText: true, cell: ([name]) => name },
        { name: "while choosing", cell: ([, before]) => decimal(before, 3) },
        { name: "afterwards", cell: ([, , after]) => decimal(after, 3) },
      ]}
      rows={[
        ["best of the settings", ...picks] as const,
        ["all settings", ...settings] as const,
        ["lead of the best", ...leads] as const,
      ]}
    />
  );
  return { drawing, source, table };
}

/** A lead that keeps this share of itself lasts. */
const LASTING = 0.5;

/**
 * What was left of the lead, over all places to split the days, and year by year: a claim that most is gone, if no check
 * leaves room for half of it.
 */
function findingTitle({ headline: { robustness } }: Pick<Dataset, "headline">): string {
  const checks = Object.entries(robustness ?? {}).filter(([, check]) => check.share_kept !== null);
  const asked = checks.filter(([name]) => /^(split_\d+|years)$/.test(name));
  const kept = asked.map(([, { share_kept: part }]) => part!); // known, by the filter
  const [least, most] = [Math.min(...kept), Math.max(...kept)];
  return claim({
    figure: most,
    null: { range: [LASTING, Infinity] },
    holds: checks
      .filter(([name]) => !name.startsWith("planted"))
      .map(([, { high, premium_in_sample: before }]) => (high ?? NaN) / (before ?? NaN)),
    sentence: `Of the lead of choosing, ${rangeText([least, most], share)} was left`,
    otherwise: "The lead of choosing, and what was left of it",
  });
}

/** A sentence on what the choice was worth on the days it was made on, and how much of that was left. */
export function chosenSentence(data: Pick<Dataset, "picks" | "headline">): string | undefined {
  const means = meansOf(data);
  if (means === undefined) return undefined;
  const { picks, settings } = means;
  const [before, after] = means.leads;
  const kept = before > 0 ? `, ${share(after / before)} of it${keptInterval(data, before)}` : "";
  return (
    `While choosing, the picks had a mean Sharpe ratio of ${decimal(picks[0], 2)} against ${decimal(settings[0], 2)} of all their settings, ` +
    `a lead of ${decimal(before, 2)}. Afterwards it was ${decimal(picks[1], 2)} against ${decimal(settings[1], 2)}: a lead of ${decimal(after, 3)}${kept}.`
  );
}

/** The 95 % interval of the share that was kept, from the check of the dataset's own split. */
function keptInterval({ headline }: Pick<Dataset, "headline">, before: number): string {
  const { low = null, high = null } = headline.robustness?.["split_70"] ?? {};
  if (low === null || high === null) return "";
  return ` (95 % interval, rather too narrow: ${share(low / before)} to ${share(high / before)})`;
}

/** A sentence on what was kept in each calendar year when all days before it decided, with how often luck keeps as much. */
export function yearsSentence({ headline }: Pick<Dataset, "headline">): string | undefined {
  const years = Object.entries(headline.robustness ?? {}).flatMap(([name, check]) => {
    const year = /^year_(\d{4})$/.exec(name)?.[1];
    return year === undefined ? [] : [{ year, check }];
  });
  const [first, last] = [years[0], years.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const kept = years.map(({ year, check }) => {
    const p = luckOf(check);
    return `${share(check.share_kept)} in ${year}${p === null ? "" : ` (p ${Number(p.toPrecision(2))})`}`;
  });
  const coins = `${first.check.coins} coins in ${first.year}, ${last.check.coins} in ${last.year}`;
  return `Tested year by year: ${kept.join(", ")}. Whether the years or the coins differ can’t be told: ${coins}.`;
}

/** How often shuffled days give a check as high a lead: the larger p of both ways to shuffle; null without them. */
export function luckOf(check: RobustnessCheck): number | null {
  const { permuted_blocks_5: short, permuted_blocks_60: long } = check;
  return short.p === null || long.p === null ? null : Math.max(short.p, long.p);
}

/** What every page of data says once. */
export const MISSING_COINS = "coins of the snapshot’s board: those that died are missing";

/**
 * The sentence of the site: what the Sharpe ratio of a pick afterwards goes with. It is a claim that the coin says more
 * than the rule, which no one coin may carry.
 */
export function varianceSentence({
  headline: { overall },
  picks,
}: Pick<Dataset, "headline" | "picks">) {
  const coin = overall["coin_share_of_variance"];
  const rule = overall["template_share_of_variance"];
  const known = picks.flatMap(({ coin: name, template, out_of_sample: { sharpe } }) =>
    sharpe === null ? [] : [{ coin: name, template, sharpe }],
  );
  const coins = new Set(known.map((pick) => pick.coin));
  return claim({
    figure: coin?.value,
    null: { range: coin?.range && [coin.range[0]!, coin.range[1]!] },
    holds: [...coins].map((left) => {
      const rest = known.filter((pick) => pick.coin !== left);
      const [own, other] = [betweenShare(rest, "coin"), betweenShare(rest, "template")];
      return own > other ? own : NaN;
    }),
    sentence: `Of what came after, the coin explains ${share(coin?.value)}, the rule ${share(rule?.value)} (luck ${share(rule?.coin_flip, 1)}), the backtest ${share(overall["r_squared"]?.value, 1)}`,
    otherwise: `What became of ${decimal(picks.length, 0)} best backtests`,
  });
}

/** Share of the variance of Sharpe ratios that lies between the groups of a name. */
function betweenShare<Name extends "coin" | "template">(
  picks: readonly (Readonly<Record<Name, string>> & { readonly sharpe: number })[],
  name: Name,
): number {
  const centre = mean(picks, ({ sharpe }) => sharpe) ?? NaN;
  const parts = [...group(picks, (pick) => pick[name]).values()].map(
    (members) => members.length * ((mean(members, ({ sharpe }) => sharpe) ?? NaN) - centre) ** 2,
  );
  return (sum(parts) ?? NaN) / (sum(picks, ({ sharpe }) => (sharpe - centre) ** 2) ?? NaN);
}
