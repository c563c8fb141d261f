import type { Dataset } from "../../api/dataset.ts";
import type { DatasetPick } from "../../api/dataset-pick.ts";
import { mean } from "d3-array";
import type { ChartParts } from "../charts/chart.tsx";
import { slopeChart } from "../charts/slope-chart.tsx";
import { decimal, share } from "../format.ts";
import { Table } from "../table.tsx";

/**
 * Mean Sharpe ratios before and after the choice: of the picks, of the settings that each was chosen among, and how far
 * the first lead the second. They are taken over the picks that moved afterwards, so that the leads are those of the
 * check `split_70`. Undefined where the dataset has no picks.
 */
function meansOf({ picks }: Pick<Dataset, "picks">) {
  const known = picks.filter(({ out_of_sample: part }) => part.sharpe !== null);
  if (known.length === 0) return undefined;
  const over = (of: (pick: DatasetPick) => number | null) => mean(known, (pick) => of(pick)) ?? NaN;
  const before = over((pick) => pick.in_sample.sharpe);
  const after = over((pick) => pick.out_of_sample.sharpe);
  const allBefore = over(({ variants }) => variants.mean_in_sample_sharpe);
  const allAfter = over(({ variants }) => variants.mean_out_of_sample_sharpe);
  return {
    picks: [before, after],
    settings: [allBefore, allAfter],
    leads: [before - allBefore, after - allAfter],
  } as const;
}

/** The picture of the main finding. */
export function findingChart(data: Dataset): ChartParts | null {
  const means = meansOf(data);
  if (means === undefined) return null;
  const { picks, settings, leads } = means;
  const { variants, coins, templates, as_of: asOf } = data.dataset;
  const drawing = slopeChart(
    [
      { name: `best of ${variants}`, before: picks[0], after: picks[1], tone: "accent" },
      { name: `all ${variants}`, before: settings[0], after: settings[1], tone: "context" },
    ],
    {
      title: findingTitle(leads),
      subtitle: `Mean annual Sharpe ratio of ${decimal(data.picks_total, 0)} choices, and of all settings that each was chosen among`,
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

/** A lead that falls below this share of itself "is gone". */
const GONE_BELOW = 0.25;

/** What the leads say, as a sentence. */
function findingTitle([before, after]: readonly [number, number]): string {
  if (after / before < GONE_BELOW) return "The advantage of choosing is gone when it is needed";
  if (after / before < 0.75) return "The advantage of choosing shrinks when it is needed";
  return "The advantage of choosing lasts";
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
  return ` (95 % interval ${share(low / before)} to ${share(high / before)})`;
}

/** A sentence on what was kept in each calendar year when all days before it decided. Undefined without such checks. */
export function yearsSentence({ headline }: Dataset): string | undefined {
  const years = Object.entries(headline.robustness ?? {}).flatMap(([name, check]) => {
    const year = /^year_(\d{4})$/.exec(name)?.[1];
    return year === undefined ? [] : [{ year, ...check }];
  });
  if (years.length === 0) return undefined;
  const lasting = years.filter(({ low }) => low !== null && low > 0);
  const others = years.filter((each) => !lasting.includes(each));
  const list = (some: readonly { readonly year: string }[]) =>
    some.map(({ year }) => year).join(", ");
  const kept = lasting.map(({ year, share_kept: part }) => `${share(part)} in ${year}`).join(", ");
  if (lasting.length === 0)
    return `Tested year by year (${list(years)}), what was kept can’t be told from nothing.`;
  const rest =
    others.length === 0 ? "" : `; in ${list(others)} what was kept can’t be told from nothing`;
  return `Tested year by year, it was more: ${kept}${rest}.`;
}
