import type { Dataset } from "../../api/dataset.ts";
import { overall } from "../dataset-figures.ts";
import type { VNode } from "preact";
import { Figure, type Drawing } from "../charts/chart.tsx";
import { slopeChart } from "../charts/slope-chart.tsx";
import { decimal, share } from "../format.ts";
import { Table } from "../table.tsx";

/** The median Sharpe ratios of the picks and of all runs, before and after the choice. */
interface Medians {
  readonly picks: readonly [number, number];
  readonly all: readonly [number, number];
}

/** Undefined where the dataset has no picks. */
function mediansOf(data: Dataset): Medians | undefined {
  const before = overall(data, "median_in_sample_sharpe");
  const after = overall(data, "median_out_of_sample_sharpe");
  const known = [before.value, after.value, before.coin_flip, after.coin_flip];
  if (known.some((value) => value === null)) return undefined;
  const [pickBefore, pickAfter, allBefore, allAfter] = known as [number, number, number, number];
  return { picks: [pickBefore, pickAfter], all: [allBefore, allAfter] };
}

/** The picture of the main finding. */
export function FindingFigure({
  data,
  isSynthetic,
}: {
  readonly data: Dataset;
  readonly isSynthetic: boolean;
}): VNode | null {
  const medians = mediansOf(data);
  if (medians === undefined) return null;
  const { picks, all } = medians;
  const { variants } = data.dataset;
  const drawing: Drawing = slopeChart(
    [
      { name: `best of ${variants}`, before: picks[0], after: picks[1], colour: "accent" },
      { name: `all ${variants}`, before: all[0], after: all[1], colour: "context" },
    ],
    {
      title: findingTitle(medians),
      subtitle: `Median annual Sharpe ratio of ${decimal(data.picks_total, 0)} choices and of all ${decimal(data.dataset.runs_total, 0)} runs`,
      before: "while choosing",
      after: "afterwards",
      isSynthetic,
    },
  );
  const rows = [
    ["best of the settings", ...picks],
    ["all settings", ...all],
  ] as const;
  return (
    <Figure
      drawing={drawing}
      source={
        <a href="/docs/dataset">
          {decimal(data.dataset.coins, 0)} coins, {decimal(data.dataset.templates, 0)} rules,{" "}
          {decimal(data.dataset.variants, 0)} settings each, to {data.dataset.as_of}
        </a>
      }
      table={
        <Table
          label="Median Sharpe ratio while choosing and afterwards"
          columns={[
            { name: "runs", isText: true, cell: ([name]) => name },
            { name: "while choosing", cell: ([, before]) => decimal(before, 2) },
            { name: "afterwards", cell: ([, , after]) => decimal(after, 2) },
          ]}
          rows={rows}
        />
      }
    />
  );
}

/** Half of the advantage is where "shrinks" becomes "is gone". */
const GONE_BELOW = 0.25;

/** What the medians say, as a sentence. */
function findingTitle({ picks, all }: Medians): string {
  const kept = (picks[1] - all[1]) / (picks[0] - all[0]);
  if (kept < GONE_BELOW) return "The advantage of choosing is gone when it is needed";
  if (kept < 0.75) return "The advantage of choosing shrinks when it is needed";
  return "The advantage of choosing lasts";
}

/** What the choice was worth by the days that it was made on. */
export function chosenSentence(data: Dataset): string | undefined {
  const medians = mediansOf(data);
  if (medians === undefined) return undefined;
  const { picks, all } = medians;
  return `While choosing, the median pick had a Sharpe ratio of ${decimal(picks[0], 2)} against ${decimal(all[0], 2)} of all settings; afterwards ${decimal(picks[1], 2)} against ${decimal(all[1], 2)}.`;
}

/** How much of the advantage was kept, with its interval, from the paired premium of the dataset's own split. */
export function keptSentence({ headline }: Dataset): string | undefined {
  const check = headline.robustness?.["split_70"];
  if (check === undefined) return undefined;
  const { premium_in_sample: before, low, high } = check;
  if (before === null || before <= 0) return undefined;
  const interval =
    low === null || high === null ? "" : ` (${share(low / before)} to ${share(high / before)})`;
  return `Afterwards they kept ${share(check.share_kept)} of that advantage${interval}.`;
}

/** What the same choice was worth in each calendar year, told by all days before it; undefined without such rows. */
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
